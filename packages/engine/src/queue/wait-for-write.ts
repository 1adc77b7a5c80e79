import { ServiceError } from '@unified/contract';
import { onSettled, type Scope, type Store, type StoredWrite, writeById } from '@unified/store';

/** Reads the write at least this often, in case a notification was lost. */
const LOOK_EVERY_MS = 2_000;

/**
 * The record of a queued write once it is settled, or as it is after `milliseconds` (0: as it is now). Throws
 * SERVICE_CONNECTION_INACTIVE when the connection, and the write with it, is removed in the meantime.
 */
export async function waitForWrite(
  settlements: Settlements,
  scope: Scope,
  writeId: string,
  milliseconds: number,
): Promise<StoredWrite> {
  const until = Date.now() + milliseconds;
  for (;;) {
    const left = until - Date.now();
    if (left <= 0) return queuedWrite(scope, writeId);
    const waiting = await settlements.wait(writeId, Math.min(left, LOOK_EVERY_MS));
    try {
      const write = await queuedWrite(scope, writeId);
      if (write.finishedAt !== null) return write;
      await waiting.settled;
    } finally {
      waiting.stop();
    }
  }
}

/** Only the removal of a connection deletes writes. */
async function queuedWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await writeById(scope, writeId);
  if (write) return write;
  const message = 'The connection was removed before the write ended. Whether it was sent to the system is not known.';
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', message);
}

/** Notifications of settled writes, for requests that wait for one. */
export interface Settlements {
  /**
   * Resolves when the write may have been settled, after `ms` at the latest. Call it before reading the write, so that no
   * notification is missed.
   */
  wait(writeId: string, ms: number): Promise<{ settled: Promise<void>; stop(): void }>;
  close(): Promise<void>;
}

/** One subscription for the whole process, started by the first wait. */
export function createSettlements(store: Store): Settlements {
  const waiting = new Map<string, Set<() => void>>();
  let subscription: Promise<() => void> | undefined;

  const notify = (writeId: string | null) => {
    // Null: notifications may have been missed, so every waiting request reads its write again.
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
