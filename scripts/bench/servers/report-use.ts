import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Answers the questions of `child.ts` about this process. */
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
