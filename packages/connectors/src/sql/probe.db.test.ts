import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import type { Driver } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
  await system.client.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT CONNECT ON DATABASE unified TO guest; GRANT USAGE ON SCHEMA "Old ERP" TO guest;
    GRANT SELECT ON "Old ERP"."Head" TO guest`);
});
afterAll(() => system.stop());

/** Asks for the head stream with other words in its platform, through a link of its own. */
async function asked<T>(
  change: Partial<Stream>,
  ask: (driver: Driver, stream: Stream) => Promise<T>,
  user?: { name: string },
): Promise<T> {
  const stream = { ...system.head, ...change };
  const platform: Platform = { ...system.platform, streams: [stream] };
  const url = user ? Object.assign(new URL(system.url), { username: user.name, password: user.name }).href : system.url;
  const driver = openSql(platform, { url });
  try {
    return await ask(driver, stream);
  } finally {
    await driver.close();
  }
}

const probe = (change: Partial<Stream>, actions: readonly string[] = [], user?: { name: string }) =>
  asked(change, (driver, stream) => driver.probe(stream, actions), user);

const withActions = (actions: Json) => ({ options: { ...system.head.options, actions } });

test('the columns are those of the view, and the lists of lines', async () => {
  const columns = await asked({}, (driver, stream) => driver.columns(stream));
  expect(columns).toContainEqual({ name: 'amount', type: 'numeric(12,2)' });
  expect(columns).toContainEqual({ name: 'lines', type: 'keys of line' });
});

test('a probe reads one row', async () => {
  expect(await probe({})).toMatchObject({ sample: null });
  const { key } = await system.create({ name: 'First', lines: [{ qty: 1 }] });
  const { sample, problems } = await probe({}, ['release', 'add']);
  expect(sample).toMatchObject({ key, row: { name: 'First', lines: [`${key}/1`] } });
  expect(problems).toEqual([]);
});

test.each<[string, Partial<Stream>, string]>([
  ['a view', { options: { view: 'heads' } }, 'There is no table or view Old ERP.heads'],
  ['a key column', { key: ['No'] }, 'Old ERP.Head has no column "No" (key)'],
  ['a cursor column', { cursor: 'ModifiedDate' }, 'Old ERP.Head has no column "ModifiedDate" (cursor)'],
  [
    'columns of a list, all at once',
    { options: { children: { lines: { table: 'line', parent: { haed: 'nr' }, key: ['pos'] } } } },
    'Old ERP.Head has no column "nr" (lines); Old ERP.line has no column "haed" (lines)',
  ],
])('a probe names %s that the database does not have', async (_, change, words) => {
  await expect(probe(change)).rejects.toMatchObject({ kind: 'rejected', words });
});

test.each<[string, Json, string]>([
  ['no declaration', {}, 'aprove: the stream declares no such action'],
  ['a column', { aprove: { set: { stat: 'B' } } }, 'aprove: column "stat" of relation "Head" does not exist'],
  ['a value', { aprove: { set: { amount: 'much' } } }, 'aprove: invalid input syntax for type numeric: "much"'],
  ['a guard', { aprove: { when: { column: 'stat', in: ['A'] } } }, 'aprove: column "stat" does not exist'],
  ['a time', { aprove: { now: ['flag'] } }, 'aprove: column "flag" is of type boolean'],
  [
    'a required value',
    { aprove: { requires: ['reason'] } },
    'aprove: column "reason" of relation "Head" does not exist',
  ],
  ['a function', { aprove: { call: 'approve' } }, 'aprove: function Old ERP.approve(text, jsonb) does not exist'],
])('a probe says that an action cannot work for want of %s', async (_, actions, words) => {
  const { problems } = await probe(withActions(actions), ['aprove']);
  expect(problems).toEqual([expect.stringContaining(words)]);
});

test('a probe of an action changes nothing', async () => {
  const before = await system.client.query('SELECT * FROM "Old ERP"."Head"');
  await probe({}, ['release', 'add']);
  expect((await system.client.query('SELECT * FROM "Old ERP"."Head"')).rows).toEqual(before.rows);
});

test('a probe meets the rights of the login: what it may not read, and what it may not change', async () => {
  const guest = { name: 'guest' };
  await expect(probe({}, [], guest)).rejects.toMatchObject({
    kind: 'forbidden',
    words: expect.stringContaining('table line'),
  });
  const { problems, notes } = await probe({ options: { ...system.head.options, children: {} } }, ['release'], guest);
  expect(problems).toEqual(['release: permission denied for table Head']);
  expect(notes).toEqual([expect.stringContaining('Grant it pg_read_all_stats')]);
});
