import { setTimeout as pause } from 'node:timers/promises';
import { addRequestCounts, failureLevel, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { createCountedWindows } from './counted-windows.ts';
import { type SharedRateLimiter, WINDOW_SECONDS } from './rate-limits.ts';

/** Milliseconds between two exchanges: requests that others accept in this time are not counted yet. */
const EXCHANGE_MS = 100;
/** Milliseconds until the next exchange after one that failed, on average. */
const RETRY_MS = 1_000;

/**
 * Counts requests in the memory of this process, and adds the counts of all processes up in the database, at most ten times per
 * second. No request waits for the database, and while it cannot be reached, each process counts separately.
 */
export function databaseRateLimiter(store: Store, log: Logger): SharedRateLimiter {
  const windows = createCountedWindows();
  const closing = new AbortController();
  let exchanging: Promise<void> | null = null;

  async function exchangeAll(): Promise<void> {
    while (windows.hasNew() && !closing.signal.aborted) {
      const wait = (await exchange()) ? EXCHANGE_MS : RETRY_MS * (0.5 + Math.random());
      // Rejects only when the limiter is closed.
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    exchanging = null;
  }

  /** Whether it succeeded. */
  async function exchange(): Promise<boolean> {
    const taken = windows.takeNew();
    if (taken.length === 0) return true;
    try {
      windows.learn(await addRequestCounts(store, taken, WINDOW_SECONDS));
      return true;
    } catch (err) {
      windows.giveBack(taken);
      log[failureLevel(err)]({ err }, 'requests are counted per process until the database responds');
      return false;
    }
  }

  return {
    async count(key) {
      const usage = windows.count(key);
      exchanging ??= exchangeAll();
      return usage;
    },
    async close() {
      closing.abort();
      await exchanging;
    },
  };
}
