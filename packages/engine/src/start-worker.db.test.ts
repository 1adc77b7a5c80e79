import { makeWorkerUtils } from 'graphile-worker';
import { expect, onTestFinished, test } from 'vitest';
import { startHarness } from '../test/harness.ts';
import { schema } from './jobs/jobs.ts';

const harness = await startHarness();

test('a job that a terminated worker never released is freed at the next check for such jobs', async () => {
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const query = async (sql: string) => (await utils.withPgClient((client) => client.query(sql))).rows;
  const site = await harness.site();
  const writeId = await site.createVendor('Left');
  const leave = `update ${schema}._private_jobs set locked_by = 'ended', locked_at = now() - interval '5 hours' returning id`;
  expect(await query(leave)).toHaveLength(1);

  await harness.worker({ staleJobsEvery: [20, 40] });
  const left = () => query(`select id from ${schema}._private_jobs where locked_by = 'ended'`);
  await expect.poll(left, { interval: 10 }).toEqual([]);
  expect((await site.settled(writeId)).status).toBe('succeeded');
});
