import { SystemError } from '@unified/connectors';

/** Who goes first when calls of one connection compete. */
export type Priority = 'write' | 'read' | 'sync';

const order: readonly Priority[] = ['write', 'read', 'sync'];

/** Shares the patience of one connected system among everything that calls it from this process. */
export interface Broker {
  /**
   * Runs `call` when it is its turn. While the system has asked for a pause, throws `SystemError` of kind
   * `throttled` or `unavailable`, as it asked, with the seconds that are left, without calling it.
   */
  run<T>(priority: Priority, call: () => Promise<T>): Promise<T>;
  /** Seconds until the system wants to be called again; 0: now. */
  pausedFor(): number;
}

/** A broker that lets at most `limit` calls run at once. */
export function createBroker(limit: number, now: () => number = Date.now): Broker {
  const waiting = new Map<Priority, (() => void)[]>(order.map((priority) => [priority, []]));
  let running = 0;
  let pausedUntil = 0;
  let asked: 'unavailable' | 'throttled' = 'unavailable';

  const pausedFor = () => Math.max(0, Math.ceil((pausedUntil - now()) / 1000));
  const enter = (priority: Priority) => {
    if (running < limit) {
      running += 1;
      return undefined;
    }
    return new Promise<void>((resolve) => waiting.get(priority)?.push(resolve));
  };
  // The place is handed over, so that nobody can slip in between.
  const leave = () => {
    const first = order.map((priority) => waiting.get(priority) ?? []).find((queue) => queue.length > 0);
    if (first) first.shift()?.();
    else running -= 1;
  };

  return {
    pausedFor,
    async run(priority, call) {
      await enter(priority);
      try {
        const seconds = pausedFor();
        if (seconds > 0) throw new SystemError(asked, 'The system asked for a pause.', { retryAfter: seconds });
        return await call();
      } catch (error) {
        if (error instanceof SystemError && error.retryAfter !== undefined) {
          pausedUntil = Math.max(pausedUntil, now() + error.retryAfter * 1000);
          asked = error.kind === 'throttled' ? 'throttled' : 'unavailable';
        }
        throw error;
      } finally {
        leave();
      }
    },
  };
}
