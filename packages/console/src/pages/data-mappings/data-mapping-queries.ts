import { queryOptions } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';

export type DataMapping = Shape<'DataMapping'>;

/** All data mappings of a connection. */
export function dataMappingsQuery(management: Client, id: string) {
  return queryOptions({
    queryKey: ['connection', id, 'data-mappings'],
    queryFn: () =>
      dataOf<DataMapping[]>(management.GET('/connections/{id}/data-mappings', { params: { path: { id } } })),
  });
}
