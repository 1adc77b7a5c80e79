import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, median, medianRatio, type Part, type Result } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { type Load, throughput } from './load.ts';
import { multiplyVendors } from './multiply-vendors.ts';
import { differentAddresses, oneAddress, requestPage, type Walk } from './walks.ts';

/** Records of the connection that is measured. */
const SMALL = 10_000;
/** Records of the neighbor that are saved with the usual functions, and then copied. */
const ORIGINALS = 1_000;
const ROUNDS = 9;
/** Bytes of disk that a record needs while it is copied, including its indexes and the log of the database. */
const BYTES = 3_000;

/** Reads of a connection with few records whose tables also contain one with many, against a neighbor with few. */
export const neighbor: Part = {
  name: 'neighbor',
  about: 'reads of a connection with 10 k records next to one with 10 M in the same tables, against one with 10 k',
  isOnRequest: true,
  async measure(bench) {
    await checkDisk(bench);
    const [few, many] = [await house(bench, 'few', SMALL), await house(bench, 'many', bench.records)];
    try {
      const results: Result[] = [];
      for (const name of Object.keys(few.walks)) results.push(await compare(bench, { few, many }, name, 'idle'));
      for (const work of WORK) results.push(await compare(bench, { few, many }, oneAddress.name, work));
      return results;
    } finally {
      await Promise.all([few.server.stop(), many.server.stop()]);
    }
  },
};

/** Two connections in one database, and the server that serves them. */
interface House {
  readonly databaseUrl: string;
  readonly server: Child;
  readonly token: string;
  /** Requests of the small connection, by name. */
  readonly walks: Readonly<Record<string, Walk>>;
  readonly neighbor: { readonly connectionId: string; readonly token: string; readonly copies: number };
}

async function checkDisk({ dataDir, records }: Bench): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const [free, needed] = [bavail * bsize, records * BYTES];
  if (free < needed) {
    const gigabytes = (bytes: number) => `${Math.ceil(bytes / 1e9)} GB`;
    throw new Error(`${dataDir} has ${gigabytes(free)} free; ${records} records need ${gigabytes(needed)}.`);
  }
}

async function house(bench: Bench, name: string, records: number): Promise<House> {
  const databaseUrl = await bench.databaseNamed(`bench_neighbor_${name}`);
  const { token } = await listFixture(databaseUrl, SMALL);
  const neighbor = await listFixture(databaseUrl, ORIGINALS);
  const copies = records / ORIGINALS;
  const began = performance.now();
  await multiplyVendors(databaseUrl, neighbor.connectionId, copies, (made) => {
    const seconds = Math.round((performance.now() - began) / 1000);
    if (made % 1_000 === 0) bench.say(`${made * ORIGINALS} of ${records} records after ${seconds} s`);
  });
  const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '500' });
  const walks = await walksOf(server.url, token);
  return { databaseUrl, server, token, walks, neighbor: { ...neighbor, copies } };
}

/** One page repeatedly, every page by its cursor, lists with different filters, and single records. */
async function walksOf(url: string, token: string): Promise<Record<string, Walk>> {
  const different = await differentAddresses(url, token);
  const { data } = await requestPage(url, `${oneAddress.paths[0]}?per_page=200`, token);
  const records = data as { id: string; code: string }[];
  const walk = (name: string, pathOf: (record: { id: string; code: string }) => string): Walk => ({
    name,
    paths: records.map((record) => `${oneAddress.paths[0]}${pathOf(record)}`),
  });
  const walks = [
    ...[oneAddress, ...different],
    walk('filter by code', ({ code }) => `?filter[code]=${encodeURIComponent(code)}`),
    walk('gets', ({ id }) => `/${id}`),
  ];
  return Object.fromEntries(walks.map((each) => [each.name, each]));
}

const WORK = ['listed', 'counted', 'changed'] as const;
type Work = (typeof WORK)[number];

/** Requests per second to the small connection, in each house, while its neighbor is idle or used. */
async function compare(
  bench: Bench,
  houses: { readonly few: House; readonly many: House },
  name: string,
  work: Work | 'idle',
): Promise<Result> {
  const loadOf = ({ server, token, walks, ...house }: House): Load => ({
    ...{ name, url: server.url, paths: walks[name]?.paths ?? [], headers: { Authorization: `Bearer ${token}` } },
    ...(work !== 'idle' && { meanwhile: () => useOf(work, { server, ...house }) }),
  });
  const [few, many] = await throughput([loadOf(houses.few), loadOf(houses.many)], {
    seconds: bench.seconds,
    rounds: ROUNDS,
  });
  const figures = { [`/s at ${SMALL}`]: Math.round(median(few)), [`/s at ${bench.records}`]: Math.round(median(many)) };
  const ratio = medianRatio(many, few);
  const what = work === 'idle' ? name : `${name}, neighbor is ${work}`;
  const parts = Object.entries(figures).map(([figure, value]) => `${value} ${figure}`);
  bench.say(`${what}: ${parts.join(', ')}, ratio ${ratio.toFixed(2)}`);
  return {
    name: `next to ${bench.records} records: ${what}`,
    value: ratio,
    unit: 'of few',
    budget: { atLeast: 0.9 },
    figures,
  };
}

/** Begins to use the neighbor of a house, one request after another. Returns a function that ends it. */
async function useOf(work: Work, house: Pick<House, 'databaseUrl' | 'server' | 'neighbor'>) {
  if (work === 'changed') return changing(house);
  const { server, neighbor } = house;
  const pages = work === 'counted' ? ['?with_total=true&per_page=1'] : undefined;
  let isWanted = true;
  const using = (async () => {
    for (let path = pages?.[0] ?? '?per_page=200'; isWanted; ) {
      const { text } = await requestPage(server.url, `${oneAddress.paths[0]}${path}`, neighbor.token);
      const { meta } = JSON.parse(text) as { meta: { next_cursor: string | null } };
      if (!pages) path = meta.next_cursor === null ? '?per_page=200' : `?per_page=200&cursor=${meta.next_cursor}`;
    }
  })();
  return async () => {
    isWanted = false;
    await using;
  };
}

/** Changes records of the neighbor in a process of its own, as a sync stores them. */
async function changing({ databaseUrl, neighbor: { connectionId, copies } }: Pick<House, 'databaseUrl' | 'neighbor'>) {
  const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, COPIES: String(copies) };
  const child = await startServer('changes.ts', env);
  // The process compiles its first statements.
  await pause(500);
  return () => child.stop();
}
