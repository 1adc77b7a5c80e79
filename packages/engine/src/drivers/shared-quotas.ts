import { setTimeout as wait } from 'node:timers/promises';
import { type CallSlots, callSlots, type Store } from '@unified/store';
import { memoryQuotas, type Priority, type QuotaLease, type Quotas } from './quotas.ts';

/** Concurrent calls of all processes to one account of a connected system. */
const CALLS_AT_ONCE = 4;

/** The slots that calls of a priority may use: one is kept for writes, and another one for writes and reads. */
const SLOTS: Readonly<Record<Priority, readonly number[]>> = { write: [0, 1, 2, 3], read: [1, 2, 3], sync: [2, 3] };
/** Milliseconds between two attempts to get a slot, on average: calls of a higher priority try more often. */
const ATTEMPT_EVERY: Readonly<Record<Priority, number>> = { write: 25, read: 50, sync: 200 };

/** Quotas that all processes on a database share. Close them to release their database connection. */
export interface SharedQuotas extends Quotas {
  close(): Promise<void>;
}

/**
 * Quotas in the database of the service: at most four calls at the same time to each account, of all processes together, and
 * pauses that apply to all of them. A process that is killed releases its calls.
 */
export function sharedQuotas(store: Store, slots: CallSlots = callSlots(store)): SharedQuotas {
  // Calls of one priority try one after the other, so that they get slots in their order.
  const attempts = memoryQuotas({ callsAtOnce: 1 });
  return {
    async acquire(account, priority) {
      const turn = await attempts.acquire(`${account} ${priority}`, priority);
      try {
        return await slotFor(slots, account, priority);
      } finally {
        await turn.release();
      }
    },
    pause: (account, pause) => slots.pause(account, pause),
    pausesOf: (accounts) => slots.pausesOf(accounts),
    resume: (account) => slots.resume(account),
    usage: async (account) => ({ callsAtOnce: CALLS_AT_ONCE, inProgress: await slots.taken(account, CALLS_AT_ONCE) }),
    close: () => slots.close(),
  };
}

async function slotFor(slots: CallSlots, account: string, priority: Priority): Promise<QuotaLease> {
  for (;;) {
    const slot = await slots.take(account, SLOTS[priority]);
    if (slot) return slot;
    // Jitter keeps processes from trying in step. A call takes a limited time, so a slot becomes free.
    await wait(ATTEMPT_EVERY[priority] * (0.5 + Math.random()));
  }
}
