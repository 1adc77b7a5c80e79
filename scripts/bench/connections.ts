import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import { openStore } from '@unified/store';
import pg from 'pg';
import { pino } from 'pino';
import { createJobs } from '../../packages/engine/src/jobs/jobs.ts';
import { createSweep } from '../../packages/engine/src/jobs/sweep.ts';
import { type Bench, median, medianRatio, type Part, type Result } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { type ConnectionsFixture, connectionsFixture } from './connections-fixture.ts';
import { generatedSystem } from './generated-system.ts';
import { throughput } from './load.ts';
import { requestPage } from './walks.ts';

const FEW = 100;
const MANY = 10_000;
/** Connections that are due at the same time. */
const DUE = 1_000;
/** Vendors of each connection: a page. */
const VENDORS = 50;
const ROUNDS = 13;
const SWEEPS = 30;
/** Average seconds between two sweeps of a worker. */
const SWEEP_EVERY = 3.5;

/** What an installation with 10,000 connections costs, of which 1,000 are due, against one with 100. */
export const connections: Part = {
  name: 'connections',
  about: 'lists, sweeps and memory with 10,000 connections, of which 1,000 are due, against 100',
  async measure(bench) {
    const [few, many] = [await installation(bench, FEW), await installation(bench, MANY)];
    return [await lists(bench, few, many), ...(await sweeps(bench, few, many)), ...(await memory(bench, many))];
  },
};

interface Installation extends ConnectionsFixture {
  readonly databaseUrl: string;
}

async function installation(bench: Bench, count: number): Promise<Installation> {
  const databaseUrl = await bench.databaseNamed(`bench_connections_${count}`);
  const began = performance.now();
  const fixture = await connectionsFixture(databaseUrl, { count, vendors: VENDORS });
  await markDue(databaseUrl, []);
  bench.say(`${count} connections after ${Math.round((performance.now() - began) / 1000)} s`);
  return { ...fixture, databaseUrl };
}

/** Makes these connections due, and no other. Streams have a state, because a worker reads new ones when it starts. */
async function markDue(databaseUrl: string, ids: readonly string[]): Promise<void> {
  const due = `case when id = any ($1) then now() else now() + interval '1 day' end`;
  await run(databaseUrl, `update unified.connections set "nextSyncAt" = ${due}`, [ids]);
  await run(
    databaseUrl,
    `insert into unified.sync_streams (connection_id, stream, "nextRunAt")
     select id, stream, "nextSyncAt" from unified.connections, unnest($1::text[]) stream
         on conflict (connection_id, stream) do update set "nextRunAt" = excluded."nextRunAt"`,
    [
      generatedSystem(0, 1)
        .platformOf('generated')
        .streams.map(({ name }) => name),
    ],
  );
}

async function run<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Pages of 50 vendors per second, each request for the next connection. */
async function lists(bench: Bench, few: Installation, many: Installation): Promise<Result> {
  const start = ({ databaseUrl }: Installation) =>
    startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '500' });
  // One for each load, so that all of them are idle equally long between two rounds.
  const servers = [await start(few), await start(many), await start(many)] as const;
  const load = (name: string, { url }: Child, tokens: readonly string[]) => ({
    ...{ name, url, tokens, headers: {}, paths: ['/v4/vendors'] },
  });
  try {
    const [fewPages, manyPages, samePages] = await throughput(
      [
        load(`${FEW} connections`, servers[0], few.tokens),
        load(`${MANY} connections`, servers[1], many.tokens),
        load(`${FEW} of ${MANY} connections`, servers[2], many.tokens.slice(0, FEW)),
      ],
      { seconds: bench.seconds, rounds: ROUNDS },
    );
    const figures = {
      [`pages/s, ${FEW} connections`]: Math.round(median(fewPages)),
      [`pages/s, ${MANY} connections`]: Math.round(median(manyPages)),
      [`pages/s, ${FEW} of ${MANY} connections`]: Math.round(median(samePages)),
    };
    bench.say(
      Object.entries(figures)
        .map(([name, value]) => `${value} ${name}`)
        .join('; '),
    );
    return {
      name: `cost of a list with ${MANY} connections against ${FEW}`,
      value: medianRatio(fewPages, manyPages),
      unit: 'times',
      budget: { atMost: 1.1 },
      figures,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The time of a sweep with 1,000 due connections, and its statements. */
async function sweeps(bench: Bench, few: Installation, many: Installation): Promise<Result[]> {
  const idleFew = await sweepIn(few, []);
  const idle = await sweepIn(many, []);
  const due = await sweepIn(many, many.ids.slice(0, DUE));
  const share = (100 * due.ms) / (SWEEP_EVERY * 1000);
  const figures = {
    [`ms, ${FEW} connections`]: idleFew.ms,
    [`ms, ${MANY} connections`]: idle.ms,
    [`ms, ${DUE} of them due`]: due.ms,
    [`transactions, ${FEW} connections`]: idleFew.transactions,
    [`transactions, ${MANY} connections`]: idle.transactions,
  };
  bench.say(
    Object.entries(figures)
      .map(([name, value]) => `${value.toFixed(1)} ${name}`)
      .join('; '),
  );
  const statements = (idle.transactions - idleFew.transactions) / (MANY - FEW);
  return [
    // The sweep and the database work in turn, so its time is the most that both use of a core.
    {
      name: `sweep with ${DUE} of ${MANY} connections due`,
      value: share,
      unit: '% of a core',
      budget: { atMost: 1 },
      figures,
    },
    {
      name: 'statements of a sweep per idle connection',
      value: statements,
      unit: '',
      budget: { atMost: 0.001 },
      figures,
    },
  ];
}

/** Median milliseconds of a sweep while these connections are due and their jobs wait, and its average number of transactions. */
async function sweepIn({ databaseUrl }: Installation, due: readonly string[]) {
  await markDue(databaseUrl, due);
  // Adds the jobs.
  await sweepTimes(databaseUrl, 1);
  const before = await transactions(databaseUrl);
  const taken = await sweepTimes(databaseUrl, SWEEPS);
  return { ms: median(taken), transactions: ((await transactions(databaseUrl)) - before) / SWEEPS };
}

/** Sweeps so often, and returns the milliseconds of each sweep. */
async function sweepTimes(databaseUrl: string, times: number): Promise<number[]> {
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities });
  const jobs = createJobs({ databaseUrl, log: pino({ level: 'warn' }, pino.destination(2)) });
  const sweep = createSweep({ store, jobs, systems: generatedSystem(0, 1), syncs: true, events: true });
  const taken: number[] = [];
  try {
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      await sweep();
      taken.push(performance.now() - began);
    }
    return taken;
  } finally {
    await jobs.close();
    await store.close();
  }
}

/** Transactions that were committed in a database by sessions that have ended. */
async function transactions(databaseUrl: string): Promise<number> {
  const sql = 'select xact_commit::int as count from pg_stat_database where datname = current_database()';
  return (await run<{ count: number }>(databaseUrl, sql))[0]?.count ?? 0;
}

/** Milliseconds after which a connection counts as idle. */
const IDLE_MS = 61_000;

/** Memory of a worker and an API process per connection that was used once. */
async function memory(bench: Bench, many: Installation): Promise<Result[]> {
  const env = { DATABASE_URL: many.databaseUrl, PLACES: '1', OPERATIONS: '500' };
  const [worker, server] = [await startServer('worker.ts', env), await startServer('ours.ts', env)];
  try {
    // It uses up to 3 MB more or less for the database clients that are open at the time: little for so many connections.
    await synchronized(many, DUE);
    const before = await worker.heap();
    await synchronized(many, MANY);
    const ofWorker = ((await worker.heap()) - before) / (MANY - DUE) / 1000;
    await listOnce(server, many.tokens.slice(0, FEW));
    const fresh = await server.heap();
    await listOnce(server, many.tokens.slice(FEW));
    const perConnection = async () => ((await server.heap()) - fresh) / (MANY - FEW) / 1000;
    const used = await perConnection();
    // When it looks tokens up again, the server forgets those that were not used for a minute.
    await pause(IDLE_MS);
    await listOnce(server, many.tokens.slice(0, FEW));
    const ofServer = await perConnection();
    const figures = { 'worker, MB': (await worker.memory()) / 1e6, 'API process, MB': (await server.memory()) / 1e6 };
    bench.say(
      `${ofWorker.toFixed(2)} kB per synchronized connection in a worker of ${Math.round(figures['worker, MB'])} MB, ` +
        `${used.toFixed(2)} kB per connection that was used within a minute, and ${ofServer.toFixed(2)} kB per idle one, in an API process of ${Math.round(figures['API process, MB'])} MB`,
    );
    const budget = { atMost: 1 };
    return [
      { name: 'memory of an idle connection in a worker', value: ofWorker, unit: 'kB', budget, figures },
      { name: 'memory of an idle connection in an API process', value: ofServer, unit: 'kB', budget, figures },
    ];
  } finally {
    await Promise.all([worker.stop(), server.stop()]);
  }
}

/** Has the worker synchronize the first connections; resolves when it has. */
async function synchronized({ databaseUrl, ids }: Installation, count: number): Promise<void> {
  await markDue(databaseUrl, ids.slice(0, count));
  const due = 'select count(*)::int as count from unified.connections where "nextSyncAt" <= now()';
  while ((await run<{ count: number }>(databaseUrl, due))[0]?.count) await pause(500);
}

/** Requests a list with each token. Resolves when the server has stored these requests, which it keeps for a second. */
async function listOnce({ url }: Child, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) await requestPage(url, '/v4/vendors', token);
  await pause(2_500);
}
