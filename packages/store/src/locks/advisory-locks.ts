import pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { turns } from '../sql/turns.ts';

/** The lanes that this process works on. At most one process of all holds a lane. */
export interface AdvisoryLocks {
  /** Takes the lane of a connection; false when anyone holds it, this process included. */
  tryLock(connectionId: string): Promise<boolean>;
  /** Gives a lane back. A lane that is not held is left alone. */
  unlock(connectionId: string): Promise<void>;
  /** Hears of lanes that were lost because their database connection broke: stop working on them at once. */
  onLost(heard: (connectionIds: readonly string[]) => void): void;
  /** Gives all lanes back. */
  close(): Promise<void>;
}

/** Lock on the text form of the id; 64 bits of hash, in a space of its own. */
const KEY = `hashtextextended('lane ' || $1, 0)`;

/** Locks on lanes, held by one database connection of their own: when the process dies PostgreSQL lets go of them. */
export function advisoryLocks(store: Store): AdvisoryLocks {
  const { databaseUrl, onError } = internalsOf(store);
  // A session may take an advisory lock twice, so what we hold is known here.
  const held = new Set<string>();
  const listeners = new Set<(connectionIds: readonly string[]) => void>();
  const inTurn = turns();
  let client: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ connectionString: databaseUrl, application_name: 'unified lanes', keepAlive: true });
    made.on('error', onError);
    await made.connect();
    made.once('end', () => {
      client = null;
      const lost = [...held];
      held.clear();
      if (lost.length > 0) for (const heard of listeners) heard(lost);
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
    tryLock: (connectionId) =>
      inTurn(async () => {
        if (held.has(connectionId)) return false;
        const { rows } = await (await connected()).query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${KEY}) as taken`,
          [connectionId],
        );
        const taken = rows[0]?.taken === true;
        if (taken) held.add(connectionId);
        return taken;
      }),
    unlock: (connectionId) =>
      inTurn(async () => {
        if (held.delete(connectionId))
          await (await connected()).query(`select pg_advisory_unlock(${KEY})`, [connectionId]);
      }),
    onLost(heard) {
      listeners.add(heard);
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
 * Does `work` while no worker holds any of these lanes, nor can take one. Waits for those that do, `waitMs` at the most.
 * Throws `ConnectionBusy`.
 */
export async function withoutWorkers<T>(
  store: Store,
  { lanes, waitMs }: { readonly lanes: readonly string[]; readonly waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const { databaseUrl, onError } = internalsOf(store);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'unified lanes', keepAlive: true });
  client.on('error', onError);
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
    for (const lane of lanes) await client.query(`select pg_advisory_lock(${KEY})`, [lane]).catch(asBusy);
    return await work();
  } finally {
    // The end of the session gives the locks back.
    await client.end();
  }
}

function asBusy(error: unknown): never {
  const isBusy = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
  throw isBusy ? new ConnectionBusy('A worker still works for the connection.', { cause: error }) : error;
}
