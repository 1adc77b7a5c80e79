import pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { turns } from '../sql/turns.ts';

/** Named locks of this process. Of all processes on one database, at most one has a lock. */
export interface AdvisoryLocks {
  /** Acquires a lock without waiting; false when any process has it, this one included. */
  tryLock(name: string): Promise<boolean>;
  /** Releases a lock. Does nothing for one that this process does not have. */
  unlock(name: string): Promise<void>;
  /** Calls `handler` with the locks that were lost because their database connection broke: stop that work at once. */
  onLost(handler: (names: readonly string[]) => void): void;
  /** Releases all locks. */
  close(): Promise<void>;
}

/** Key of a lock: 64 bits of the hash of its name. The prefix is part of the protocol between releases. */
const KEY = `hashtextextended('lane ' || $1, 0)`;

const APPLICATION_NAME = 'unified locks';

/** Locks of one database connection of their own: when the process ends, PostgreSQL releases them. */
export function advisoryLocks(store: Store): AdvisoryLocks {
  // PostgreSQL grants a lock to the same session twice, so the locks of this process are listed here.
  const held = new Set<string>();
  const handlers = new Set<(names: readonly string[]) => void>();
  const inTurn = turns();
  let client: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const made = newClient(store);
    await made.connect();
    made.once('end', () => {
      client = null;
      const lost = [...held];
      held.clear();
      if (lost.length > 0) for (const handler of handlers) handler(lost);
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
    tryLock: (name) =>
      inTurn(async () => {
        if (held.has(name)) return false;
        const { rows } = await (await connected()).query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${KEY}) as taken`,
          [name],
        );
        const taken = rows[0]?.taken === true;
        if (taken) held.add(name);
        return taken;
      }),
    unlock: (name) =>
      inTurn(async () => {
        if (held.delete(name)) await (await connected()).query(`select pg_advisory_unlock(${KEY})`, [name]);
      }),
    onLost(handler) {
      handlers.add(handler);
    },
    close: () =>
      inTurn(async () => {
        held.clear();
        await (await client)?.end();
      }),
  };
}

/** Thrown when a worker did not stop working for a connection in time. */
export class ConnectionBusy extends Error {
  override readonly name = 'ConnectionBusy';
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` while no worker has any of these locks or can acquire one. Waits up to `waitMs` for those that do. Throws
 * `ConnectionBusy`.
 */
export async function withoutWorkers<T>(
  store: Store,
  { locks, waitMs }: { readonly locks: readonly string[]; readonly waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const client = newClient(store);
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
    for (const name of locks) await client.query(`select pg_advisory_lock(${KEY})`, [name]).catch(asBusy);
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
