import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { AnyRecord } from '../../api/document-schemas.ts';
import { recordCalls } from '../../api/record-calls.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { type ListView, sdkFilter } from '../../lists/conditions-of-search.ts';

export const PAGE_SIZE = 200;

/** A list of records of which only the visible pages are read. */
export interface WantedRecords {
  readonly connectionId: string;
  readonly entity: string;
  readonly collection: string;
  readonly view: ListView;
  readonly fields: readonly string[];
}

interface RecordPages {
  readonly error: Error | null;
  readonly refetch: () => void;
  /** The record at a position, undefined while its page is being read. */
  readonly at: (index: number) => AnyRecord | undefined;
}

/** Key of all that is read of an entity's list; the change stream invalidates it. */
export function listKey(connectionId: string, entity: string) {
  return ['connection', connectionId, 'records', entity] as const;
}

/** The number of all records, undefined until the first page has been read. */
export function useRecordTotal(wanted: WantedRecords): number | undefined {
  return useFirstPage(wanted).data?.meta.total ?? undefined;
}

/** The pages that contain the positions from `first` to `last`. */
export function useRecordPages(wanted: WantedRecords, first: number, last: number): RecordPages {
  const begin = useFirstPage(wanted);
  const numbers: number[] = [];
  for (let page = pageOf(first); page <= pageOf(last); page++) if (page > 1) numbers.push(page);
  const others = useQueries({ queries: numbers.map((page) => pageQuery(wanted, page)) });
  const pages = new Map(numbers.map((page, index) => [page, others[index]?.data?.data]));
  pages.set(1, begin.data?.data);
  return {
    error: begin.error ?? others.find(({ error }) => error)?.error ?? null,
    refetch: begin.refetch,
    at: (index) => pages.get(pageOf(index))?.[index % PAGE_SIZE],
  };
}

function useFirstPage(wanted: WantedRecords) {
  return useQuery({ ...pageQuery(wanted, 1), placeholderData: keepPreviousData });
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_SIZE) + 1;
}

function pageQuery({ connectionId, entity, collection, view, fields }: WantedRecords, page: number) {
  return {
    queryKey: [...listKey(connectionId, entity), view, fields, page],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      recordCalls(connectionClient(connectionId), collection).list({
        ...(view.conditions.length > 0 && { filter: sdkFilter(view.conditions) }),
        ...(view.sort !== undefined && { sort: view.sort }),
        fields,
        page,
        per_page: PAGE_SIZE,
        with_total: page === 1,
        signal,
      }),
    staleTime: 30_000,
  };
}
