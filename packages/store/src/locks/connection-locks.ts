import pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { turns } from '../sql/turns.ts';
import { LockLost } from './lock-lost.ts';

/** Kinds of work that one process at a time does for a connection, or, with `webhooks`, for a webhook endpoint. */
export type LockedWork = 'writes' | 'sync' | 'webhooks';

/** Exclusive right of this process to do one kind of work for a connection. */
export interface ConnectionLock {
  /** Throws `LockLost` if the database connection of the lock broke, so that another worker may have taken over. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** The locks of this process. Of all processes on a database, at most one holds a given lock. */
export interface ConnectionLocks {
  /**
   * Takes the lock of a connection or endpoint. Returns null if any process holds it, including this one. Kinds of work do not
   * exclude each other.
   */
  take(work: LockedWork, id: string): Promise<ConnectionLock | null>;
  /** Releases all locks. */
  close(): Promise<void>;
}

/** Names of the two advisory locks that make up a lock, in the order in which they are acquired. */
type Names = readonly [earlier: string, name: string];

/**
 * Workers of earlier releases acquire the earlier name only. This release acquires both, the earlier one first, so that they
 * exclude each other while both run during an upgrade. The next release will be able to acquire only `name`.
 */
function namesOf(work: LockedWork, connectionId: string): Names {
  if (work === 'writes') return [`lane ${connectionId}`, `write queue ${connectionId}`];
  if (work === 'webhooks') return [`webhooks ${connectionId}`, `deliveries ${connectionId}`];
  return [`lane sync ${connectionId}`, `sync ${connectionId}`];
}

/** Condition in SQL: some process has the lock of the sync of a connection, whose id is this expression. */
export const isSyncing = (id: string) => `exists (
  select from pg_locks
   where locktype = 'advisory' and granted and objsubid = 1
     and database = (select oid from pg_database where datname = current_database())
     and (classid::bigint << 32 | objid::bigint) = hashtextextended('sync ' || ${id}, 0))`;

const key = (place: number) => `hashtextextended($${place}, 0)`;
const TRY = `select case when pg_try_advisory_lock(${key(1)}) then pg_try_advisory_lock(${key(2)}) end as taken`;
const RELEASE = `select pg_advisory_unlock(${key(2)}), pg_advisory_unlock(${key(1)})`;
const RELEASE_FIRST = `select pg_advisory_unlock(${key(1)})`;
const WAIT = `select pg_advisory_lock(${key(1)})`;

const APPLICATION_NAME = 'unified locks';

/**
 * Locks that belong to one database connection, which the first `take` opens. PostgreSQL releases them when the process ends.
 */
export function connectionLocks(store: Store): ConnectionLocks {
  // PostgreSQL grants a lock to the same session twice, so the locks of this process are listed here.
  const held = new Map<string, { lost: boolean }>();
  const inTurn = turns();
  let client: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const made = newClient(store);
    await made.connect();
    made.once('end', () => {
      client = null;
      for (const state of held.values()) state.lost = true;
      held.clear();
    });
    return made;
  }

  function connected(): Promise<pg.Client> {
    client ??= connect().catch((error: unknown) => {
      client = null;
      throw error;
    });
    return client;
  }

  return {
    take: (work, id) =>
      inTurn(async () => {
        const names = namesOf(work, id);
        const [, name] = names;
        if (held.has(name) || !(await tryLock(await connected(), names))) return null;
        const state = { lost: false };
        held.set(name, state);
        return {
          assertHeld() {
            if (state.lost) throw new LockLost(`The lock "${name}" was lost.`);
          },
          release: () =>
            inTurn(async () => {
              if (held.get(name) !== state) return;
              held.delete(name);
              await (await connected()).query(RELEASE, [...names]);
            }),
        };
      }),
    close: () =>
      inTurn(async () => {
        held.clear();
        await (await client)?.end();
      }),
  };
}

async function tryLock(client: pg.Client, names: Names): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean | null }>(TRY, [...names]);
  const taken = rows[0]?.taken;
  // False: a release that no longer uses the earlier name holds the lock. Null: the earlier name itself was not free.
  if (taken === false) await client.query(RELEASE_FIRST, [names[0]]);
  return taken === true;
}

/** Thrown when a worker did not stop working for a connection in time. */
export class ConnectionBusy extends Error {
  override readonly name = 'ConnectionBusy';
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` while no worker has a lock of the connection or can acquire one. Waits up to `waitMs` for each worker that has
 * one. Throws `ConnectionBusy`.
 */
export async function withoutWorkers<T>(
  store: Store,
  { connectionId, waitMs }: { readonly connectionId: string; readonly waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const client = newClient(store);
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
    const names = [...namesOf('writes', connectionId), ...namesOf('sync', connectionId)];
    for (const name of names) await client.query(WAIT, [name]).catch(asBusy);
    return await work();
  } finally {
    // The end of the session releases the locks.
    await client.end();
  }
}

function newClient(store: Store): pg.Client {
  const { databaseUrl: connectionString, onError } = internalsOf(store);
  const client = new pg.Client({ connectionString, application_name: APPLICATION_NAME, keepAlive: true });
  client.on('error', onError);
  return client;
}

function asBusy(error: unknown): never {
  const isBusy = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
  throw isBusy ? new ConnectionBusy('A worker is still working for the connection.', { cause: error }) : error;
}
