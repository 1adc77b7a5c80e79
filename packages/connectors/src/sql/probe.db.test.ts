import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import type { StreamUse } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { openSql, type SqlDriver } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
  await system.client.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT CONNECT ON DATABASE unified TO guest; GRANT USAGE ON SCHEMA "Old ERP" TO guest;
    GRANT SELECT ON "Old ERP"."Head" TO guest`);
});
afterAll(() => system.stop());

/** Queries a driver about a changed head stream, through a separate connection. */
async function asked<T>(
  change: Partial<Stream>,
  ask: (driver: SqlDriver, stream: Stream) => Promise<T>,
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

const none: StreamUse['writes'] = new Set();

const probe = (change: Partial<Stream>, actions: readonly string[] = [], user?: { name: string }) =>
  asked(change, (driver, stream) => driver.discover.probe(stream, { actions, writes: none }), user);

const withActions = (actions: Json) => ({ options: { ...system.head.options, actions } });

test('the columns are those of the view, and the lists of lines', async () => {
  const columns = await asked({}, (driver, stream) => driver.discover.columns(stream));
  expect(columns).toContainEqual({
    ...{ name: 'amount', type: 'numeric(12,2)' },
    scalar: { type: 'number', limits: { minimum: -9_999_999_999.99, maximum: 9_999_999_999.99, decimals: 2 } },
  });
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
  [
    'a table of two parts, once,',
    { options: { table: 'heads', view: 'heads', content: 'bytes' } },
    'There is no table or view Old ERP.heads',
  ],
  ['a key column', { key: ['No'] }, 'Old ERP.Head has no column "No" (key)'],
  ['a cursor column', { cursor: 'ModifiedDate' }, 'Old ERP.Head has no column "ModifiedDate" (cursor)'],
  [
    'columns of a list, all in one problem',
    { options: { children: { lines: { table: 'line', parent: { haed: 'nr' }, key: ['pos'] } } } },
    'Old ERP.Head has no column "nr" (lines); Old ERP.line has no column "haed" (lines)',
  ],
])('a probe reports %s that the database does not have', async (_, change, words) => {
  await expect(probe(change)).rejects.toMatchObject({ kind: 'rejected', words });
});

test('a pass over a missing table reports the table, not its cursor', async () => {
  const changes = asked({ options: { view: 'heads' } }, (driver, stream) => driver.changes.mark(stream));
  await expect(changes).rejects.toMatchObject({ kind: 'rejected', words: 'There is no table or view Old ERP.heads' });
});

test.each<[string, Json, string]>([
  ['no declaration', {}, 'aprove: the stream declares no such action'],
  ['a column', { aprove: { set: { stat: 'B' } } }, 'aprove: Old ERP.Head has no column "stat"'],
  ['a value', { aprove: { set: { amount: 'much' } } }, 'aprove: invalid input syntax for type numeric: "much"'],
  ['a guard', { aprove: { when: { column: 'stat', in: ['A'] } } }, 'aprove: Old ERP.Head has no column "stat"'],
  [
    'several columns, all in one problem',
    { aprove: { when: { column: 'stat', in: ['A'] }, set: { stat: 'B', agreed: true }, now: ['when'] } },
    'aprove: Old ERP.Head has no column "stat"; Old ERP.Head has no column "agreed"; Old ERP.Head has no column "when"',
  ],
  ['a time', { aprove: { now: ['flag'] } }, 'aprove: column "flag" is of type boolean'],
  ['a required value', { aprove: { requires: ['reason'] } }, 'aprove: Old ERP.Head has no column "reason"'],
  ['a function', { aprove: { call: 'approve' } }, 'aprove: function Old ERP.approve(text, jsonb) does not exist'],
])('a probe reports that an action cannot work because of %s', async (_, actions, words) => {
  const { problems } = await probe(withActions(actions), ['aprove']);
  expect(problems).toEqual([expect.stringContaining(words)]);
});

test('a probe reports what creates lack: columns, functions, sequences and privileges', async () => {
  await system.client.query(`CREATE SEQUENCE "Old ERP".numbers;
    CREATE FUNCTION "Old ERP".next_name() RETURNS text LANGUAGE sql AS $$ SELECT nextval('"Old ERP".numbers')::text $$;
    REVOKE ALL ON FUNCTION "Old ERP".next_name() FROM PUBLIC; GRANT pg_read_all_stats TO guest`);
  const generated = {
    naem: 'default',
    name: { function: 'next_name' },
    state: { sequence: 'numbers' },
    amount: { sequence: 'Sales.numbers' },
    day: { function: 'next_day' },
  };
  const columns = { at: {}, changd: { timezone: 'UTC' } };
  const denied = await probe({ options: { generated, columns } }, [], { name: 'guest' });
  await system.client.query('REVOKE pg_read_all_stats FROM guest');
  expect(denied.notes).toEqual([
    'Old ERP.Head has no column "naem" (generated). Did you mean "name"?',
    'Old ERP.Head has no column "changd" (columns). Did you mean "changed"?',
    'Generating "name" (generated) will fail: permission denied for function next_name.',
    'Generating "state" (generated) will fail: permission denied for sequence Old ERP.numbers.',
    'Generating "amount" (generated) will fail: schema "Sales" does not exist.',
    'Generating "day" (generated) will fail: function Old ERP.next_day() does not exist.',
  ]);
  const right = { name: { function: 'next_name' }, state: { sequence: 'numbers' } };
  expect(await probe({ options: { generated: right } })).toMatchObject({ notes: [] });
});

test('a probe reports that the column with the line number is missing; the stream can still be read', async () => {
  await system.create({ name: 'Numbered' });
  const lines = { table: 'line', parent: { head: 'no' }, key: ['head', 'pos'], number: 'poz', written: true };
  expect(await probe({ options: { children: { lines } } })).toMatchObject({
    sample: expect.anything(),
    notes: ['Old ERP.line has no column "poz" (children.lines.number). Did you mean "pos"?'],
  });
});

test('a probe reports the privileges that the writes of the mappings need', async () => {
  const stream = { ...system.head, options: { ...system.head.options, actions: {} } };
  const platform: Platform = { ...system.platform, streams: [stream] };
  await system.client.query(`CREATE ROLE clerk LOGIN PASSWORD 'clerk'; GRANT CONNECT ON DATABASE unified TO clerk; GRANT USAGE ON SCHEMA "Old ERP" TO clerk;
    GRANT SELECT ON ALL TABLES IN SCHEMA "Old ERP" TO clerk; GRANT INSERT (name) ON "Old ERP"."Head" TO clerk;
    GRANT pg_read_all_stats TO clerk`);
  const url = Object.assign(new URL(system.url), { username: 'clerk', password: 'clerk' }).href;
  const driver = openSql(platform, { url });
  const { notes } = await driver.discover.probe(stream, { actions: [], writes: new Set(['create', 'replace']) });
  await driver.close();
  expect(notes).toEqual([
    'The login lacks UPDATE on Old ERP.Head, which writes of its records need.',
    'The login lacks INSERT, DELETE on Old ERP.line, which writes of its records need.',
  ]);
});

test('a probe of an action changes nothing', async () => {
  const before = await system.client.query('SELECT * FROM "Old ERP"."Head"');
  await probe({}, ['release', 'add']);
  expect((await system.client.query('SELECT * FROM "Old ERP"."Head"')).rows).toEqual(before.rows);
});

test('a probe reports privileges for reading and writing that the login lacks', async () => {
  const guest = { name: 'guest' };
  await expect(probe({}, [], guest)).rejects.toMatchObject({
    kind: 'forbidden',
    words: expect.stringContaining('table line'),
  });
  const { problems, notes } = await probe({ options: { ...system.head.options, children: {} } }, ['release'], guest);
  expect(problems).toEqual(['release: permission denied for table Head']);
  expect(notes).toEqual([expect.stringContaining('Grant it pg_read_all_stats')]);
});
