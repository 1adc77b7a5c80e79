import { expect, test } from 'vitest';
import { logLate } from '../../../store/test/late-changes.ts';
import { log, startHarness } from '../../test/harness.ts';
import { withDatabase } from '../../test/job-database.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { createJobs, schema } from '../jobs/jobs.ts';

const harness = await startHarness();
await harness.worker({ endpoints: 20 });

test('a change that becomes visible after the end of its log is sent, and until then the endpoint does not keep a worker busy', async () => {
  const { scope } = await harness.site();
  const receiver = await startWebhookReceiver();
  const { id } = await register(harness.store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  await saveVendor(scope, '1', 'A');
  await expect.poll(() => receiver.received.length).toBe(1);
  const late = await logLate(harness.databaseUrl, scope.connectionId);
  const jobs = createJobs({ databaseUrl: harness.databaseUrl, log });
  await jobs.addDeliveryJob(id);
  await jobs.close();
  await withDatabase(harness.databaseUrl, async (query) => {
    const isLeft = `select from ${schema}.jobs where key = $1 and locked_at is null and run_at > now()`;
    await expect.poll(async () => (await query(isLeft, [`webhooks:${id}`])).length, { interval: 10 }).toBe(1);
  });
  expect(receiver.received).toHaveLength(1);
  await late.show();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['record.created', 'record.deleted']);
});
