import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { connectionClient } from '../../api/service-clients.ts';

export type Capability = Shape<'Capability'>;

/** What the connected system supports, for each kind of record. */
export function capabilitiesQuery(connectionId: string) {
  return queryOptions({
    queryKey: ['connection', connectionId, 'capabilities'],
    queryFn: () => dataOf<Capability[]>(connectionClient(connectionId).GET('/capabilities')),
    staleTime: 60_000,
  });
}
