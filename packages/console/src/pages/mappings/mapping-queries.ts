import { queryOptions } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';

export type Revision = Shape<'FieldMapping'>;

const DERIVING_MS = 1000;

/** The revisions of a mapping, newest first; often while records are being derived by the active one. */
export function revisionsQuery(management: Client, id: string, entity: string) {
  return queryOptions({
    queryKey: ['connection', id, 'mappings', entity],
    queryFn: () =>
      dataOf<Revision[]>(
        management.GET('/connections/{id}/field-mappings/{entity}/revisions', {
          params: { path: { id, entity: entity as 'Vendor' }, query: { per_page: 100 } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.some(isDeriving) ? DERIVING_MS : false),
  });
}

/** Whether records are still being derived by a revision. */
export function isDeriving({ derivation }: Revision): boolean {
  return derivation !== null && derivation.rows < derivation.totalRows;
}
