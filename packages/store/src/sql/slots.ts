export interface SlotLimits {
  /** Maximum number of functions of one owner that run at a time. */
  readonly size: number;
  /** Longest time to wait for a slot, in milliseconds. */
  readonly longestMs: number;
  /** The error for a function that has waited longer, which is not called. */
  readonly busy: () => Error;
}

/** What one owner uses: the number of slots, and the callers that wait for one, in order. */
interface Use {
  slots: number;
  readonly waiting: Set<() => void>;
}

/** Runs a function in a slot of its owner. */
export type InSlot = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Divides something scarce, such as database connections, among owners, such as applications. An owner that uses all of its slots
 * waits until it has released one, so that the others stay available to other owners.
 */
export function slots({ size, longestMs, busy }: SlotLimits): InSlot {
  const uses = new Map<string, Use>();

  function enter(owner: string): Promise<void> | undefined {
    const use = uses.get(owner) ?? { slots: 0, waiting: new Set() };
    uses.set(owner, use);
    if (use.slots >= size) return turnOf(use.waiting, longestMs, busy);
    use.slots += 1;
    return undefined;
  }

  /** The next caller in the queue takes over the slot; the number of slots in use does not change. */
  function leave(owner: string): void {
    const use = uses.get(owner);
    if (!use) return;
    const [next] = use.waiting;
    if (next) next();
    else use.slots -= 1;
    if (use.slots === 0) uses.delete(owner);
  }

  return async (owner, work) => {
    const waiting = enter(owner);
    if (waiting) await waiting;
    try {
      return await work();
    } finally {
      leave(owner);
    }
  };
}

function turnOf(waiting: Set<() => void>, longestMs: number, busy: () => Error): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = () => {
    clearTimeout(timer);
    waiting.delete(take);
    resolve();
  };
  const timer = setTimeout(() => {
    waiting.delete(take);
    reject(busy());
  }, longestMs);
  waiting.add(take);
  return promise;
}
