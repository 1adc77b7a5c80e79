import { openWebhookClient } from '@unified/connectors';
import { connectionLocks } from '@unified/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { log, startHarness } from '../../test/harness.ts';
import { withDatabase } from '../../test/job-database.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { createJobs, schema } from '../jobs/jobs.ts';
import { deliverEvents } from './deliver-events.ts';

const { store, databaseUrl, site } = await startHarness();

/** Sets the clock of this process an hour ahead. Each reading is later than the longest turn. */
function setClockAhead(): void {
  let now = Date.now() + 3_600_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 60_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}

test('the work that a turn leaves continues immediately, even if the clock of the process is ahead', async () => {
  const { scope } = await site();
  const { id } = await register(store, scope, { url: 'http://127.0.0.1:1', connectionIds: [scope.connectionId] });
  await saveVendor(scope, '1', 'A');
  const [jobs, locks, client] = [createJobs({ databaseUrl, log }), connectionLocks(store), openWebhookClient()];
  onTestFinished(async () => {
    await Promise.all([jobs.close(), locks.close(), client.close()]);
  });
  setClockAhead();
  await deliverEvents({ store, jobs, locks, client, log, signal: new AbortController().signal }, id);
  await withDatabase(databaseUrl, async (query) => {
    const due = `select from ${schema}.jobs where key = $1 and run_at <= now()`;
    expect(await query(due, [`webhooks:${id}`])).toHaveLength(1);
  });
});
