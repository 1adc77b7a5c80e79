import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { customersQuery } from '../connections/platform-queries.ts';

const EVERY_MS = 5000;

/** A request with the end customer whose agent made it. */
export interface CustomerRequest {
  readonly customer: Shape<'EndCustomer'>;
  readonly request: Shape<'AccessRequest'>;
}

function requestsQuery(management: Client, endCustomerId: string, status: 'pending' | 'approved' | 'denied') {
  return queryOptions({
    queryKey: ['approvals', endCustomerId, status],
    queryFn: () =>
      dataOf<Shape<'AccessRequest'>[]>(
        management.GET('/end-customers/{endCustomerId}/access-requests', {
          params: { path: { endCustomerId }, query: { status, per_page: 100 } },
        }),
      ),
    refetchInterval: EVERY_MS,
  });
}

/** The requests of all end customers in a state; undefined until all are read. */
export function useAccessRequests(status: 'pending' | 'approved' | 'denied'): {
  readonly requests: readonly CustomerRequest[] | undefined;
  readonly error: Error | null;
} {
  const management = useManagement();
  const { applicationId } = useSession();
  const customers = useQuery(customersQuery(management, applicationId));
  const lists = useQueries({
    queries: (customers.data ?? []).map(({ id }) => requestsQuery(management, id, status)),
  });
  const error = customers.error ?? lists.find((list) => list.error)?.error ?? null;
  if (!customers.data || lists.some(({ data }) => data === undefined)) return { requests: undefined, error };
  const requests = customers.data.flatMap((customer, index) =>
    (lists[index]?.data ?? []).map((request) => ({ customer, request })),
  );
  return { requests: requests.toSorted((a, b) => b.request.createdAt.localeCompare(a.request.createdAt)), error };
}
