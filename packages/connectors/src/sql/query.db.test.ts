import pg from 'pg';
import { expect, test } from 'vitest';
import { testQueries } from '../../test/query-tests.ts';
import { testDatabase } from '../../test/system-database.ts';

const { open, database } = testQueries(
  async () => {
    const { url, stop } = await testDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return {
      url,
      execute: async (statement) => void (await client.query(statement)),
      async stop() {
        await client.end();
        await stop();
      },
    };
  },
  {},
  '3.30',
);

const query = `SELECT 1 AS id, 'ab'::char(4) AS code, timestamp '2026-07-01 10:00' AS local, now() AS changed, 1.5::numeric(9,2) AS price,
  '{}'::jsonb AS extra, ARRAY[1] AS list, 2::small AS domain`;

test('columns have the types of their expressions, including domains', async () => {
  await database().execute('CREATE DOMAIN small AS int CHECK (value < 10)');
  const { driver, stream } = open({ cursor: 'changed', options: { query } });
  const columns = (await driver.discover.columns(stream)) ?? [];
  expect(Object.fromEntries(columns.map(({ name, type, scalar }) => [name, [type, scalar?.type]]))).toEqual({
    ...{ id: ['integer', 'number'], code: ['character(4)', 'string'], price: ['numeric(9,2)', 'number'] },
    ...{ local: ['timestamp without time zone', 'dateTime'], changed: ['timestamp with time zone', 'dateTime'] },
    ...{ extra: ['jsonb', undefined], list: ['integer[]', undefined], domain: ['integer', 'number'] },
  });
});

test('padding is removed, and local times are in the zone of their column', async () => {
  const columns = { local: { timezone: 'America/Los_Angeles' } };
  const { driver, stream } = open({ cursor: 'changed', options: { query, columns } });
  const expected = { code: 'ab', local: '2026-07-01T10:00:00.000-07:00' };
  expect(await driver.read(stream, '1')).toMatchObject(expected);
});
