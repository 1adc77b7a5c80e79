import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from './budget.ts';
import { median, percentile } from './budget.ts';
import { engineFixture } from './engine-fixture.ts';
import { generatedSystem } from './generated-system.ts';

const WRITES = 300;

/** Milliseconds from the acceptance of a write to its settlement, with a connected system that responds immediately. */
export const writes: Part = {
  name: 'writes',
  about: 'write accepted to settled, beyond the time of the connected system',
  async measure(bench) {
    const fixture = await engineFixture(await bench.databaseNamed('bench_writes'), generatedSystem(10));
    const { engine, scope } = fixture;
    try {
      const taken: number[] = [];
      for (let number = 0; number < WRITES + 20; number += 1) {
        const input = { name: `Job ${number}`, description: 'Measured' };
        const began = performance.now();
        const { writeId } = await engine.submitWrite(scope, {
          operation: 'createWorkOrder',
          entity: 'WorkOrder',
          op: 'create',
          input,
        });
        const write = await engine.waitForWrite(scope, writeId, 10_000);
        if (write.status !== 'succeeded') throw new Error(`A write ended as ${write.status}: ${write.error?.message}`);
        if (number >= 20) taken.push(performance.now() - began);
        await pause(number % 7);
      }
      const [p50, p99] = [median(taken), percentile(taken, 0.99)];
      bench.say(`accepted to settled: ${p50.toFixed(1)} ms at the median, ${p99.toFixed(1)} ms at 99 %`);
      const figures = { 'p50 ms': p50, 'p99 ms': p99 };
      return [
        { name: 'write accepted to settled, median', value: p50, unit: 'ms', budget: { atMost: 20 }, figures },
        { name: 'write accepted to settled, 99 %', value: p99, unit: 'ms', budget: { atMost: 100 }, figures },
      ];
    } finally {
      await fixture.stop();
    }
  },
};
