import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadKey } from '@unified/store';
import { type Part, percentile } from './budget.ts';
import { listFixture } from './list-fixture.ts';
import { copied, type Started, startServerAsUsersDo } from './started.ts';

const READERS = 200;
/** Requests that the rate limit of one application allows in a minute. */
const REQUESTS_PER_MINUTE = 600;
const HEAP_MB = 1024;
const VENDORS = 1_000;
const OTHERS_PAUSE_MS = 200;
/** How long other clients are measured before the slow readers start. */
const CALM_MS = 10_000;
const LARGE_PAGE = '/v4/work-orders?per_page=500';

/** Megabytes of memory, and milliseconds of lists. */
interface Measured {
  readonly memory: number[];
  readonly taken: number[];
}

/**
 * Memory of a server with a heap of 1 GB while clients request large pages without reading them, and the latency of other
 * clients.
 */
export const slowReaders: Part = {
  name: 'slow-readers',
  about: `${READERS} clients that request large pages and do not read them; memory, and latency of other clients`,
  async measure(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-readers-'));
    const databaseUrl = await bench.databaseNamed('bench_readers');
    const env = { DATABASE_URL: databaseUrl };
    const server = await startServerAsUsersDo({ dataDir, env, flags: [`--max-old-space-size=${HEAP_MB}`] });
    try {
      await copied(server);
      const others = (await listFixture(databaseUrl, VENDORS, await loadKey(undefined, dataDir))).token;
      const undisturbed = await listsFor(server, others, CALM_MS);
      bench.say(`without slow readers: ${wordsOf(undisturbed)}`);
      const minutes: Measured[] = [];
      for (let minute = 1; minute <= bench.minutes; minute += 1) {
        const measured = await attackForAMinute(server, others);
        bench.say(`minute ${minute}: ${wordsOf(measured)}`);
        minutes.push(measured);
      }
      return results(minutes, undisturbed);
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function attackForAMinute(server: Started, othersToken: string): Promise<Measured> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => slowReader(server)));
  const measured = await listsFor(server, othersToken, 60_000);
  for (const reader of readers) reader.destroy();
  return measured;
}

/** Lists of another application, requested one at a time for this long. */
async function listsFor(server: Started, token: string, ms: number): Promise<Measured> {
  const until = performance.now() + ms;
  const measured: Measured = { memory: [], taken: [] };
  while (performance.now() < until) {
    measured.taken.push(await listOf(server.url, token));
    measured.memory.push(await server.megabytes());
    await pause(OTHERS_PAUSE_MS);
  }
  return measured;
}

/** A connection that requests its share of large pages at the same time and reads nothing. */
async function slowReader({ url, token }: Started): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server may close the connection.
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  const request = `GET ${LARGE_PAGE} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(REQUESTS_PER_MINUTE / READERS));
  return socket;
}

/** Milliseconds that a list of another application takes. */
async function listOf(url: string, token: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}/v4/vendors`, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A list returned ${response.status} during the attack: ${text}`);
  return performance.now() - began;
}

function results(minutes: readonly Measured[], undisturbed: Measured) {
  const memory = Math.max(...minutes.flatMap((minute) => minute.memory));
  const taken = minutes.flatMap((minute) => minute.taken);
  const figures = {
    'p99 ms without slow readers': Math.round(percentile(undisturbed.taken, 0.99)),
    'p50 ms': Math.round(percentile(taken, 0.5)),
    'p95 ms': Math.round(percentile(taken, 0.95)),
    'p99 ms': Math.round(percentile(taken, 0.99)),
    'longest ms': Math.round(Math.max(...taken)),
    lists: taken.length,
    ...Object.fromEntries(minutes.map((each, index) => [`MB in minute ${index + 1}`, Math.round(most(each.memory))])),
  };
  return [
    {
      name: `memory with ${READERS} clients that do not read`,
      value: memory,
      unit: 'MB',
      budget: { atMost: 400 },
      figures,
    },
    {
      name: 'list of another application during the attack, p99',
      value: percentile(taken, 0.99),
      unit: 'ms',
      budget: { atMost: 300 },
      figures,
    },
  ];
}

function wordsOf({ memory, taken }: Measured): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => Math.round(percentile(taken, share)));
  const latency = `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, longest ${Math.round(most(taken))} ms`;
  return `${Math.round(most(memory))} MB; ${taken.length} lists, ${latency}`;
}

function most(values: readonly number[]): number {
  return Math.max(...values);
}
