import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import { syncState } from '@unified/store';
import pg from 'pg';
import { type Bench, median, medianRatio, type Part } from './budget.ts';
import { type EngineFixture, engineFixture } from './engine-fixture.ts';
import { generatedSystem } from './generated-system.ts';

const ROWS = 30_000;
const BATCH = 1000;
/** The measurement and its baseline alternate, so that other load on the machine affects both. */
const ROUNDS = 5;
/** Milliseconds between checks of the state of a pass: more frequent checks would distort the measurement by a tenth. */
const LOOK_EVERY = 25;

/** Rows per second of a sync (map, diff, store, change log) against a bare batched upsert of the same documents. */
export const sync: Part = {
  name: 'sync',
  about: 'sync throughput against a bare upsert of the documents; unchanged rows against changed ones',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_sync');
    const system = generatedSystem(ROWS);
    const fixture = await engineFixture(databaseUrl, system);
    const bareTable = await bareUpsert(databaseUrl, bench);
    try {
      await pass(fixture, bench, 'new');
      await bareTable.fill(fixture.scope.connectionId, 'new');
      const [changed, bare, unchanged]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        system.generation += 1;
        changed.push(await pass(fixture, bench, 'changed'));
        bare.push(await bareTable.fill(fixture.scope.connectionId, 'changed'));
        unchanged.push(await pass(fixture, bench, 'unchanged'));
      }
      const figures = {
        'rows/s': Math.round(median(changed)),
        'bare rows/s': Math.round(median(bare)),
        'unchanged rows/s': Math.round(median(unchanged)),
      };
      return [
        {
          name: 'sync of changed rows against a bare upsert',
          value: medianRatio(changed, bare),
          unit: 'of bare',
          budget: { atLeast: 0.3 },
          figures,
        },
        {
          name: 'unchanged rows against changed ones',
          value: medianRatio(unchanged, changed),
          unit: 'times',
          budget: { atLeast: 10 },
          figures,
        },
      ];
    } finally {
      await bareTable.close();
      await fixture.stop();
    }
  },
};

/**
 * One full pass; returns its rows per second, from the time at which a worker starts it. Waits for the end of the run, which
 * marks records that show outdated labels, because it must not run during the next measurement.
 */
async function pass({ engine, scope }: EngineFixture, bench: Bench, what: string): Promise<number> {
  const state = () => syncState(scope, 'job');
  await engine.requestSync(scope.connectionId, 'full');
  while (!(await state())?.passId) await pause(5);
  const began = performance.now();
  while ((await state())?.passId) await pause(LOOK_EVERY);
  const rate = ROWS / ((performance.now() - began) / 1000);
  bench.say(`${what}: ${Math.round(rate)} rows/s`);
  while ((await state())?.runningSince) await pause(LOOK_EVERY);
  return rate;
}

/** The baseline: inserts the rendered documents into a table with a primary key, in the same batches. */
async function bareUpsert(databaseUrl: string, bench: Bench) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table bare (connection_id uuid, id uuid, doc json, primary key (connection_id, id))');
  return {
    /** Stores all documents of the connection; returns rows per second. */
    async fill(connectionId: string, what: string): Promise<number> {
      const { rows } = await client.query<{ id: string; doc: string }>(
        `select id, doc::text as doc from data."${entities.WorkOrder.table}" where connection_id = $1`,
        [connectionId],
      );
      const began = performance.now();
      for (let from = 0; from < rows.length; from += BATCH) {
        const batch = rows.slice(from, from + BATCH);
        await client.query(
          `insert into bare select $1, * from unnest($2::uuid[], $3::json[])
           on conflict (connection_id, id) do update set doc = excluded.doc`,
          [connectionId, batch.map(({ id }) => id), batch.map(({ doc }) => doc)],
        );
      }
      const rate = rows.length / ((performance.now() - began) / 1000);
      bench.say(`bare upsert, ${what}: ${Math.round(rate)} rows/s`);
      return rate;
    },
    close: () => client.end(),
  };
}
