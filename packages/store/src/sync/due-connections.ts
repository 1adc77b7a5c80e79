import { asOwner, type Store } from '../access/store.ts';
import { OWNED, type OwnedConnection } from '../identity/connection-owner.ts';

/*
 * `nextSyncAt` of a connection is never later than the time at which one of its streams is due: it is set to now before a
 * stream becomes due, and to the earliest `nextRunAt` of the streams after a run. This way, a run that was killed is found
 * again.
 */

/** Due connections; the parameter is the maximum number. */
const DUE_CONNECTIONS = `select ${OWNED} from unified.connections
  where status = 'active' and "nextSyncAt" <= now() order by "nextSyncAt" limit $1`;

/**
 * Active connections with a due stream, longest overdue first. Reads an index: the cost depends on the number of due connections,
 * not on the number of connections.
 */
export async function dueConnections(store: Store, limit: number): Promise<OwnedConnection[]> {
  return (await asOwner<OwnedConnection>(store, DUE_CONNECTIONS, [limit])).rows;
}

/** Marks a connection as due now. Call it before its streams are marked as due with `saveSyncState`. */
export async function markSyncDue(store: Store, connectionId: string): Promise<void> {
  await asOwner(store, 'update unified.connections set "nextSyncAt" = now() where id = $1 and "nextSyncAt" > now()', [
    connectionId,
  ]);
}

/**
 * Sets when a connection is due: when the first of these streams is, or immediately if one of them has no state yet. Call it
 * after a run with all streams of the platform, while no other run of the connection can begin.
 */
export async function planNextSync(store: Store, connectionId: string, streams: readonly string[]): Promise<void> {
  await asOwner(
    store,
    `update unified.connections set "nextSyncAt" = (
       select coalesce(min(coalesce(state."nextRunAt", now())), now()) from unnest($2::text[]) wanted(stream)
         left join unified.sync_streams state on state.connection_id = $1 and state.stream = wanted.stream)
      where id = $1`,
    [connectionId, streams],
  );
}

/** Marks as due now all streams whose last run failed. Call it only when a worker starts, since it reads all streams. */
export async function markFailedDue(store: Store): Promise<void> {
  const { rows } = await asOwner<{ id: string }>(
    store,
    'select distinct connection_id as id from unified.sync_streams where error is not null and "nextRunAt" > now()',
  );
  for (const { id } of rows) await makeFailedDue(store, id, 0);
}

/** Marks the streams of a connection whose last run failed as due together, in this number of seconds at the latest. */
export async function makeFailedDue(store: Store, connectionId: string, seconds: number): Promise<void> {
  const { rows } = await asOwner<{ at: string }>(
    store,
    'select (now() + make_interval(secs => $1::float8))::text as at',
    [seconds],
  );
  const at = rows[0]?.at ?? null;
  await asOwner(
    store,
    'update unified.connections set "nextSyncAt" = $2::timestamptz where id = $1 and "nextSyncAt" > $2::timestamptz',
    [connectionId, at],
  );
  await asOwner(
    store,
    `update unified.sync_streams set "nextRunAt" = $2::timestamptz
      where connection_id = $1 and error is not null and "nextRunAt" > $2::timestamptz`,
    [connectionId, at],
  );
}

/** Platforms that have connections. */
export async function platformsInUse(store: Store): Promise<string[]> {
  const { rows } = await asOwner<{ platform: string }>(
    store,
    'select distinct platform from unified.connections order by platform',
  );
  return rows.map(({ platform }) => platform);
}

/**
 * Marks as due now the connections of a platform that have no state for one of these streams, for example after an upgrade that
 * added streams to the platform. Reads all connections of the platform, so call it only when a worker starts.
 */
export async function markUnreadDue(store: Store, platform: string, streams: readonly string[]): Promise<void> {
  await asOwner(
    store,
    `update unified.connections connection set "nextSyncAt" = now()
      where platform = $1 and "nextSyncAt" > now() and exists (
        select from unnest($2::text[]) wanted(stream) where not exists (
          select from unified.sync_streams state where state.connection_id = connection.id and state.stream = wanted.stream))`,
    [platform, streams],
  );
}
