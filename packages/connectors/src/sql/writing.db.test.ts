import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import { ROW_KEY } from '../driver.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
});
afterAll(() => system.stop());

describe('writing', () => {
  test('a repeated create inserts no second row, not even concurrently', async () => {
    const by = system.intent();
    const first = await system.create({ name: 'Once' }, by);
    expect(await system.create({ name: 'Once' }, by)).toEqual(first);
    const other = system.intent();
    const [left, right] = await Promise.all([
      system.create({ name: 'Race' }, other),
      system.create({ name: 'Race' }, other),
    ]);
    expect(left).toEqual(right);
    const { rows } = await system.client.query(`SELECT name FROM "Old ERP"."Head" WHERE name IN ('Once', 'Race')`);
    expect(rows).toHaveLength(2);
  });

  test('a create whose response was lost is found, and only that one', async () => {
    const by = system.intent();
    const { key } = await system.create({ name: 'Lost' }, by);
    expect(await system.driver.writes.findCreated(system.head, { name: 'Lost' }, by)).toEqual({ key });
    expect(await system.driver.writes.findCreated(system.head, { name: 'Lost' }, system.intent())).toBeNull();
  });

  test('an update changes the columns sent and replaces the lines', async () => {
    const { key } = await system.create({ name: 'Before', amount: 1, lines: [{ qty: 1 }, { qty: 2 }] });
    await system.driver.writes.update(system.head, key, { name: 'After', lines: [{ qty: 9 }] }, system.intent());
    expect(await system.driver.read(system.head, key)).toMatchObject({
      name: 'After',
      amount: '1.00',
      lines: [`${key}/1`],
    });
    await system.driver.writes.update(system.head, key, { lines: [{ qty: 3 }, { qty: 4 }] }, system.intent());
    expect(await system.driver.read(system.head, key)).toMatchObject({
      name: 'After',
      lines: [`${key}/1`, `${key}/2`],
    });
  });

  describe('lines that name their row', () => {
    const rows = async (key: string) => {
      const { rows } = await system.client.query(
        'SELECT pos, qty, xmin::text AS version FROM "Old ERP".line WHERE head = $1 ORDER BY pos',
        [key],
      );
      return rows;
    };
    const update = (key: string, lines: readonly object[]) =>
      system.driver.writes.update(system.head, key, { lines }, system.intent());
    const threeLines = async () =>
      (await system.create({ name: 'Three', lines: [{ qty: 1 }, { qty: 2 }, { qty: 3 }] })).key;

    test('are changed in place; rows without a change stay, others are deleted, new ones get the next number', async () => {
      const key = await threeLines();
      const before = await rows(key);
      await update(key, [{ [ROW_KEY]: `${key}/2` }, { [ROW_KEY]: `${key}/3`, qty: 7 }, { qty: 9 }]);
      const after = await rows(key);
      expect(after).toMatchObject([
        { pos: 2, qty: 2 },
        { pos: 3, qty: 7 },
        { pos: 4, qty: 9 },
      ]);
      expect(after[0].version).toBe(before[1].version);
    });

    test('may repeat their number, and cannot change it', async () => {
      const key = await threeLines();
      await update(key, [{ [ROW_KEY]: `${key}/1`, pos: 1, qty: 5 }]);
      expect(await rows(key)).toMatchObject([{ pos: 1, qty: 5 }]);
      await expect(update(key, [{ [ROW_KEY]: `${key}/1`, pos: 8 }])).rejects.toMatchObject({ kind: 'rejected' });
    });

    test('that were added or removed since they were read are not replaced', async () => {
      const key = await threeLines();
      await system.client.query('INSERT INTO "Old ERP".line VALUES ($1, 8, 8)', [key]);
      await system.client.query('DELETE FROM "Old ERP".line WHERE head = $1 AND pos = 1', [key]);
      const before = await rows(key);
      const known = { lines: [1, 2, 3].map((pos) => `${key}/${pos}`) };
      const change = { name: 'Changed', lines: [{ [ROW_KEY]: `${key}/2`, qty: 5 }] };
      await expect(system.driver.writes.update(system.head, key, change, system.intent(), known)).rejects.toMatchObject(
        {
          kind: 'outdated',
          columns: ['lines'],
          changedRows: { added: [`${key}/8`], removed: [`${key}/1`] },
        },
      );
      expect(await rows(key)).toEqual(before);
      expect(await system.driver.read(system.head, key)).toMatchObject({ name: 'Three' });
      const current = { lines: [2, 3, 8].map((pos) => `${key}/${pos}`) };
      await system.driver.writes.update(system.head, key, change, system.intent(), current);
      expect(await rows(key)).toMatchObject([{ pos: 2, qty: 5 }]);
    });

    test('are refused if the row is gone or belongs to another head, and nothing changes', async () => {
      const [key, other] = [await threeLines(), await threeLines()];
      for (const named of [`${key}/9`, `${other}/1`])
        await expect(update(key, [{ [ROW_KEY]: named, qty: 5 }])).rejects.toMatchObject({ kind: 'rejected' });
      expect(await rows(key)).toHaveLength(3);
      expect(await rows(other)).toMatchObject([{ qty: 1 }, { qty: 2 }, { qty: 3 }]);
    });
  });

  test('an action is carried out once, guarded by the state, and refused with the message from the system', async () => {
    const { key } = await system.create({ name: 'Released' });
    const by = system.intent();
    await system.driver.actions.act(system.head, key, 'release', {}, by);
    await system.driver.actions.act(system.head, key, 'release', {}, by);
    expect(await system.driver.read(system.head, key)).toMatchObject({ state: 'B', at: expect.stringMatching(/Z$/) });
    const again = system.driver.actions.act(system.head, key, 'release', {}, system.intent());
    await expect(again).rejects.toMatchObject({ kind: 'rejected', words: `Head ${key} is in state B` });
  });

  test('an action may call a function of the system, exactly once', async () => {
    const { key } = await system.create({ name: 'Adds' });
    const by = system.intent();
    await system.driver.actions.act(system.head, key, 'add', { by: 2.5 }, by);
    await system.driver.actions.act(system.head, key, 'add', { by: 2.5 }, by);
    expect(await system.driver.read(system.head, key)).toMatchObject({ amount: '2.50' });
    await expect(system.driver.actions.act(system.head, key, 'add', {}, system.intent())).rejects.toMatchObject({
      kind: 'rejected',
    });
  });

  test('a removed row is deleted; removing a deleted row succeeds', async () => {
    const { key } = await system.create({ name: 'Gone', lines: [{ qty: 1 }] });
    await system.driver.writes.remove(system.head, key, system.intent());
    expect(await system.driver.read(system.head, key)).toBeNull();
    await expect(system.driver.writes.remove(system.head, key, system.intent())).resolves.toBeUndefined();
  });

  test.each([
    ['a check', { name: 'nonsense' }, /^A rule of the connected system does not allow a value$/],
    ['a check that is named by a sentence', { name: 'unnamed' }, /^HD-001: a head needs a name$/],
    ['a check with a plain name', { name: 'plain' }, /^A rule of the connected system does not allow a value$/],
    ['a check with a name of two words', { name: 'short' }, /^A rule of the connected system does not allow a value$/],
    [
      'a check whose name contains a column',
      { name: 'named' },
      /^A rule of the connected system does not allow a value$/,
    ],
    ['a check with a generated name', { name: 'generated' }, /^A rule of the connected system does not allow a value$/],
    ['a trigger', { name: 'blocked' }, /^Sorry, blocked is blocked$/],
    [
      'a line',
      { name: 'x', lines: [{ qty: 1 }, { qty: 0 }] },
      /^A rule of the connected system does not allow a value$/,
    ],
    [
      'a column that does not exist',
      { name: 'x', 'a"b': 1 },
      /^The connected system lacks a table, column or function/,
    ],
    ['a number that is too large', { name: 'x', amount: 1e12 }, /^A number is out of the range/],
    ['a text that is too long', { name: 'x', state: 'ABC' }, /^A value is too long/],
    ['an invalid date', { name: 'x', day: 'soon' }, /^The connected system cannot store a value in this form$/],
  ])('a write that %s refuses leaves nothing behind', async (_, values, words) => {
    const count = async () => (await system.client.query('SELECT count(*) FROM "Old ERP"."Head"')).rows[0].count;
    const before = await count();
    const by = system.intent();
    await expect(system.create(values, by)).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(words),
    });
    expect(await count()).toBe(before);
    expect(await system.driver.writes.findCreated(system.head, values, by)).toBeNull();
  });

  test.each([
    ['code', 'no uuid'],
    ['opens', 'half past eight'],
    ['day', 'soon'],
    ['flag', 'maybe'],
  ])('a value that does not have the type of %s is refused with the column', async (column, value) => {
    const refused = { kind: 'rejected', columns: [column] };
    const { key } = await system.create({ name: 'Typed', at: '2026-11-20T10:00:00Z' });
    await expect(system.create({ name: 'x', [column]: value })).rejects.toMatchObject(refused);
    const change = system.driver.writes.update(system.head, key, { name: 'y', [column]: value }, system.intent());
    await expect(change).rejects.toMatchObject(refused);
  });

  test('a message for clients contains no table, column or login; operators get the original message', async () => {
    await system.client.query('CREATE ROLE guest LOGIN');
    const url = new URL(system.url);
    const guest = openSql(system.platform, { url: Object.assign(url, { username: 'guest', password: 'guest' }).href });
    const read = guest.read(system.head, '1');
    await expect(read).rejects.toMatchObject({ clientWords: expect.stringMatching(/^The (user|connected system)/) });
    await expect(read).rejects.toMatchObject({ words: expect.stringMatching(/permission denied|password/) });
    await guest.close();
    const lost = openSql(system.platform, { url: 'postgres://nobody:secret@127.0.0.1:1/hidden' });
    await expect(lost.check()).rejects.toMatchObject({ clientWords: 'The connected system cannot be reached' });
    await lost.close();
  });

  test('a refusal contains the columns that PostgreSQL reports or has in a check, and no table or constraint', async () => {
    const { key } = await system.create({ name: 'First' });
    await expect(system.create({ name: 'Second', no: key })).rejects.toMatchObject({
      ...{ kind: 'duplicate', words: 'The connected system has a record with the same value', columns: ['no'] },
      cause: expect.objectContaining({ message: expect.stringContaining('Head_pkey') }),
    });
    await expect(system.create({ name: null })).rejects.toMatchObject({
      ...{ kind: 'rejected', words: 'The connected system requires a value that is missing', columns: ['name'] },
    });
    await expect(system.create({ name: 'nonsense' })).rejects.toMatchObject({ kind: 'rejected', columns: ['name'] });
    await expect(system.create({ name: 'unnamed' })).rejects.toMatchObject({
      ...{ kind: 'rejected', words: 'HD-001: a head needs a name', columns: ['name'] },
    });
    await expect(system.create({ name: 'x', lines: [{ qty: 0 }] })).rejects.toMatchObject({ columns: [] });
    await expect(
      system.create({
        name: 'x',
        lines: [
          { qty: 1, pos: 1 },
          { qty: 2, pos: 1 },
        ],
      }),
    ).rejects.toMatchObject({
      ...{ kind: 'duplicate', columns: [] },
    });
  });

  test('a deleted row cannot be changed', async () => {
    const answer = system.driver.writes.update(system.head, '424242', { name: 'x' }, system.intent());
    await expect(answer).rejects.toMatchObject({ kind: 'gone', words: 'Head 424242 no longer exists' });
  });

  test('a row that others refer to is kept, and the refusal reports it', async () => {
    const { key } = await system.create({ name: 'Pledged' });
    await system.client.query('INSERT INTO "Old ERP".pledge VALUES ($1)', [key]);
    await expect(system.driver.writes.remove(system.head, key, system.intent())).rejects.toMatchObject({
      kind: 'in-use',
      words: 'Other records of the connected system refer to this one',
    });
    expect(await system.driver.read(system.head, key)).toMatchObject({ name: 'Pledged' });
  });

  test('a database refuses every change of a read-only platform, and nothing is changed', async () => {
    const { key } = await system.create({ name: 'Kept' });
    const platform = { ...system.platform, options: { ...system.platform.options, readOnly: true } };
    const driver = openSql(platform, { url: system.url });
    const { writes } = driver;
    const refused = { kind: 'forbidden', words: 'The connection is read-only' };
    await expect(writes.create(system.head, { name: 'New' }, system.intent())).rejects.toMatchObject(refused);
    await expect(writes.update(system.head, key, { name: 'New' }, system.intent())).rejects.toMatchObject(refused);
    await expect(writes.remove(system.head, key, system.intent())).rejects.toMatchObject(refused);
    expect(await driver.read(system.head, key)).toMatchObject({ name: 'Kept' });
    await driver.close();
  });

  test('values never become SQL', async () => {
    const name = `'; DROP TABLE "Old ERP".line; --`;
    const { key } = await system.create({ name });
    expect(await system.driver.read(system.head, key)).toMatchObject({ name });
    expect(await system.driver.read(system.line, `${key}/1`)).toBeNull();
  });
});
