import { setTimeout as pause } from 'node:timers/promises';
import { identityOf } from './postmaster.ts';
import type { Running } from './running-server.ts';

/** Milliseconds between checks of the process of the server. */
const LOOK_EVERY = 500;

/** Milliseconds between attempts to restart it. */
const SHORTEST = 500;
const LONGEST = 15_000;

/** A server that is restarted whenever it ends. */
export interface Watched {
  /** The current or last running server. */
  current(): Running;
  /** Stops watching; resolves when no start is in progress. */
  release(): Promise<void>;
}

/**
 * Watches a server. When its process has ended, `bringUp` is called until it returns the running server, with exponential
 * backoff and jitter. Another process may start the server first, since each of its users watches it.
 */
export function watchServer(first: Running, bringUp: () => Promise<Running>, log: (line: string) => void): Watched {
  const released = new AbortController();
  const { signal } = released;
  let current = first;
  let restarting: Promise<void> | null = null;

  async function restart(): Promise<void> {
    log('PostgreSQL has ended: restarting it');
    let reported = '';
    for (let wait = SHORTEST; !signal.aborted; wait = Math.min(wait * 2, LONGEST)) {
      try {
        current = await bringUp();
        log('PostgreSQL is running again');
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // The lines after the first are the end of the server's log, which contain the time of the attempt.
        const [cause = ''] = message.split('\n');
        if (cause !== reported) log(`PostgreSQL cannot be restarted yet. ${message}`);
        reported = cause;
        // The wait rejects only when it is aborted.
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  const timer = setInterval(() => {
    if (restarting !== null || identityOf(current.pid) === current.identity) return;
    restarting = restart().finally(() => {
      restarting = null;
    });
  }, LOOK_EVERY).unref();
  return {
    current: () => current,
    async release() {
      clearInterval(timer);
      released.abort();
      await restarting;
    },
  };
}
