import { type DefinedInfiniteQueryObserverResult, useInfiniteQuery } from '@tanstack/react-query';
import type { pagedQuery } from '../api/paged-query.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Empty } from './empty.tsx';
import { Loading } from './loading.tsx';
import { ErrorNotice } from './notice.tsx';
import { type Column, Table } from './table.tsx';

interface PagedTableProps<Row> {
  readonly label: string;
  readonly query: ReturnType<typeof pagedQuery<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Shown without rows. */
  readonly empty: string;
}

/** A table whose rows are read page by page, with a button for the next page. */
export function PagedTable<Row>({ label, query, columns, rowKey, empty }: PagedTableProps<Row>) {
  const { general } = useTexts();
  const list = useInfiniteQuery(query) as DefinedInfiniteQueryObserverResult<{ pages: { data: readonly Row[] }[] }>;
  const rows = list.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {list.error && <ErrorNotice error={list.error} onRetry={list.refetch} />}
      <Card flush>
        {!rows && !list.error && <Loading />}
        {rows?.length === 0 && <Empty title={empty} />}
        {rows && rows.length > 0 && <Table label={label} columns={columns} rows={rows} rowKey={rowKey} />}
      </Card>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {general.more}
        </Button>
      )}
    </>
  );
}
