import { entities } from '@unified/contract';
import { page } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { type Site, startHarness } from '../../test/harness.ts';
import { register } from '../../test/webhook-changes.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { engine, store } = harness;

async function status({ scope }: Site) {
  const [stream] = await engine.syncStatus(scope);
  return stream;
}

/** A worker that synchronizes one connection at a time, whose turn ends with the next page. */
const impatient = () => harness.worker({ syncs: 1, turnMs: 0, endpoints: 10 });

test('a long run lets other connections go first, and continues at its next page as the same run', async () => {
  const [long, short] = [await harness.site(), await harness.site()];
  const patient = await harness.worker({ syncs: 2 });
  await long.sync('full');
  await patient.stop();
  const receiver = await startWebhookReceiver();
  const connectionIds = [long, short].map(({ connectionId }) => connectionId);
  await register(store, long.scope, { url: receiver.url, events: ['sync.completed'], connectionIds });
  for (let n = 0; n < 2_000; n += 1) long.system.put({ kind: 'vendor', name: `V${n}` });
  short.system.put({ kind: 'vendor', name: 'Only' });

  long.system.admitPages(10);
  await engine.requestSync(long.connectionId, 'full');
  await engine.requestSync(short.connectionId, 'full');
  const began = new Date().toISOString();
  await impatient();
  await expect
    .poll(() => status(short))
    .toMatchObject({ rowsSeen: 1, runningSince: null, lastSuccessAt: expect.any(String) });
  const between = await status(long);
  expect(between?.rowsSeen).toBeLessThanOrEqual(1_000);
  expect(between?.mode).toBe('full');

  long.system.admitPages(1_000);
  await expect.poll(() => receiver.received.length).toBe(2);
  const [ofShort, ofLong] = receiver.received.map(({ event }) => event.data);
  // Both runs ended in a later turn than that of their first page.
  expect([ofShort, ofLong]).toEqual([
    expect.objectContaining({ connectionId: short.connectionId, mode: 'full' }),
    expect.objectContaining({ connectionId: long.connectionId, mode: 'full' }),
  ]);
  expect(String(ofLong?.startedAt) > began).toBe(true);
  expect(String(ofLong?.startedAt) < String(ofShort?.finishedAt)).toBe(true);
  expect(await status(long)).toMatchObject({ rowsSeen: 2_000, error: null, runningSince: null });
  const { docs } = await page(long.scope, entities.Vendor, { conditions: [], sort: [], limit: 500, offset: 1_800 });
  expect(docs).toHaveLength(200);
});
