import { isDeepStrictEqual } from 'node:util';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { keyRing, sealSecret } from '../keys/key-ring.ts';
import { keyedHash } from '../secrets/secret-key.ts';
import type { Parameter } from '../sql/parameter.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { type ConnectionEventKind, eventOf } from './connection-events.ts';
import { rethrowNamed } from './connection-name.ts';
import { OWNED, type OwnedConnection } from './connection-owner.ts';
import { openedSettings, settingsOf } from './readable-settings.ts';

export type ConnectionStatus = 'active' | 'inactive';

/** How often a connection is synchronized. */
export interface SyncSchedule {
  /** Minutes between two runs that read changes: 1 to 1440, by default 15. */
  readonly syncEveryMinutes: number;
  /** Hours between two runs that read everything: 1 to 744, by default 24. */
  readonly fullSyncEveryHours: number;
}

/** One link to one connected system, without its settings. */
export interface Connection extends SyncSchedule {
  readonly id: string;
  readonly applicationId: string;
  readonly platform: string;
  readonly name: string;
  readonly status: ConnectionStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** End customer of its application that it belongs to; null if it was not created in an embed session. */
  readonly endCustomerId: string | null;
  /** Texts that its application keeps with it, by name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** When its application deleted it; its data is kept for 30 days. Null if it is not deleted. */
  readonly deletedAt: string | null;
  /** Increases with each change of the active field mappings and custom streams; 0 means those of the platform. */
  readonly mappingVersion: number;
}

export interface NewConnection {
  readonly applicationId: string;
  /** Id of the platform, for example `tryton`. */
  readonly platform: string;
  readonly name: string;
  /** What the driver needs to reach the system, including passwords; encrypted at rest. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Identity of the system, by which other connections to the same system are found. Only a keyed hash of it is stored. */
  readonly system?: string | undefined;
  /** End customer of the application, if any. */
  readonly endCustomerId?: string | undefined;
  /** Absent values get their defaults. */
  readonly schedule?: Partial<SyncSchedule> | undefined;
  /** None if absent. */
  readonly metadata?: Connection['metadata'] | undefined;
}

/** Columns of a `Connection`. */
export const COLUMNS =
  'id, "applicationId", platform, name, status, "syncEveryMinutes", "fullSyncEveryHours", "createdAt", "updatedAt", "endCustomerId", metadata, "deletedAt", "mappingVersion"';

/**
 * Users of a connection compare this timestamp to detect a change. It is read with millisecond precision, so each change must
 * get a different millisecond.
 */
const CHANGED = `"updatedAt" = greatest(now(), "updatedAt" + interval '1 millisecond')`;

/** Creates an active connection. Throws `ConnectionNameTaken`, after which the surrounding transaction can continue. */
export async function createConnection(store: Store, given: NewConnection): Promise<Connection> {
  const id = newId();
  const sealed = await sealSecret(store, settingsOf(id), JSON.stringify(given.settings));
  const hash = await systemHash(store, given.system);
  const rows = await changed(store, 'connection.created', [
    `insert into unified.connections
         (id, "applicationId", platform, name, settings, "systemHash", "endCustomerId", status, "syncEveryMinutes",
          "fullSyncEveryHours", metadata)
       values ($1, $2, $3, $4, $5, $6, $7, 'active', coalesce($8::float8, 15), coalesce($9::float8, 24), $10) returning ${COLUMNS}`,
    [
      ...[id, given.applicationId, given.platform, given.name, sealed, hash],
      ...[given.endCustomerId ?? null, ...scheduleValues(given.schedule), JSON.stringify(given.metadata ?? {})],
    ],
  ]).catch((error: unknown) => rethrowNamed(error, given.name));
  const [made] = rows;
  if (!made) throw new Error('The connection was not created.');
  return made;
}

/** Runs a statement that changes connections, and emits an event for each that it returns, in one transaction. */
function changed(
  store: Store,
  type: ConnectionEventKind,
  [text, values]: readonly [text: string, values: Parameter[]],
): Promise<Connection[]> {
  return inOwnerTransaction(store, async (client) => {
    const { rows } = await client.query<Connection>(text, values);
    for (const connection of rows)
      await emitEvent(storeWithin(store, client), connection.applicationId, eventOf(type, connection));
    return rows;
  });
}

/** All connections, or those of one application, without deleted ones, oldest first. */
export async function listConnections(store: Store, applicationId?: string): Promise<Connection[]> {
  const { rows } = await asOwner<Connection>(
    store,
    `select ${COLUMNS} from unified.connections where ($1::uuid is null or "applicationId" = $1) and "deletedAt" is null order by id`,
    [applicationId ?? null],
  );
  return rows;
}

/** Whether any system is connected. */
export async function hasConnections(store: Store): Promise<boolean> {
  const { rowCount } = await asOwner(store, 'select from unified.connections where "deletedAt" is null limit 1', []);
  return rowCount !== 0;
}

/** Which connections a page contains. */
export interface ConnectionQuery {
  readonly status?: ConnectionStatus | undefined;
  readonly platform?: string | undefined;
  /** A name in the list `solutions` of the connection. */
  readonly solution?: string | undefined;
  /** A name in its list `flowFolders`. */
  readonly flowFolder?: string | undefined;
  /** Only connections after this id. */
  readonly after?: string | undefined;
  /** By default, all. */
  readonly limit?: number | undefined;
}

/** Connections of an application, without deleted ones, oldest first. */
export async function pageOfConnections(scope: ApplicationScope, query: ConnectionQuery): Promise<Connection[]> {
  const { rows } = await asOwner<Connection>(
    storeOf(scope),
    `select ${COLUMNS} from unified.connections
      where "applicationId" = $1 and "deletedAt" is null and ($2::text is null or status = $2)
        and ($3::text is null or platform = $3) and ($4::uuid is null or id > $4)
        and ($6::text is null or $6 = any(solutions)) and ($7::text is null or $7 = any("flowFolders"))
      order by id limit $5`,
    [
      ...[scope.applicationId, query.status ?? null, query.platform ?? null, query.after ?? null],
      ...[query.limit ?? null, query.solution ?? null, query.flowFolder ?? null],
    ],
  );
  return rows;
}

/** One connection, deleted or not, or null. */
export async function connectionById(store: Store, id: string): Promise<Connection | null> {
  const { rows } = await asOwner<Connection>(store, `select ${COLUMNS} from unified.connections where id = $1`, [id]);
  return rows[0] ?? null;
}

/** The same, locked until the end of the transaction. */
export async function lockConnection(store: Store, id: string): Promise<Connection | null> {
  const query = `select ${COLUMNS} from unified.connections where id = $1 for no key update`;
  const { rows } = await asOwner<Connection>(store, query, [id]);
  return rows[0] ?? null;
}

/** Returns the decrypted settings of a connection, or null when there is none. Never log them. */
export async function connectionSettings(store: Store, id: string): Promise<Record<string, unknown> | null> {
  const { rows } = await asOwner<{ settings: string }>(
    store,
    'select settings from unified.connections where id = $1',
    [id],
  );
  return rows[0] ? openedSettings(await keyRing(store), id, rows[0].settings) : null;
}

/**
 * Replaces the settings of a connection, for example after its password was changed, and the identity of its system. Returns
 * whether they changed. If they are equal, work that uses the connection is not interrupted.
 */
export async function replaceSettings(
  store: Store,
  id: string,
  settings: NewConnection['settings'],
  system?: string,
): Promise<boolean> {
  if (isDeepStrictEqual(await connectionSettings(store, id), settings)) return false;
  const sealed = await sealSecret(store, settingsOf(id), JSON.stringify(settings));
  await asOwner(
    store,
    `update unified.connections set settings = $2, "systemHash" = $3, "needsReauthSince" = null, ${CHANGED} where id = $1`,
    [id, sealed, await systemHash(store, system)],
  );
  return true;
}

/**
 * Changes the schedule of a connection; absent values stay unchanged. Returns whether it changed. The new schedule applies to
 * runs that are planned from then on.
 */
export async function replaceSchedule(store: Store, id: string, schedule: Partial<SyncSchedule>): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `update unified.connections
        set "syncEveryMinutes" = coalesce($2::float8, "syncEveryMinutes"),
            "fullSyncEveryHours" = coalesce($3::float8, "fullSyncEveryHours"), ${CHANGED}
      where id = $1 and ("syncEveryMinutes", "fullSyncEveryHours")
        is distinct from (coalesce($2::float8, "syncEveryMinutes"), coalesce($3::float8, "fullSyncEveryHours"))`,
    [id, ...scheduleValues(schedule)],
  );
  return rowCount === 1;
}

function scheduleValues({ syncEveryMinutes, fullSyncEveryHours }: Partial<SyncSchedule> = {}) {
  return [syncEveryMinutes ?? null, fullSyncEveryHours ?? null];
}

/** Replaces the metadata of a connection. Returns whether it changed. */
export async function replaceMetadata(store: Store, id: string, metadata: Connection['metadata']): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `update unified.connections set metadata = $2, ${CHANGED} where id = $1 and metadata is distinct from $2::jsonb`,
    [id, JSON.stringify(metadata)],
  );
  return rowCount === 1;
}

/** Assigns a connection to an end customer, unless it already belongs to one. */
export async function assignEndCustomer(store: Store, id: string, endCustomerId: string): Promise<void> {
  await asOwner(
    store,
    'update unified.connections set "endCustomerId" = $2 where id = $1 and "endCustomerId" is null',
    [id, endCustomerId],
  );
}

/** Renames a connection; its records keep their ids. Returns null when there is none. Throws `ConnectionNameTaken`. */
export async function renameConnection(store: Store, id: string, name: string): Promise<Connection | null> {
  const { rows } = await asOwner<Connection>(
    store,
    `update unified.connections set name = $2, ${CHANGED} where id = $1 returning ${COLUMNS}`,
    [id, name],
  ).catch((error: unknown) => rethrowNamed(error, name));
  return rows[0] ?? null;
}

/**
 * Deletes a connection: it is no longer used or listed, its tokens are no longer valid, and its name is free. Its data is kept
 * for 30 days, during which it can be restored.
 */
export async function markConnectionDeleted(store: Store, id: string): Promise<void> {
  await inOwnerTransaction(store, async (client) => {
    await changed(storeWithin(store, client), 'connection.deleted', [
      `update unified.connections set status = 'inactive', "deletedAt" = now(), ${CHANGED} where id = $1 returning ${COLUMNS}`,
      [id],
    ]);
    for (const table of ['connection_tokens', 'token_families', 'authorization_codes'])
      await client.query(`delete from unified.${table} where "connectionId" = $1`, [id]);
  });
}

/** The earliest deletion time from which a connection can still be restored. */
const RESTORABLE = `now() - interval '30 days'`;

/** Restores a deleted connection, which stays inactive. Returns null after 30 days. Throws `ConnectionNameTaken`. */
export async function restoreDeletedConnection(
  store: Store,
  { id, name }: Pick<Connection, 'id' | 'name'>,
): Promise<Connection | null> {
  const { rows } = await asOwner<Connection>(
    store,
    `update unified.connections set "deletedAt" = null, ${CHANGED}
      where id = $1 and "deletedAt" > ${RESTORABLE} returning ${COLUMNS}`,
    [id],
  ).catch((error: unknown) => rethrowNamed(error, name));
  return rows[0] ?? null;
}

/** Up to `most` connections that can no longer be restored, oldest first. */
export async function expiredConnections(store: Store, most: number): Promise<OwnedConnection[]> {
  const { rows } = await asOwner<OwnedConnection>(
    store,
    `select ${OWNED} from unified.connections where "deletedAt" <= ${RESTORABLE} order by id limit $1`,
    [most],
  );
  return rows;
}

/** Activates a connection. Returns null when there is none, or it is deleted. */
export async function activateConnection(store: Store, id: string): Promise<Connection | null> {
  return setStatus(store, id, 'active');
}

/** Stops all use of a connection; its data is kept. Returns null when there is none, or it is deleted. */
export async function deactivateConnection(store: Store, id: string): Promise<Connection | null> {
  return setStatus(store, id, 'inactive');
}

async function setStatus(store: Store, id: string, status: ConnectionStatus): Promise<Connection | null> {
  const type = status === 'active' ? 'connection.activated' : 'connection.deactivated';
  const rows = await changed(store, type, [
    `update unified.connections set status = $2, ${CHANGED} where id = $1 and "deletedAt" is null returning ${COLUMNS}`,
    [id, status],
  ]);
  return rows[0] ?? null;
}

/** Purpose of the keyed hashes of systems. */
export const SYSTEMS = 'connected systems';

/** The hash by which connections to a system are found; null if the system's identity is not known. */
export async function systemHash(store: Store, system: string | undefined): Promise<string | null> {
  return system === undefined ? null : keyedHash((await keyRing(store)).newest, SYSTEMS, system);
}
