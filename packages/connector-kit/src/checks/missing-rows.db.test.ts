import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../../connectors/test/sql-system.ts';
import { bookPlatform } from '../../test/book-file.ts';
import { SystemUnderTest } from '../system-under-test.ts';
import { missingRows } from './missing-rows.ts';

let database: SqlSystem;

beforeAll(async () => {
  database = await startSqlSystem();
});
afterAll(() => database.stop());

test('keys of two bytes pass, because a key beyond their range is reported as not found', async () => {
  await database.client.query(`CREATE TABLE supplier (id smallint PRIMARY KEY); INSERT INTO supplier VALUES (1), (2);
    CREATE TABLE article (number smallint PRIMARY KEY); INSERT INTO article VALUES (32767);`);
  const system = new SystemUnderTest(bookPlatform(), { url: database.url, allowPrivateHosts: true });
  try {
    expect(await missingRows.run(system)).toEqual({ result: 'passed', seen: '2 streams' });
  } finally {
    await system.close();
  }
});
