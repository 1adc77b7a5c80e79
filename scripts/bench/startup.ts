import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '@unified/contract';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import type { Part } from './budget.ts';
import { copied, type Started, startServerAsUsersDo } from './started.ts';

/** Number of operations of each kind whose first request is measured. */
const SAMPLE = 40;

/** Seconds until the server is ready with an existing database, latency of the first requests, and memory. */
export const startup: Part = {
  name: 'startup',
  about: 'process ready from start with an existing database; first hits, and memory after them',
  async measure(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      const port = await freePort();
      const first = await startServerAsUsersDo({ dataDir, port });
      await copied(first);
      await first.stop();
      const server = await startServerAsUsersDo({ dataDir, port });
      const coldMs = (await server.ask('GET', '/vendors')).ms;
      const slowest = (await firstHits(server)).reduce((most, hit) => (hit.ms > most.ms ? hit : most));
      const megabytes = await settledMemory(server);
      await server.stop();
      const { seconds } = server;
      bench.say(
        `ready after ${seconds.toFixed(2)} s, ${Math.round(megabytes)} MB after all requests; first request ${Math.round(coldMs)} ms, ` +
          `slowest first hit of ${SAMPLE * 2} operations ${Math.round(slowest.ms)} ms (${slowest.id})`,
      );
      const figures = {
        'ready s': seconds,
        'memory MB': megabytes,
        'first request ms': coldMs,
        'first hit ms': slowest.ms,
      };
      return [
        { name: 'ready with an existing database', value: seconds, unit: 's', budget: { atMost: 2 }, figures },
        { name: 'first request, sent when ready', value: coldMs, unit: 'ms', budget: { atMost: 500 }, figures },
        {
          name: 'slowest first request to an operation',
          value: slowest.ms,
          unit: 'ms',
          budget: { atMost: 100 },
          figures,
        },
        { name: 'memory after first hits', value: megabytes, unit: 'MB', budget: { atMost: 250 }, figures },
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Milliseconds of requests to operations that have not been called yet: lists, and creates with a body that is refused. */
async function firstHits(server: Started): Promise<{ id: string; ms: number }[]> {
  const taken: { id: string; ms: number }[] = [];
  for (const [kind, method, status] of [['list', 'GET', 200] as const, ['create', 'POST', 400] as const]) {
    const untouched = operations.filter((operation) => operation.kind === kind && operation.path !== '/vendors');
    for (const { id, path } of untouched.filter(({ path }) => !path.includes('{')).slice(0, SAMPLE)) {
      const answer = await server.ask(method, path);
      if (answer.status !== status) throw new Error(`${id} returned ${answer.status}: ${answer.text}`);
      taken.push({ id, ms: answer.ms });
    }
  }
  return taken;
}

/** Resident memory once it has not grown for a second. */
async function settledMemory(server: Started): Promise<number> {
  let last = 0;
  for (let still = 0; still < 4; still += 1) {
    await pause(250);
    const now = await server.megabytes();
    if (now > last + 1) still = 0;
    last = Math.max(last, now);
  }
  return last;
}
