import { entities } from '@unified/contract';
import { migrate, openStore } from '@unified/store';
import pg from 'pg';
import { type Bench, percentile, type Result } from './budget.ts';

const INDEX = 'vendors_name';

interface List {
  readonly url: string;
  readonly token: string;
}

/** Latency of lists while an index of their table is built, against the same lists without a build. */
export async function indexBuild(bench: Bench, databaseUrl: string, list: List): Promise<Result> {
  const without = await listsUntil(list, new Promise((resolve) => setTimeout(resolve, bench.seconds * 1000)));
  await dropIndex(databaseUrl);
  const during = await listsUntil(list, build(databaseUrl));
  const figures = {
    'ms at 99 % without': percentile(without, 0.99),
    'ms at 99 % during': percentile(during, 0.99),
    'ms longest without': Math.max(...without),
    'ms longest during': Math.max(...during),
    'seconds of the build': during.reduce((sum, each) => sum + each, 0) / 1000,
  };
  const parts = Object.entries(figures).map(([name, value]) => `${value.toFixed(1)} ${name}`);
  bench.say(`index of 1 M records: ${parts.join(', ')}`);
  return {
    name: 'list at 99 % while an index of 1 M records is built',
    value: figures['ms at 99 % during'],
    unit: 'ms',
    budget: { atMost: 100 },
    figures,
  };
}

/** Milliseconds of each list request, sent one at a time until `end`. */
async function listsUntil({ url, token }: List, end: Promise<unknown>): Promise<number[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const taken: number[] = [];
  let isRunning = true;
  const ended = end.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const began = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} returned ${response.status}.`);
    taken.push(performance.now() - began);
  }
  await ended;
  return taken;
}

/** Drops the index, and the note that makes the next migration skip the search for missing indexes. */
async function dropIndex(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`drop index data.${INDEX}; delete from unified.settings where name = 'schema'`);
  } finally {
    await client.end();
  }
}

/** Builds the index as a new release does. */
async function build(databaseUrl: string): Promise<void> {
  const key = { id: 'bench', bytes: Buffer.alloc(32, 7) };
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
  try {
    await migrate(store);
  } finally {
    await store.close();
  }
}
