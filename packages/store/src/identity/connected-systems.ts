import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, lockNamed, type Store } from '../access/store.ts';
import { keyRing, lookupsOf } from '../keys/key-ring.ts';
import { COLUMNS, type Connection, SYSTEMS, systemHash } from './connections.ts';

/** Connections of the application to the system with this identity, without deleted ones, oldest first. */
export async function connectionsToSystem(scope: ApplicationScope, system: string): Promise<Connection[]> {
  const store = storeOf(scope);
  const { rows } = await asOwner<Connection>(
    store,
    `select ${COLUMNS} from unified.connections
      where "applicationId" = $1 and "systemHash" = any($2::text[]) and "deletedAt" is null order by id`,
    [scope.applicationId, lookupsOf(await keyRing(store), SYSTEMS, system)],
  );
  return rows;
}

/**
 * Ids of the active connections of all applications to the system with this identity. Includes those to the platform whose
 * system's identity was never stored, which may be connections to another system.
 */
export async function activeConnectionsTo(store: Store, platform: string, system: string): Promise<string[]> {
  const { rows } = await asOwner<{ id: string }>(
    store,
    `select id from unified.connections
      where platform = $1 and status = 'active' and "deletedAt" is null
        and ("systemHash" is null or "systemHash" = any($2::text[])) order by id`,
    [platform, lookupsOf(await keyRing(store), SYSTEMS, system)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Makes other transactions that store a connection of the application to this system wait until this one ends. Call it with the
 * scope of a transaction.
 */
export async function lockSystem(scope: ApplicationScope, system: string): Promise<void> {
  await lockNamed(storeOf(scope), `unified system ${scope.applicationId} ${system}`);
}

/**
 * Ids of connections of the application to a platform whose system's identity was never stored, such as those of earlier
 * releases.
 */
export async function connectionsOfUnknownSystem(scope: ApplicationScope, platform: string): Promise<string[]> {
  const { rows } = await asOwner<{ id: string }>(
    storeOf(scope),
    `select id from unified.connections
      where "applicationId" = $1 and platform = $2 and "systemHash" is null and "deletedAt" is null order by id`,
    [scope.applicationId, platform],
  );
  return rows.map(({ id }) => id);
}

/** Stores the identity of the system of a connection, unless one was stored in the meantime. */
export async function rememberSystem(scope: ApplicationScope, connectionId: string, system: string): Promise<void> {
  const store = storeOf(scope);
  await asOwner(
    store,
    `update unified.connections set "systemHash" = $3
      where id = $1 and "applicationId" = $2 and "systemHash" is null`,
    [connectionId, scope.applicationId, await systemHash(store, system)],
  );
}
