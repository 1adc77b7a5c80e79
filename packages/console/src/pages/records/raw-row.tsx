import { useQuery } from '@tanstack/react-query';
import type { AnyRecord, Shape } from '../../api/document-schemas.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { Code } from '../../parts/code.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';

interface RawRowProps {
  readonly connectionId: string;
  readonly record: AnyRecord;
}

/** Rows that are searched for the one whose key belongs to the record. */
const MOST_ROWS = 20;

/** The row of the connected system that a record was read from, as it was received. */
export function RawRow({ connectionId, record }: RawRowProps) {
  const { records } = useTexts();
  const lineage = (record.lineage ?? {}) as Shape<'Lineage'>;
  const [source] = Object.values(lineage).filter(({ columns }) => columns.length > 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['connection', connectionId, 'raw', record.id, record._updatedAt],
    queryFn: async () => {
      const { stream = '', columns = [] } = lineage.code ?? source ?? {};
      const [column] = columns;
      const filter = column && column.value !== null ? { [column.name]: { eq: String(column.value) } } : {};
      const rows = await connectionClient(connectionId).raw.rows(stream, { filter, per_page: MOST_ROWS });
      return rows.data.find(({ key }) => key === record._idValue) ?? rows.data[0] ?? null;
    },
    enabled: source !== undefined,
  });
  if (!source || data === null) return <Empty title={records.noRaw} />;
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  return data ? <Code text={JSON.stringify(data.row, null, 2)} label={records.panels.raw} /> : <Loading />;
}
