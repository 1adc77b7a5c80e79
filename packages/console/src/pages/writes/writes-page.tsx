import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { WriteRecord } from '@unified/sdk';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { WriteBadge } from './write-badge.tsx';
import { writesQuery } from './write-queries.ts';

const FILTERS = ['all', 'unknown', 'pending', 'failed', 'succeeded', 'cancelled'] as const;
type WriteFilter = (typeof FILTERS)[number];

/** The writes of a connection by state. Those whose outcome is unknown are always on top. */
export function WritesPage() {
  const { writes, general } = useTexts();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId/writes' });
  const { status } = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = FILTERS.find((each) => each === status) ?? 'all';
  const list = useInfiniteQuery(writesQuery(connectionId, chosen === 'all' ? undefined : chosen));
  const unknown = useInfiniteQuery({ ...writesQuery(connectionId, 'unknown'), enabled: chosen === 'all' });
  const found = list.data?.pages.flatMap(({ data }) => data);
  const unclear = chosen === 'all' ? (unknown.data?.pages.flatMap(({ data }) => data) ?? []) : [];
  const others = found?.filter(({ writeId }) => !unclear.some((each) => each.writeId === writeId)) ?? [];
  const options = Object.fromEntries(
    FILTERS.map((each) => [each, each === 'all' ? general.all : writes.states[each]]),
  ) as Record<WriteFilter, string>;
  const columns: Column<WriteRecord>[] = [
    {
      name: writes.operation,
      cell: ({ writeId, operation }) => (
        <Link to="/connections/$connectionId/writes/$writeId" params={{ connectionId, writeId }} search={{}}>
          {operation}
        </Link>
      ),
    },
    { name: general.status, cell: (write) => <WriteBadge status={write.status} /> },
    { name: writes.message, cell: ({ error, warnings }) => error?.message ?? warnings[0]?.message ?? '', minor: true },
    { name: writes.attempts, cell: ({ attempts }) => attempts, numeric: true, minor: true },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  const table = (label: string, rows: readonly WriteRecord[]) => (
    <Table label={label} columns={columns} rows={rows} rowKey={({ writeId }) => writeId} />
  );
  return (
    <Page title={writes.title} lead={writes.lead}>
      <div>
        <Choice
          label={general.status}
          options={options}
          value={chosen}
          onChange={(next) => navigate({ to: '.', search: next === 'all' ? {} : { status: next }, replace: true })}
        />
      </div>
      {list.error && <ErrorNotice error={list.error} onRetry={list.refetch} />}
      {unclear.length > 0 && (
        <>
          <Notice tone="warn" title={writes.unknownTitle}>
            <p>{writes.unknownLead}</p>
          </Notice>
          <Card title={writes.states.unknown} flush>
            {table(writes.states.unknown, unclear)}
          </Card>
        </>
      )}
      <Card flush>
        {!found && !list.error && <Loading />}
        {found && others.length === 0 && <Empty title={writes.none}>{writes.noneLead}</Empty>}
        {others.length > 0 && table(writes.title, others)}
      </Card>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {general.more}
        </Button>
      )}
    </Page>
  );
}
