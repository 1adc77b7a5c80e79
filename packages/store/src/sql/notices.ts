import { asUnavailable } from './failures.ts';
import type { Listener } from './listener.ts';

/** A notification that a caller waits for. */
export interface Watch {
  /** Resolves with the notification, when it may have been missed, and when the wait ends. Never rejects. */
  readonly noticed: Promise<void>;
  stop(): void;
}

/** How long to wait for a notification. */
export interface WatchLimits {
  readonly ms: number;
  /** Ends the wait earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** Notifications of PostgreSQL for callers that wait for them. The first wait on a channel starts listening to it. */
export interface Notices {
  /**
   * Waits for a notification with this payload. To miss no change, read the data that it concerns after this has resolved and
   * before awaiting `noticed`. Rejects with SERVICE_UNAVAILABLE when the database cannot be reached.
   */
  watch(channel: string, payload: string, limits: WatchLimits): Promise<Watch>;
  /** Ends all waits. */
  close(): void;
}

export function createNotices(listener: Pick<Listener, 'on'>): Notices {
  const waiting = new Map<string, Set<() => void>>();
  const subscriptions = new Map<string, Promise<unknown>>();
  const wakeAll = () => {
    for (const wakes of [...waiting.values()]) for (const wake of [...wakes]) wake();
  };

  function subscribed(channel: string): Promise<unknown> {
    const known = subscriptions.get(channel) ?? listener.on(channel, notify(channel));
    subscriptions.set(channel, known);
    return known.catch((error: unknown) => {
      if (subscriptions.get(channel) === known) subscriptions.delete(channel);
      throw asUnavailable(error);
    });
  }

  const notify = (channel: string) => (payload: string | null) => {
    if (payload === null) wakeAll();
    else for (const wake of [...(waiting.get(keyOf(channel, payload)) ?? [])]) wake();
  };

  return {
    async watch(channel, payload, { ms, signal }) {
      await subscribed(channel);
      const key = keyOf(channel, payload);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      const end = () => resolve();
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      const stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        others.delete(resolve);
        if (others.size === 0 && waiting.get(key) === others) waiting.delete(key);
      };
      return { noticed: promise.finally(stop), stop };
    },
    close: wakeAll,
  };
}

function keyOf(channel: string, payload: string): string {
  return `${channel} ${payload}`;
}
