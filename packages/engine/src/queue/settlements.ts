import { onSettled, type Store } from '@unified/store';

/** Hears which writes were settled, for those who wait for one. */
export interface Settlements {
  /**
   * Resolves when the write may have been settled, at the latest after `ms`. Begin to wait before looking at the write:
   * what happens in between is not missed.
   */
  wait(writeId: string, ms: number): Promise<{ settled: Promise<void>; stop(): void }>;
  close(): Promise<void>;
}

/** One subscription for the whole process, made when the first waits. */
export function createSettlements(store: Store): Settlements {
  const waiting = new Map<string, Set<() => void>>();
  let subscription: Promise<() => void> | undefined;

  const notify = (writeId: string | null) => {
    // Null: some may have been missed, so everybody looks again.
    const wakes =
      writeId === null ? [...waiting.values()].flatMap((each) => [...each]) : [...(waiting.get(writeId) ?? [])];
    for (const wake of wakes) wake();
  };

  const subscribe = () => {
    subscription ??= onSettled(store, notify).catch((error: unknown) => {
      subscription = undefined;
      throw error;
    });
    return subscription;
  };

  return {
    async wait(writeId, ms) {
      await subscribe();
      const { promise, resolve } = Promise.withResolvers<void>();
      const others = waiting.get(writeId) ?? new Set();
      waiting.set(writeId, others.add(resolve));
      const timer = setTimeout(resolve, ms);
      const stop = () => {
        clearTimeout(timer);
        others.delete(resolve);
        if (others.size === 0 && waiting.get(writeId) === others) waiting.delete(writeId);
      };
      return { settled: promise.finally(stop), stop };
    },
    async close() {
      (await subscription?.catch(() => undefined))?.();
      notify(null);
    },
  };
}
