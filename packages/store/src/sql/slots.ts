export interface SlotLimits {
  /** Maximum number of functions of one owner that run at a time. */
  readonly size: number;
  /** Longest time to wait for a slot, in milliseconds. */
  readonly longestMs: number;
  /** The error for a function that has waited longer, which is not called. */
  readonly busy: () => Error;
}

interface Waiting {
  /** When the caller is refused, on the clock of `performance`. */
  readonly until: number;
  readonly take: () => void;
  readonly refuse: (error: Error) => void;
}

/** What one owner uses: the number of slots, and the callers that wait for one, in order. */
interface Use {
  slots: number;
  readonly waiting: Set<Waiting>;
  /** Refuses the first waiting caller in time. One timer for all, because most callers wait for less than a millisecond. */
  timer?: NodeJS.Timeout | undefined;
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
    const use: Use = uses.get(owner) ?? { slots: 0, waiting: new Set() };
    uses.set(owner, use);
    if (use.slots >= size) return turnOf(use);
    use.slots += 1;
    return undefined;
  }

  /** The next caller in the queue takes over the slot; the number of slots in use does not change. */
  function leave(owner: string): void {
    const use = uses.get(owner);
    if (!use) return;
    const [next] = use.waiting;
    if (next) {
      use.waiting.delete(next);
      next.take();
    } else use.slots -= 1;
    if (use.slots > 0) return;
    clearTimeout(use.timer);
    uses.delete(owner);
  }

  function turnOf(use: Use): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    use.waiting.add({ until: performance.now() + longestMs, take: resolve, refuse: reject });
    use.timer ??= setTimeout(refuseLate, longestMs, use);
    return promise;
  }

  function refuseLate(use: Use): void {
    const now = performance.now();
    use.timer = undefined;
    for (const caller of use.waiting) {
      // All callers wait equally long, so those behind this one have more time.
      if (caller.until > now) {
        use.timer = setTimeout(refuseLate, caller.until - now, use);
        return;
      }
      use.waiting.delete(caller);
      caller.refuse(busy());
    }
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
