import { setTimeout as pause } from 'node:timers/promises';
import { issueConnectionToken, syncState } from '@unified/store';
import { bareUpsert } from './bare-upsert.ts';
import type { Bench, Part, Result } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { type EngineFixture, engineFixture } from './engine-fixture.ts';
import { generatedSystem } from './generated-system.ts';
import { type Load, throughput } from './load.ts';
import { multiplyWorkOrders } from './multiply-work-orders.ts';

/** Rows that the service reads itself; the others are copies of them. */
const READ = 10_000;
const ORIGIN = {
  actorType: 'service' as const,
  actor: 'benchmark',
  operation: 'bench',
  requestId: null,
  address: null,
};

/** Records per second of a derivation after a mapping change, lists beside it, and a preview of the change. */
export const derive: Part = {
  name: 'derive',
  about: 'records per second derived again after a mapping change, lists beside it, preview of the change',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_derive');
    const fixture = await engineFixture(databaseUrl, generatedSystem(READ));
    try {
      await firstSync(fixture);
      bench.say(`copying rows until there are ${bench.rows}`);
      await multiplyWorkOrders(databaseUrl, fixture.scope.connectionId, bench.rows / READ);
      return await measured(fixture, bench, databaseUrl);
    } finally {
      await fixture.stop();
    }
  },
};

async function measured(fixture: EngineFixture, bench: Bench, databaseUrl: string): Promise<Result[]> {
  const { store, scope } = fixture;
  await fixture.stopWorker();
  const { token } = await issueConnectionToken(store, { connectionId: scope.connectionId });
  const worker = await startServer('worker.ts', { DATABASE_URL: databaseUrl });
  const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '0' });
  try {
    const rate = (what: string, revision: number) => rateOf(fixture, bench, { what, revision, worker });
    const few = await rate('one record in a hundred changes', await save(fixture, FEW));
    const all = await rate('every record changes', await save(fixture, ALL));
    const bare = await bareRate(databaseUrl, bench, scope.connectionId);
    const lists = await listsBeside(fixture, bench, { url: server.url, token });
    const preview = await previewSeconds(fixture, bench);
    const memory = (await worker.memory()) / 2 ** 20;
    bench.say(`memory of the worker after it: ${memory.toFixed(0)} MB`);
    const figures = {
      ...{ 'records/s, one in 100 changes': few, 'records/s, all change': all },
      ...{ 'bare upserts/s': bare, 'MB of the worker': memory },
    };
    return [
      { name: 'records derived again, 1 % change', value: few, unit: '/s', budget: { atLeast: 20_000 }, figures },
      {
        name: 'records derived again that all change',
        value: all / bare,
        unit: 'of bare upserts',
        budget: { atLeast: 0.3 },
        figures,
      },
      lists,
      preview,
    ];
  } finally {
    await Promise.all([worker.stop(), server.stop()]);
  }
}

/** A change of the mapping of work orders. */
interface Change {
  readonly [field: string]: unknown;
}

const FEW: Change = {
  completionNotes: { lookup: { from: 'minutes', table: { 30: 'Half an hour', 31: 'Half an hour' }, otherwise: null } },
};
const ALL: Change = { completionNotes: { const: 'Derived again' } };
const NONE: Change = {};

const mappings = ({ engine, store, scope }: EngineFixture) =>
  engine.mappingsOf(store.application(scope.applicationId), ORIGIN);

/** Saves a revision of the mapping and returns its number. */
async function save(fixture: EngineFixture, change: Change): Promise<number> {
  const { scope } = fixture;
  const of = mappings(fixture);
  const { fields } = await of.active(scope.connectionId, 'WorkOrder');
  const platform = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'completionNotes'));
  const wanted = { completionNotes: 'done_text', ...change };
  return (await of.save(scope.connectionId, 'WorkOrder', { fields: { ...platform, ...wanted } }, null)).revision;
}

/** Activates a revision and returns the records per second until all are derived. */
async function rateOf(
  fixture: EngineFixture,
  bench: Bench,
  { what, revision, worker }: { readonly what: string; readonly revision: number; readonly worker: Child },
): Promise<number> {
  const [began, cpu] = [performance.now(), await worker.cpuSeconds()];
  await activate(fixture, revision);
  await derived(fixture);
  const rate = bench.rows / ((performance.now() - began) / 1000);
  const each = ((await worker.cpuSeconds()) - cpu) / bench.rows;
  bench.say(`${what}: ${Math.round(rate)} records/s, ${(each * 1e6).toFixed(0)} µs of processor time each`);
  return rate;
}

async function bareRate(databaseUrl: string, bench: Bench, connectionId: string): Promise<number> {
  const table = await bareUpsert(databaseUrl, bench);
  await table.fill(connectionId, 'new');
  const rate = await table.fill(connectionId, 'changed');
  await table.close();
  return rate;
}

async function activate(fixture: EngineFixture, revision: number): Promise<void> {
  await mappings(fixture).activate(fixture.scope.connectionId, 'WorkOrder', revision);
}

async function derived(fixture: EngineFixture): Promise<void> {
  const { derivation } = await mappings(fixture).active(fixture.scope.connectionId, 'WorkOrder');
  if (derivation?.state === 'completed') return;
  await pause(100);
  return derived(fixture);
}

/** Requests per second of a list during a derivation, against those before and after it. */
async function listsBeside(
  fixture: EngineFixture,
  bench: Bench,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<Result> {
  const headers = { Authorization: `Bearer ${token}` };
  const load: Load = { name: 'work orders', url, headers, paths: ['/v4/work-orders?per_page=50'] };
  const round = async () => (await throughput([load], { seconds: bench.seconds, rounds: 1 }))[0][0] ?? Number.NaN;
  const before = await round();
  await activate(fixture, await save(fixture, NONE));
  const during = await round();
  const { derivation } = await mappings(fixture).active(fixture.scope.connectionId, 'WorkOrder');
  if (derivation?.state === 'completed')
    throw new Error('The derivation ended before the lists were measured: use more --rows.');
  await derived(fixture);
  const after = await round();
  const quiet = (before + after) / 2;
  bench.say(`lists: ${before.toFixed(0)} before, ${during.toFixed(0)} during, ${after.toFixed(0)} after`);
  const figures = { 'lists/s before': before, 'lists/s during': during, 'lists/s after': after };
  return {
    name: 'lists while records are derived',
    value: during / quiet,
    unit: 'of quiet',
    budget: { atLeast: 0.7 },
    figures,
  };
}

async function previewSeconds(fixture: EngineFixture, bench: Bench): Promise<Result> {
  const of = mappings(fixture);
  const { fields } = await of.active(fixture.scope.connectionId, 'WorkOrder');
  const memory = process.memoryUsage.rss();
  const began = performance.now();
  const { rows, isComplete } = await of.preview(fixture.scope.connectionId, 'WorkOrder', {
    fields: { ...fields, ...ALL },
    limit: 50,
  });
  const seconds = (performance.now() - began) / 1000;
  const grown = (process.memoryUsage.rss() - memory) / 2 ** 20;
  bench.say(`preview of ${rows} rows: ${seconds.toFixed(1)} s, complete: ${isComplete}, ${grown.toFixed(0)} MB more`);
  return {
    name: 'preview, per 100,000 rows',
    value: (seconds / rows) * 100_000,
    unit: 's',
    budget: { atMost: 10 },
    figures: { seconds, rows, 'MB more': grown },
  };
}

async function firstSync({ engine, scope }: EngineFixture): Promise<void> {
  await engine.requestSync(scope.connectionId, 'full');
  while (!(await syncState(scope, 'job'))?.lastSuccessAt) await pause(100);
}
