import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two collections: another thread frees the buffers of objects that were collected. */
const BETWEEN_MS = 200;

/** Responds to the messages of `child.ts` with the use of this process. */
export function reportUse(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('message', async (message) => {
    const heap = message === 'collect' ? await lowest(collect) : heapBytes();
    const { user, system } = process.cpuUsage();
    process.send?.({ rss: process.memoryUsage.rss(), heap, cpuSeconds: (user + system) / 1e6 });
  });
}

/** Bytes that are in use after so many collections that another one frees no more. */
async function lowest(collect: () => void): Promise<number> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    collect();
    await pause(BETWEEN_MS);
    const now = heapBytes();
    if (now >= before) return before;
    before = now;
  }
}

function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
