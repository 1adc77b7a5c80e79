import { expect, test } from 'vitest';
import { fastRetries } from '../../test/fast-retries.ts';
import { startHarness } from '../../test/harness.ts';

const harness = await startHarness();
await harness.worker({ policies: { ...fastRetries, look: { ...fastRetries.look, attempts: 10_000 } } });

test('a create whose row another user deletes immediately has succeeded, and does not hold up the queue', async () => {
  const { system, createVendor, settled } = await harness.site();
  system.onCreate = (row) => {
    if (row.name === 'Short-lived') queueMicrotask(() => system.rows.clear());
    return row;
  };
  const gone = await createVendor('Short-lived');
  const next = await createVendor('Next');
  const write = await settled(gone);
  expect(write).toMatchObject({ status: 'succeeded', targetId: null, error: null, leftovers: [] });
  expect(await settled(next)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create Short-lived', 'create Next']);
});
