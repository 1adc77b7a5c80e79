/** Looks up one key. */
export type LookUp<Found> = (key: string) => Promise<Found | undefined>;

interface Waiting<Found> {
  readonly key: string;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of keys of a batch. */
const MOST = 500;
/** Maximum number of batches at the same time: more would be smaller. One alone would let a slow one delay all others. */
const AT_ONCE = 2;
/** Milliseconds after which a batch no longer counts: on a lost connection, a statement may take minutes to fail. */
const LONGEST_MS = 1_000;

/**
 * Combines the look-ups of requests that were received together, or while others are looked up: one statement for many keys costs
 * little more than for one. `ask` returns what it finds, by key.
 */
export function inBatches<Found>(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>): LookUp<Found> {
  const waiting: Waiting<Found>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= AT_ONCE || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void run(waiting.splice(0, MOST));
      schedule();
    });
  }
  async function run(batch: readonly Waiting<Found>[]): Promise<void> {
    running += 1;
    const next = once(() => {
      running -= 1;
      schedule();
    });
    const late = setTimeout(next, LONGEST_MS);
    try {
      const found = await ask(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(late);
      next();
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}

/** The same function, which does nothing from its second call on. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
