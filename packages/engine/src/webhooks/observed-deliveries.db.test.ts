import { deliveryBacklogOf } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { startHarness } from '../../test/harness.ts';
import { withDatabase } from '../../test/job-database.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';

// Starts workers, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;

test('operators see the outcome of each attempt, and how long events have been due that no worker sends', async () => {
  const { scope } = await harness.site();
  const receiver = await startWebhookReceiver();
  receiver.reply = () => (response) => response.writeHead(500, { 'Retry-After': '3600' }).end();
  await register(store, scope, { url: receiver.url });
  const outcomes: string[] = [];
  const onAttempt = ({ outcome }: { readonly outcome: string }) => void outcomes.push(outcome);
  const worker = await harness.worker({ endpoints: 5, onAttempt });
  expect(await deliveryBacklogOf(store)).toEqual({ pendingDeliveries: 0, deliveryDelaySeconds: 0 });
  await saveVendor(scope, '1', 'A');
  await saveVendor(scope, '1', 'B');
  await expect.poll(() => outcomes.length, { interval: 5, timeout: 60_000 }).toBe(1);
  await worker.stop();
  // The second event waits for the first, which waits for its next attempt.
  const backlog = await deliveryBacklogOf(store);
  expect(backlog).toEqual({ pendingDeliveries: 2, deliveryDelaySeconds: 0 });

  await passTime(4_000);
  const { deliveryDelaySeconds } = await deliveryBacklogOf(store);
  expect(deliveryDelaySeconds).toBeGreaterThan(60);
  receiver.reply = () => 204;
  await harness.worker({ endpoints: 5, onAttempt });
  await expect.poll(() => outcomes, { interval: 5, timeout: 60_000 }).toEqual(['refused', 'accepted', 'accepted']);
  await expect.poll(async () => (await deliveryBacklogOf(store)).pendingDeliveries, { timeout: 60_000 }).toBe(0);
});

/** Makes the next attempts due as they will be after this number of seconds. */
function passTime(seconds: number): Promise<void> {
  const sql = `update unified.webhook_deliveries set "nextAttemptAt" = "nextAttemptAt" - make_interval(secs => $1)`;
  return withDatabase(harness.databaseUrl, async (query) => void (await query(sql, [seconds])));
}
