import { queryOptions } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { connectionClient } from '../../api/service-clients.ts';

export type Connection = Shape<'Connection'>;
export type SyncStatus = Shape<'SyncStatus'>;

const RUNNING_MS = 1500;
const IDLE_MS = 15_000;

/** All connections of an application, except deleted ones, by name. */
export function connectionsQuery(management: Client, applicationId: string) {
  return queryOptions({
    queryKey: ['application', applicationId, 'connections'],
    queryFn: async () => {
      const found: Connection[] = [];
      for await (const connection of management.connections.list({ per_page: 200 }))
        if (connection.status !== 'deleted') found.push(connection as Connection);
      return found.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    refetchInterval: IDLE_MS,
  });
}

/** The state of the copy of a connection: often while a sync runs, so that its progress is seen. */
export function syncStatusQuery(connectionId: string) {
  return queryOptions({
    queryKey: ['connection', connectionId, 'sync-status'],
    queryFn: () => called<SyncStatus>(connectionClient(connectionId).GET('/sync-status')),
    refetchInterval: ({ state }) => (state.data?.data.some(({ runningSince }) => runningSince) ? RUNNING_MS : IDLE_MS),
  });
}

/** The tokens of a connection, without their secrets. */
export function tokensQuery(management: Client, id: string) {
  return queryOptions({
    queryKey: ['connection', id, 'tokens'],
    queryFn: () =>
      dataOf<Shape<'ConnectionTokenEntry'>[]>(
        management.GET('/connections/{id}/tokens', { params: { path: { id }, query: { per_page: 100 } } }),
      ),
  });
}
