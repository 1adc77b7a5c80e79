/** Runs functions for owners, each owner's share at a time. */
export type Slots = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * At most `size` functions of an owner run at a time; the others wait in order, each for at most `longestMs`, so that an owner whose
 * functions hang occupies no more than its share. A function that waits longer is not called, and an error with `message` is thrown.
 */
export function slots({ size, longestMs, message }: { size: number; longestMs: number; message: string }): Slots {
  const owners = new Map<string, { running: number; readonly waiting: Set<() => void> }>();

  async function enter(owner: string): Promise<void> {
    const own = owners.get(owner) ?? { running: 0, waiting: new Set() };
    owners.set(owner, own);
    if (own.running < size) {
      own.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        own.waiting.delete(begin);
        reject(new Error(message));
      }, longestMs);
      own.waiting.add(begin);
    });
  }

  function leave(owner: string): void {
    const own = owners.get(owner);
    if (!own) return;
    const [next] = own.waiting;
    if (next) {
      own.waiting.delete(next);
      next();
      return;
    }
    own.running -= 1;
    if (own.running === 0) owners.delete(owner);
  }

  return async (owner, work) => {
    await enter(owner);
    try {
      return await work();
    } finally {
      leave(owner);
    }
  };
}
