import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { openJobPool } from './job-pool.ts';

const { url } = await testDatabase();

test('commits of a runner do not wait for the disk, by a setting that is made after connecting', async () => {
  const pool = openJobPool(url, { size: 1, onError: (error) => expect.fail(error.message) });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query(`select setting, source from pg_settings where name = 'synchronous_commit'`);
  expect(rows).toEqual([{ setting: 'off', source: 'session' }]);
});
