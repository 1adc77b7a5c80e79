import { expect, test } from 'vitest';
import { testQueries } from '../../../test/query-tests.ts';
import { executeIn, startMariaDb } from '../../../test/running-mariadb.ts';

const { open, database } = testQueries(
  async () => {
    const { url, stop } = await startMariaDb();
    return { url, stop, execute: (statement) => executeIn(url, `SET sql_mode = 'ANSI_QUOTES'; ${statement}`) };
  },
  { dialect: 'mysql' },
  '3.30',
);

test('columns have the types of tables with such columns', async () => {
  const columns = {
    ...{ id: 'int(11)', tiny: 'tinyint(4)', large: 'bigint(20) unsigned', price: 'decimal(9,2)' },
    ...{ ratio: 'double', whole: 'decimal(5,0) unsigned', code: 'varchar(7)', notes: 'longtext', day: 'date' },
    ...{ at: 'datetime(6)', stamp: 'timestamp', bytes: 'varbinary(4)', year: 'year(4)', kind: "enum('a','b')" },
  };
  const named = Object.entries(columns).map(([name, type]) => `${name} ${type} NOT NULL`);
  await database().execute(`CREATE TABLE typed (${named.join(', ')}, PRIMARY KEY (id))`);
  const table = { options: { table: 'typed' }, cursor: 'at' };
  const query = { options: { query: 'SELECT * FROM typed' }, cursor: 'at' };
  const [known, described] = await Promise.all(
    [table, query].map(async (change) => {
      const { driver, stream } = open(change);
      return (await driver.discover.columns(stream))?.map(({ name, scalar }) => ({ name, scalar }));
    }),
  );
  expect(described).toEqual(known);
  expect(described).toHaveLength(Object.keys(columns).length);
});

test('JSON is not text', async () => {
  const { driver, stream } = open({ cursor: 'id', options: { query: 'SELECT 1 AS id, JSON_ARRAY(1) AS doc' } });
  const columns = (await driver.discover.columns(stream)) ?? [];
  expect(columns[1]).toEqual({ name: 'doc', type: 'json', isReadOnly: true });
});

test('bytes cannot be part of a key, and local times are in the zone of the server', async () => {
  const query = "SELECT 1 AS id, CAST('2026-07-01 10:00' AS DATETIME) AS local, UNHEX('00ff') AS bytes";
  const { driver, stream } = open({ cursor: 'local', options: { query } });
  await database().execute("SET GLOBAL time_zone = '+02:00'");
  expect(await driver.read(stream, '1')).toMatchObject({ local: '2026-07-01T10:00:00.000+02:00', bytes: '00ff' });
  const refused = { words: expect.stringContaining('the query: "bytes" (varbinary') };
  await expect(driver.discover.columns({ ...stream, key: ['bytes'] })).rejects.toMatchObject(refused);
});
