import { expect, test } from 'vitest';
import { startHarness } from '../../test/harness.ts';

const harness = await startHarness();

test('a connection whose writes take long gives way to the write of another one', async () => {
  const system = await harness.system();
  const [many, one] = [await harness.site(system), await harness.site(system)];
  const waiting = [];
  for (const name of ['A1', 'A2', 'A3']) waiting.push(await many.createVendor(name));
  const last = await one.createVendor('B1');
  await harness.worker({ concurrency: 1, writeTurnMs: 0 });
  for (const writeId of waiting) await many.settled(writeId);
  await one.settled(last);
  expect(system.log).toEqual(['A1', 'B1', 'A2', 'A3'].map((name) => `create ${name}`));
});
