import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { testQueries } from '../../../test/query-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'query-'));
vi.stubEnv('SQLITE_FOLDER', folder);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const { open } = testQueries(
  async () => {
    const file = join(folder, 'documents.sqlite');
    const writer = new DatabaseSync(file);
    return {
      url: `sqlite://${file}`,
      execute: async (statement) => writer.exec(statement),
      stop: async () => writer.close(),
    };
  },
  { dialect: 'sqlite' },
  expect.closeTo(3.3),
);

const query = 'SELECT id, CAST(id AS TEXT) AS code, id * 2 AS doubled FROM document';

test('columns have the declared type or that of a CAST, which a key needs', async () => {
  const { driver, stream } = open({ key: ['code'], cursor: 'id', options: { query } });
  expect(await driver.discover.columns(stream)).toMatchObject([
    ...[{ name: 'id', type: 'INT' }, { name: 'code', type: 'TEXT' }, { name: 'doubled' }],
  ]);
  expect(await driver.read(stream, '2')).toEqual({ id: 2, code: '2', doubled: 4 });
  const refused = { words: expect.stringContaining('the query: "doubled"') };
  await expect(driver.discover.columns({ ...stream, key: ['doubled'] })).rejects.toMatchObject(refused);
});

test('a parameter in a query is refused', async () => {
  const { driver } = open({ options: { query: 'SELECT id FROM document WHERE id > :least' } });
  await expect(driver.check()).rejects.toMatchObject({ kind: 'rejected' });
});
