import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Responds to the messages of `child.ts` with the use of this process. */
export function reportUse(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('message', (message) => {
    if (message === 'collect') collect();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, heap: heapUsed + external, cpuSeconds: (user + system) / 1e6 });
  });
}
