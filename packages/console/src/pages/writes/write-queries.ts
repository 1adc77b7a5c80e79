import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ServiceError, type WriteRecord } from '@unified/sdk';
import { connectionClient } from '../../api/service-clients.ts';

const OPEN_MS = 700;
const LIST_MS = 4000;
const PER_PAGE = 50;

/** Whether a write can still change without anyone's action. */
export function isOpen({ status }: WriteRecord): boolean {
  return status === 'pending' || status === 'running';
}

/** One write, read often until it has an outcome. */
export function writeQuery(connectionId: string, writeId: string) {
  return queryOptions({
    queryKey: ['connection', connectionId, 'write', writeId],
    queryFn: () => connectionClient(connectionId).writes.get(writeId),
    refetchInterval: ({ state }) => {
      if (state.error instanceof ServiceError && !state.error.retryable) return false;
      return state.data && !isOpen(state.data) ? false : OPEN_MS;
    },
  });
}

/** Writes in a state, newest first; `undefined` is every state. */
export function writesQuery(connectionId: string, status: WriteRecord['status'] | undefined) {
  return infiniteQueryOptions({
    queryKey: ['connection', connectionId, 'writes', status ?? 'all'],
    queryFn: async ({ pageParam, signal }) => {
      const page = { per_page: PER_PAGE, ...(pageParam !== undefined && { cursor: pageParam }), signal };
      return connectionClient(connectionId).writes.list({ ...page, ...(status && { status: status as 'failed' }) });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    refetchInterval: LIST_MS,
  });
}
