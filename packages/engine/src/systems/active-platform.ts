import type { Platform } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { connectionById, type Scope, type Store } from '@unified/store';
import type { Systems } from './systems.ts';

/** The platform of a connection. Throws SERVICE_CONNECTION_INACTIVE. */
export async function activePlatform(
  { store, systems }: { readonly store: Store; readonly systems: Systems },
  { connectionId }: Scope,
): Promise<Platform> {
  const connection = await connectionById(store, connectionId);
  if (connection?.status === 'active') return systems.platformOf(connection.platform);
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
}
