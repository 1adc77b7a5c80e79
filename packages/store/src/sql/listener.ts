import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { turns } from './turns.ts';

/**
 * Called with each notification. A `payload` of null means that the database connection was lost for a while, so some
 * notifications may be missing.
 */
export type NotificationHandler = (payload: string | null) => void;

/** One database connection that listens, regardless of the number of channels and listeners. */
export interface Listener {
  /** Listens to a channel; resolves once PostgreSQL has confirmed it. Returns a function that stops listening. */
  on(channel: string, handler: NotificationHandler): Promise<() => void>;
  close(): Promise<void>;
}

const LONGEST_PAUSE = 10_000;

/** Connects when the first channel is requested, and again whenever the connection breaks. */
export function createListener(databaseUrl: string, onError: (error: Error) => void): Listener {
  const channels = new Map<string, Set<NotificationHandler>>();
  const closing = new AbortController();
  const inTurn = turns();
  let current: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'unified listener',
      keepAlive: true,
    });
    client.on('error', onError);
    client.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''));
    await client.connect();
    client.once('end', () => {
      current = null;
      if (!closing.signal.aborted) reconnect().catch(onError);
    });
    for (const channel of channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return client;
  }

  function connected(): Promise<pg.Client> {
    current ??= connect().catch((error: unknown) => {
      current = null;
      throw error;
    });
    return current;
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; !closing.signal.aborted && channels.size > 0; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      try {
        await inTurn(connected);
        for (const channel of channels.keys()) notify(channel, null);
        return;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  function notify(channel: string, payload: string | null): void {
    for (const handler of channels.get(channel) ?? []) handler(payload);
  }

  return {
    async on(channel, handler) {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(handler));
      try {
        await inTurn(async () => (await connected()).query(`listen ${pg.escapeIdentifier(channel)}`));
      } catch (error) {
        listeners.delete(handler);
        throw error;
      }
      return () => listeners.delete(handler);
    },
    async close() {
      closing.abort();
      const client = await current?.catch(() => null);
      await client?.end();
    },
  };
}
