import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startHarness } from '../../test/harness.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { prepareWorkerProcess } from '../../test/worker-process.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();

const CHANGES = 2_000;
const RECORDS = 100;
const KILLS = 50;
/** Number of events that the receiver accepts until the next kill; it does not respond to others. */
const PER_KILL = 36;
/** Number of processes that are being started while another one works. */
const PREPARED = 3;

test('workers killed at 50 random times deliver every change, and those of a record in order', {
  timeout: 900_000,
}, async () => {
  const { scope } = await harness.site();
  const receiver = await startWebhookReceiver();
  await register(harness.store, scope, { url: receiver.url });
  const perRecord = CHANGES / RECORDS;
  for (let n = 0; n < perRecord; n += 1)
    await Promise.all(Array.from({ length: RECORDS }, (_, key) => saveVendor(scope, String(key), `Name ${n}`)));

  let admitted = 0;
  receiver.reply = () => {
    admitted -= 1;
    return admitted >= 0 ? 204 : () => {};
  };
  const prepare = () => prepareWorkerProcess(harness);
  const prepared = Array.from({ length: PREPARED }, prepare);
  for (let killed = 0; killed < KILLS; killed += 1) {
    const worker = await (prepared.shift() ?? prepare());
    if (killed + PREPARED < KILLS) prepared.push(prepare());
    admitted = PER_KILL;
    await worker.begin();
    const left = PER_KILL - 1 - Math.floor(Math.random() * (PER_KILL - 1));
    await expect.poll(() => admitted, { interval: 1, timeout: 60_000 }).toBeLessThanOrEqual(left);
    // Long enough for a kill to interrupt any step of a delivery.
    await pause(Math.random() * 20);
    await worker.kill();
  }
  const ids = () => new Set(receiver.received.map(({ id }) => id));
  expect(ids().size).toBeLessThan(CHANGES);
  admitted = Number.POSITIVE_INFINITY;
  await harness.worker({ endpoints: 20 });
  await expect.poll(() => ids().size, { interval: 10, timeout: 120_000 }).toBe(CHANGES);

  const changes = receiver.received.map(({ id, event }) => {
    const { seq, id: record } = event.data.change as { seq: number; id: string };
    return { id, seq, record };
  });
  expect(new Set(changes.map(({ seq }) => seq)).size).toBe(CHANGES);
  expect(new Set(changes.map(({ id, seq }) => `${id} ${seq}`)).size).toBe(CHANGES);
  for (const group of Map.groupBy(changes, ({ record }) => record).values()) {
    const received = group.map(({ seq }) => seq);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  }
});
