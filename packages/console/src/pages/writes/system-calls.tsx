import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

const NOT_LOGGED_MS = 2000;

interface SystemCallsProps {
  readonly connectionId: string;
  readonly writeId: string;
  /** When the write got its outcome: the calls are read again then. */
  readonly settled: string | null;
}

/** The calls of the connected system that a write made, with what came back. */
export function SystemCalls({ connectionId, writeId, settled }: SystemCallsProps) {
  const { writes, start } = useTexts();
  const management = useManagement();
  const { data = [] } = useQuery({
    queryKey: ['connection', connectionId, 'system-calls', writeId, settled],
    queryFn: () =>
      dataOf<Shape<'SystemCall'>[]>(
        management.GET('/system-calls', { params: { query: { connectionId, writeId, per_page: 50 } } }),
      ),
    // Calls are logged a moment after the write has its outcome.
    refetchInterval: ({ state }) => (state.data?.length === 0 ? NOT_LOGGED_MS : false),
  });
  if (data.length === 0) return null;
  const columns: Column<Shape<'SystemCall'>>[] = [
    { name: writes.purpose, cell: ({ purpose, stream }) => [purpose, stream].filter(Boolean).join(' · ') },
    { name: writes.outcome, cell: ({ outcome }) => <code>{outcome}</code> },
    { name: writes.message, cell: ({ message }) => message, minor: true },
    { name: writes.duration, cell: ({ milliseconds }) => start.milliseconds(Math.round(milliseconds)), numeric: true },
    { name: writes.at, cell: ({ at }) => <Time at={at} />, minor: true },
  ];
  return (
    <Card title={writes.calls} flush>
      <Table label={writes.calls} columns={columns} rows={data} rowKey={({ id }) => id} />
    </Card>
  );
}
