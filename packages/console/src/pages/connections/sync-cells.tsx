import { useQuery } from '@tanstack/react-query';
import { Time } from '../../parts/time.tsx';
import { useLanguage } from '../../texts/use-texts.ts';
import { type Connection, syncStatusQuery } from './connection-queries.ts';
import { type SyncSummary, syncSummary } from './sync-summary.ts';

interface CellProps {
  readonly connection: Connection;
}

function useSummary({ id, status }: Connection): SyncSummary | undefined {
  // The data API refuses requests for a paused connection.
  const { data } = useQuery({ ...syncStatusQuery(id), enabled: status === 'active' });
  return data && syncSummary(data);
}

/** The rows of a connection. */
export function RowCount({ connection }: CellProps) {
  const { language } = useLanguage();
  const summary = useSummary(connection);
  return <>{summary ? summary.rows.toLocaleString(language) : '–'}</>;
}

/** When the next stream of a connection is due. */
export function NextRun({ connection }: CellProps) {
  return <Time at={useSummary(connection)?.nextRunAt} />;
}
