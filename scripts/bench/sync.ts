import { setTimeout as pause } from 'node:timers/promises';
import { syncState } from '@unified/store';
import { bareUpsert } from './bare-upsert.ts';
import { type Bench, median, medianRatio, type Part } from './budget.ts';
import { type EngineFixture, engineFixture, LOOK_EVERY } from './engine-fixture.ts';
import { generatedSystem } from './generated-system.ts';

const ROWS = 30_000;
/** The measurement and its baseline alternate, so that other load on the machine affects both. */
const ROUNDS = 5;

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
          budget: { atLeast: 0.4 },
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
 * One full pass; returns its rows per second, from the time at which a worker starts it. Waits for the end of all runs, because
 * none may run during the next measurement: this one still marks records that show outdated labels.
 */
async function pass({ engine, scope, syncsEnd }: EngineFixture, bench: Bench, what: string): Promise<number> {
  const state = () => syncState(scope, 'job');
  await engine.requestSync(scope.connectionId, 'full');
  while (!(await state())?.passId) await pause(5);
  const began = performance.now();
  while ((await state())?.passId) await pause(LOOK_EVERY);
  const rate = ROWS / ((performance.now() - began) / 1000);
  bench.say(`${what}: ${Math.round(rate)} rows/s`);
  await syncsEnd();
  return rate;
}
