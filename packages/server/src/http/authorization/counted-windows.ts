import type { NewRequests, RequestCount } from '@unified/store';
import { LRUCache } from 'lru-cache';
import { type Usage, usageOf, WINDOW_SECONDS } from './rate-limits.ts';

/** Keys that are remembered: made-up addresses must not fill the memory. */
const MOST_KEYS = 100_000;

interface Window {
  /** Requests of all processes, as far as this one knows. */
  used: number;
  /** Those of them that the others do not know yet. */
  unsent: number;
  /** By the clock of `performance.now`. */
  endsAt: number;
}

/** The requests in the current window of each key, as far as this process knows. */
export interface CountedWindows {
  /** Counts a request of this process. */
  count(key: string): Usage;
  /** Whether requests have been counted that others do not know. */
  hasNew(): boolean;
  /** Returns these requests, which count as known from then on. */
  takeNew(): NewRequests[];
  /** Counts requests as unknown again. */
  giveBack(requests: readonly NewRequests[]): void;
  /** Replaces what is known by the requests of all processes. */
  learn(counts: readonly RequestCount[]): void;
}

export function createCountedWindows(now = () => performance.now()): CountedWindows {
  // With `max`, the cache would allocate memory for all keys at the start.
  const windows = new LRUCache<string, Window>({ maxSize: MOST_KEYS, sizeCalculation: () => 1 });
  const changed = new Set<string>();
  const current = (key: string) => {
    const known = windows.get(key);
    return known && known.endsAt > now() ? known : undefined;
  };
  return {
    count(key) {
      const window = current(key) ?? { used: 0, unsent: 0, endsAt: now() + WINDOW_SECONDS * 1000 };
      window.used += 1;
      window.unsent += 1;
      windows.set(key, window);
      changed.add(key);
      return usageOf({ consumedPoints: window.used, msBeforeNext: window.endsAt - now() });
    },
    hasNew: () => changed.size > 0,
    takeNew() {
      const taken = [...changed].flatMap((key) => {
        const window = current(key);
        if (!window) return [];
        const requests = window.unsent;
        window.unsent = 0;
        return [{ key, requests }];
      });
      changed.clear();
      return taken;
    },
    giveBack(given) {
      for (const { key, requests } of given) {
        const window = current(key);
        if (!window) continue;
        window.unsent += requests;
        changed.add(key);
      }
    },
    learn(counts) {
      for (const { key, requests, ms } of counts) {
        const { unsent = 0 } = current(key) ?? {};
        windows.set(key, { used: requests + unsent, unsent, endsAt: now() + ms });
      }
    },
  };
}
