import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Store } from '../access/store.ts';
import { withConnection } from '../sql/own-connection.ts';
import { takeSessionLock } from '../sql/session-lock.ts';
import { DECIDING, RUNNING } from './installation-locks.ts';
import { chooseAddress, hasSettings, type PublicAddress, storedAddress, type WantedAddress } from './public-address.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** A process that belongs to an installation for as long as it runs. */
export interface Membership {
  /** The address that all processes of the installation use. */
  readonly address: PublicAddress;
  /** Stores the address, and rewrites the links if it changed; returns their number. Call it once, after `migrate`. */
  settle(store: Store): Promise<number>;
  close(): Promise<void>;
}

export interface JoinOptions {
  readonly databaseUrl: string;
  readonly wanted: WantedAddress;
  /** Called with failures of the database connection, which is reopened automatically. */
  readonly onError: (error: Error) => void;
  /** Called when the address was changed while this process had no connection to the database: its links would be wrong. */
  readonly onMoved: (error: Error) => void;
}

const LONGEST_PAUSE = 10_000;

/**
 * Joins the processes that share a database, and determines their public address. A running process holds an advisory lock,
 * which PostgreSQL releases when the process ends for any reason. Waits while another process determines the address. Throws
 * `AddressConflict` if running processes use an address other than the one set for this process.
 */
export async function joinInstallation({ databaseUrl, wanted, onError, onMoved }: JoinOptions): Promise<Membership> {
  const closing = new AbortController();
  let client = await connect(databaseUrl, onError);
  const address = await decide(client, wanted).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  whenCutOff();

  function whenCutOff(): void {
    client.once('end', () => {
      if (!closing.signal.aborted) rejoin().catch(onError);
    });
  }

  /** The lock ended with the connection: acquires it again, and checks whether the address changed in the meantime. */
  async function rejoin(): Promise<void> {
    for (let wait = 100; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      try {
        const now = await joinAgain();
        if (now !== address.url)
          onMoved(new Error(`The public address of this installation was changed from ${address.url} to ${now}.`));
        return;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  async function joinAgain(): Promise<string> {
    const made = await connect(databaseUrl, onError);
    try {
      await takeSessionLock(made, DECIDING, 'shared');
      await made.query('select pg_advisory_lock_shared($1)', [RUNNING]);
      const stored = await storedAddress(made);
      await made.query('select pg_advisory_unlock_shared($1)', [DECIDING]);
      client = made;
      whenCutOff();
      return stored?.url ?? address.url;
    } catch (error) {
      await made.end();
      throw error;
    }
  }

  return {
    address,
    async settle(store) {
      const rewritten = await rewriteLinks(store, address.isSet);
      await client.query('select pg_advisory_unlock($1)', [DECIDING]);
      return rewritten;
    },
    async close() {
      closing.abort();
      await client.end();
    },
  };
}

/** Prevents processes from joining the installation until the client ends. Returns false if one is running. */
export async function excludeProcesses(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [RUNNING]);
  return rows[0]?.taken === true;
}

/** The address that the processes of an installation use; null before the first start. */
export function publicAddressOf(databaseUrl: string): Promise<PublicAddress | null> {
  return withConnection(databaseUrl, storedAddress);
}

/** Whether a database contains an installation, of this or another release. */
export function hasInstallation(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, hasSettings);
}

async function connect(databaseUrl: string, onError: (error: Error) => void): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: databaseUrl, application_name: 'unified process', keepAlive: true });
  made.on('error', onError);
  await made.connect();
  // A machine that disappears counts as running for at most a minute.
  await made.query('set tcp_keepalives_idle to 30; set tcp_keepalives_interval to 10; set tcp_keepalives_count to 3');
  return made;
}

/** Keeps `DECIDING` locked: others wait until the links are rewritten. */
async function decide(client: pg.Client, wanted: WantedAddress): Promise<PublicAddress> {
  await takeSessionLock(client, DECIDING, 'exclusive');
  const isAlone = await excludeProcesses(client);
  const address = chooseAddress(await storedAddress(client), wanted, isAlone);
  await client.query('select pg_advisory_lock_shared($1)', [RUNNING]);
  if (isAlone) await client.query('select pg_advisory_unlock($1)', [RUNNING]);
  return address;
}
