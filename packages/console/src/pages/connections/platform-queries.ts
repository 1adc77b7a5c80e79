import { queryOptions } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';

/** Kinds of systems that can be connected. */
export function platformsQuery(management: Client) {
  return queryOptions({
    queryKey: ['platforms'],
    queryFn: () => dataOf<Shape<'Platform'>[]>(management.GET('/platforms')),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The end customers of an application. */
export function customersQuery(management: Client, applicationId: string) {
  return queryOptions({
    queryKey: ['application', applicationId, 'customers'],
    queryFn: () =>
      dataOf<Shape<'EndCustomer'>[]>(management.GET('/end-customers', { params: { query: { per_page: 100 } } })),
  });
}
