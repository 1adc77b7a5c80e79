import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { sqlPlatform, tables } from '../../test/sql-platform.ts';
import type { Driver, Intent, PullRequest, Row } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { openSql } from './open-sql.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;
let driver: Driver;
const platform = sqlPlatform({ journal: true });
const [head, line] = platform.streams as [Stream, Stream];

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(tables);
  driver = openSql(platform, { url: database.url });
});

afterAll(async () => {
  await driver.close();
  await client.end();
  await database.stop();
});

let writes = 0;
const intent = (writeId = `w${++writes}`): Intent => ({ writeId, prepared: null, sentAt: '2026-11-20T06:00:00Z' });
const create = (values: Row, by = intent()) => driver.create(head, values, by);

async function readAll(request: Partial<PullRequest>): Promise<string[]> {
  const keys: string[] = [];
  let from: PullRequest['from'] = request.from ?? null;
  do {
    const page = await driver.pull({ stream: head, mode: 'full', since: null, limit: 3, ...request, from });
    keys.push(...page.rows.map(({ key }) => key));
    from = page.next;
  } while (from !== null);
  return keys;
}

describe('reading', () => {
  test('rows are plain JSON with exact numbers, and carry the keys of their lines', async () => {
    const lines = [{ qty: 5 }, { qty: 6, pos: 10 }];
    const at = '2026-11-20 10:00:00.123456+01';
    const { key } = await create({
      name: 'One',
      amount: '358.00',
      day: '2026-11-20',
      at,
      flag: true,
      extra: { a: [1] },
      lines,
    });
    expect(await driver.read(head, key)).toMatchObject({
      no: key,
      name: 'One',
      amount: '358.00',
      day: '2026-11-20',
      at: '2026-11-20T09:00:00.123Z',
      flag: true,
      extra: { a: [1] },
      lines: [`${key}/1`, `${key}/10`],
    });
    expect(await driver.read(line, `${key}/10`)).toMatchObject({ qty: 6 });
    expect(await driver.read(head, '999999')).toBeNull();
  });

  test('a full pass meets every row once, page by page, also those that come meanwhile', async () => {
    for (let index = 0; index < 7; index++) await create({ name: `Row ${index}` });
    const first = await driver.pull({ stream: head, mode: 'full', since: null, from: null, limit: 3 });
    const late = await create({ name: 'Late' });
    const rest = await readAll({ from: first.next });
    const keys = [...first.rows.map(({ key }) => key), ...rest];
    const { rows } = await client.query('SELECT no::text FROM "Old ERP"."Head" ORDER BY "Head".no');
    expect(keys).toEqual(rows.map(({ no }) => no));
    expect(keys).toContain(late.key);
  });

  test('an incremental pass meets what changed since the mark, rows of the same moment included', async () => {
    const mark = await driver.mark(head);
    await client.query(`UPDATE "Old ERP"."Head" SET changed = now(), name = name || '!' WHERE no IN (2, 3, 5, 7)`);
    expect(await readAll({ mode: 'incremental', since: mark })).toEqual(['2', '3', '5', '7']);
    expect(await readAll({ mode: 'incremental', since: await driver.mark(head) })).toEqual([]);
  });

  test('the mark lies before the beginning of every open transaction', async () => {
    await client.query('BEGIN');
    await client.query(`UPDATE "Old ERP"."Head" SET changed = now() WHERE no = 4`);
    const mark = await driver.mark(head);
    await client.query('COMMIT');
    expect(await readAll({ mode: 'incremental', since: mark })).toContain('4');
  });
});

describe('writing', () => {
  test('a repeated create makes no second row, not even at the same time', async () => {
    const by = intent();
    const first = await create({ name: 'Once' }, by);
    expect(await create({ name: 'Once' }, by)).toEqual(first);
    const other = intent();
    const [left, right] = await Promise.all([create({ name: 'Race' }, other), create({ name: 'Race' }, other)]);
    expect(left).toEqual(right);
    const { rows } = await client.query(`SELECT name FROM "Old ERP"."Head" WHERE name IN ('Once', 'Race')`);
    expect(rows).toHaveLength(2);
  });

  test('a create whose answer was lost is found again, and only that one', async () => {
    const by = intent();
    const { key } = await create({ name: 'Lost' }, by);
    expect(await driver.findCreated(head, { name: 'Lost' }, by)).toEqual({ key });
    expect(await driver.findCreated(head, { name: 'Lost' }, intent())).toBeNull();
  });

  test('an update changes the columns sent and replaces the lines', async () => {
    const { key } = await create({ name: 'Before', amount: 1, lines: [{ qty: 1 }, { qty: 2 }] });
    await driver.update(head, key, { name: 'After', lines: [{ qty: 9 }] }, intent());
    expect(await driver.read(head, key)).toMatchObject({ name: 'After', amount: '1.00', lines: [`${key}/1`] });
    await driver.update(head, key, { lines: [{ qty: 3 }, { qty: 4 }] }, intent());
    expect(await driver.read(head, key)).toMatchObject({ name: 'After', lines: [`${key}/1`, `${key}/2`] });
  });

  test('an action is done once, guarded by the state, and refused in the words of the system', async () => {
    const { key } = await create({ name: 'Released' });
    const by = intent();
    await driver.act(head, key, 'release', {}, by);
    await driver.act(head, key, 'release', {}, by);
    expect(await driver.read(head, key)).toMatchObject({ state: 'B ', at: expect.stringMatching(/Z$/) });
    const again = driver.act(head, key, 'release', {}, intent());
    await expect(again).rejects.toMatchObject({ kind: 'rejected', words: `Head ${key} is in state B` });
  });

  test('an action may call a function of the system, exactly once', async () => {
    const { key } = await create({ name: 'Adds' });
    const by = intent();
    await driver.act(head, key, 'add', { by: 2.5 }, by);
    await driver.act(head, key, 'add', { by: 2.5 }, by);
    expect(await driver.read(head, key)).toMatchObject({ amount: '2.50' });
    await expect(driver.act(head, key, 'add', {}, intent())).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('a removed row is gone; one that is gone already is as wanted', async () => {
    const { key } = await create({ name: 'Gone', lines: [{ qty: 1 }] });
    await driver.remove(head, key, intent());
    expect(await driver.read(head, key)).toBeNull();
    await expect(driver.remove(head, key, intent())).resolves.toBeUndefined();
  });

  test.each([
    ['a check', { name: 'nonsense' }, /check constraint/],
    ['a trigger', { name: 'blocked' }, /^Sorry, blocked is blocked$/],
    ['a line', { name: 'x', lines: [{ qty: 1 }, { qty: 0 }] }, /check constraint/],
    ['a column that does not exist', { name: 'x', 'a"b': 1 }, /a"b/],
  ])('what %s refuses leaves nothing behind', async (_, values, words) => {
    const count = async () => (await client.query('SELECT count(*) FROM "Old ERP"."Head"')).rows[0].count;
    const before = await count();
    const by = intent();
    await expect(create(values, by)).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(words) });
    expect(await count()).toBe(before);
    expect(await driver.findCreated(head, values, by)).toBeNull();
  });

  test('a row that is gone cannot be changed', async () => {
    const answer = driver.update(head, '424242', { name: 'x' }, intent());
    await expect(answer).rejects.toMatchObject({ kind: 'rejected', words: 'Head 424242 does not exist any more' });
  });

  test('values never become SQL', async () => {
    const name = `'; DROP TABLE "Old ERP".line; --`;
    const { key } = await create({ name });
    expect(await driver.read(head, key)).toMatchObject({ name });
    expect(await driver.read(line, `${key}/1`)).toBeNull();
  });
});

describe('without a journal', () => {
  test('a lost create is found by its values among the rows that came later', async () => {
    const plain = openSql(sqlPlatform({ journal: false }), { url: database.url });
    const twin = { name: 'Twin', amount: 7 };
    try {
      await create(twin);
      const by = { ...intent(), prepared: await plain.prepareCreate(head, 'w') };
      expect(await plain.findCreated(head, twin, by)).toBeNull();
      const { key } = await plain.create(head, twin, by);
      expect(await plain.findCreated(head, twin, by)).toEqual({ key });
      await plain.create(head, twin, by);
      await expect(plain.findCreated(head, twin, by)).rejects.toMatchObject({ kind: 'unknown' });
    } finally {
      await plain.close();
    }
  });
});

describe('a system that is not there', () => {
  test.each([
    ['refuses connections', { port: '1' }, 'unavailable'],
    ['knows another password', { password: 'wrong' }, 'unauthorized'],
    ['has no such database', { pathname: '/nothing' }, 'unauthorized'],
  ])('%s', async (_, change, kind) => {
    const away = openSql(platform, { url: Object.assign(new URL(database.url), change).href });
    await expect(away.check()).rejects.toMatchObject({ kind });
    await expect(away.create(head, { name: 'x' }, intent())).rejects.toMatchObject({ kind });
    await away.close();
  });

  test('a statement that takes too long has done nothing and may be tried again', async () => {
    const { key } = await create({ name: 'Locked' });
    await client.query('BEGIN');
    await client.query('SELECT * FROM "Old ERP"."Head" WHERE no = $1 FOR UPDATE', [key]);
    await expect(driver.update(head, key, { name: 'Late' }, intent())).rejects.toMatchObject({ kind: 'unavailable' });
    await client.query('COMMIT');
    expect(await driver.read(head, key)).toMatchObject({ name: 'Locked' });
  });

  test('check names the tables that are missing', async () => {
    await expect(driver.check()).resolves.toBeUndefined();
    const other = openSql(platform, { url: database.url, schema: 'public' });
    await expect(other.check()).rejects.toMatchObject({ kind: 'rejected', words: 'Schema public has no Head, line' });
    await other.close();
  });
});
