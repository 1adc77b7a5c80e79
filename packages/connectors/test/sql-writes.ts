import { describe, expect, test } from 'vitest';
import { type Intent, type KnownLists, ROW_KEY, type Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openSql, type SqlDriver } from '../src/sql/open-sql.ts';

/** A database with the tables `Head`, `line`, `pledge` and `done`. */
export interface WrittenDatabase {
  readonly dialect: string;
  readonly url: string;
  /** Runs a statement with values in it, outside of the driver. */
  run(statement: string): Promise<Row[]>;
}

const options: Record<string, Json> = {
  children: { lines: { table: 'line', parent: { head: 'no' }, key: ['head', 'pos'], number: 'pos', written: true } },
  actions: {
    release: {
      ...{ when: { column: 'state', in: ['A'] }, refusal: 'Head {no} is in state {state}' },
      ...{ set: { state: 'B' }, now: ['at'] },
    },
  },
};

/** The stream with orders and their lines. */
export const head: Stream = { name: 'Head', key: ['no'], order: 0, deletes: 'diff', pageSize: 10, options };

const journal: Json = { table: 'done', writeId: 'id', object: 'what', key: 'which' };

/** Opens a driver for the database; other options than `streams` are those of its platform. */
export function openWriter(
  { dialect, url }: Pick<WrittenDatabase, 'dialect' | 'url'>,
  { streams = [head], ...others }: { streams?: readonly Stream[] } & Record<string, unknown> = {},
): SqlDriver {
  const platform: Platform = {
    ...{
      id: 'old',
      name: 'Old ERP',
      description: '',
      driver: 'sql',
      secrets: ['url'],
      mappings: {},
      broken: [],
      streams,
    },
    settings: { type: 'object', required: ['url'], properties: { url: { type: 'string', writeOnly: true } } },
    options: {
      dialect,
      statementTimeoutMs: 60_000,
      cursorOverlapSeconds: 0,
      journal,
      ...others,
    } as Platform['options'],
  };
  return openSql(platform, { url, allowPrivateHosts: true });
}

let writes = 0;

/** An intent that was not used before. */
export function intent(position: Json = null): Intent {
  writes += 1;
  return { writeId: `w${writes}`, position, sentAt: '2026-11-20T06:00:00Z' };
}

/** What writes do in every database. */
export function describeWrites(system: () => WrittenDatabase & { readonly driver: SqlDriver }): void {
  const create = (values: Row, by = intent()) => system().driver.writes.create(head, values, by);
  const update = (key: string, values: Row, known: KnownLists = {}) =>
    system().driver.writes.update(head, key, values, intent(), known);
  const read = (key: string) => system().driver.read(head, key);
  const lines = (key: string) => system().run(`SELECT pos, qty FROM line WHERE head = ${key} ORDER BY pos`);
  const count = async () => (await system().run('SELECT count(*) AS n FROM Head'))[0]?.n;
  const threeLines = async () => (await create({ name: 'Three', lines: [{ qty: 1 }, { qty: 2 }, { qty: 3 }] })).key;

  test('a repeated create inserts no second row, not even concurrently', async () => {
    const by = intent();
    const first = await create({ name: 'Once' }, by);
    expect(await create({ name: 'Once' }, by)).toEqual(first);
    const other = intent();
    const [left, right] = await Promise.all([create({ name: 'Race' }, other), create({ name: 'Race' }, other)]);
    expect(left).toEqual(right);
    expect(await system().run(`SELECT name FROM Head WHERE name IN ('Once', 'Race')`)).toHaveLength(2);
  });

  test('concurrent creates are stored with their own lines', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Many ${index}`);
    const created = await Promise.all(names.map((name, index) => create({ name, lines: [{ qty: index + 1 }] })));
    for (const [index, { key }] of created.entries()) {
      expect(await read(key)).toMatchObject({ name: names[index], lines: [`${key}/1`] });
      expect(await lines(key)).toEqual([{ pos: 1, qty: index + 1 }]);
    }
  });

  test('a create whose response was lost is found, and only that one', async () => {
    const by = intent();
    const { key } = await create({ name: 'Lost' }, by);
    expect(await system().driver.writes.findCreated(head, { name: 'Lost' }, by)).toEqual({ key });
    expect(await system().driver.writes.findCreated(head, { name: 'Lost' }, intent())).toBeNull();
  });

  test('without a journal, a create is found by its values after the last row before it', async () => {
    const driver = openWriter(system(), { journal: undefined });
    await create({ name: 'Same', amount: 1.5, rough: 1.1 });
    const position = await driver.writes.positionBeforeCreate(head, 'w', {});
    const values = { name: 'Same', amount: 1.5, rough: 1.1, day: '2026-11-20' };
    expect(await driver.writes.findCreated(head, values, intent(position))).toBeNull();
    const { key } = await driver.writes.create(head, values, intent(position));
    expect(await driver.writes.findCreated(head, values, intent(position))).toEqual({ key });
    await driver.close();
  });

  test('an update changes the columns sent and replaces the lines', async () => {
    const { key } = await create({ name: 'Before', amount: 1, flag: true, lines: [{ qty: 1 }, { qty: 2 }] });
    await update(key, { name: 'After', lines: [{ qty: 9 }] });
    const after = await read(key);
    expect(after).toMatchObject({ name: 'After', flag: 1, lines: [`${key}/1`] });
    expect(Number(after?.amount)).toBe(1);
    await update(key, { lines: [{ qty: 3 }, { qty: 4 }] });
    expect(await read(key)).toMatchObject({ name: 'After', lines: [`${key}/1`, `${key}/2`] });
  });

  test('an update that changes nothing succeeds', async () => {
    const { key } = await create({ name: 'Same' });
    await update(key, { name: 'Same' });
    await update(key, {});
    expect(await read(key)).toMatchObject({ name: 'Same' });
  });

  describe('lines that name their row', () => {
    test('are changed in place; others are deleted, and new ones get the next number', async () => {
      const key = await threeLines();
      await update(key, { lines: [{ [ROW_KEY]: `${key}/2` }, { [ROW_KEY]: `${key}/3`, qty: 7 }, { qty: 9 }] });
      expect(await lines(key)).toEqual([
        { pos: 2, qty: 2 },
        { pos: 3, qty: 7 },
        { pos: 4, qty: 9 },
      ]);
      await expect(update(key, { lines: [{ [ROW_KEY]: `${key}/2`, pos: 8 }] })).rejects.toMatchObject({
        kind: 'rejected',
      });
    });

    test('that were added or removed since they were read are not replaced', async () => {
      const key = await threeLines();
      await system().run(`INSERT INTO line VALUES (${key}, 8, 8)`);
      await system().run(`DELETE FROM line WHERE head = ${key} AND pos = 1`);
      const before = await lines(key);
      const known = { lines: [1, 2, 3].map((pos) => `${key}/${pos}`) };
      const change = { name: 'Changed', lines: [{ [ROW_KEY]: `${key}/2`, qty: 5 }] };
      await expect(update(key, change, known)).rejects.toMatchObject({
        ...{ kind: 'outdated', columns: ['lines'] },
        changedRows: { added: [`${key}/8`], removed: [`${key}/1`] },
      });
      expect(await lines(key)).toEqual(before);
      expect(await read(key)).toMatchObject({ name: 'Three' });
    });
  });

  test('an action is carried out once, guarded by the state, and refused with the message from the platform', async () => {
    const { key } = await create({ name: 'Released' });
    const by = intent();
    await system().driver.actions.act(head, key, 'release', {}, by);
    await system().driver.actions.act(head, key, 'release', {}, by);
    expect(await read(key)).toMatchObject({ state: 'B', at: expect.stringMatching(/^20\d\d-.*Z$/) });
    await expect(system().driver.actions.act(head, key, 'release', {}, intent())).rejects.toMatchObject({
      ...{ kind: 'rejected', words: `Head ${key} is in state B` },
    });
    const use = { actions: ['release'], writes: new Set(['create', 'update', 'delete'] as const) };
    expect(await system().driver.discover.probe(head, use)).toMatchObject({ notes: [] });
  });

  test('a removed row is deleted; removing a deleted row succeeds, and changing it does not', async () => {
    const { key } = await create({ name: 'Gone', lines: [{ qty: 1 }] });
    await system().driver.writes.remove(head, key, intent());
    expect(await read(key)).toBeNull();
    await expect(system().driver.writes.remove(head, key, intent())).resolves.toBeUndefined();
    await expect(update(key, { name: 'x' })).rejects.toMatchObject({
      ...{ kind: 'gone', words: `Head ${key} no longer exists` },
    });
  });

  test('a row that others refer to is kept, and the refusal reports it', async () => {
    const { key } = await create({ name: 'Pledged' });
    await system().run(`INSERT INTO pledge VALUES (${key})`);
    await expect(system().driver.writes.remove(head, key, intent())).rejects.toMatchObject({
      ...{ kind: 'in-use', words: 'Other records of the connected system refer to this one' },
    });
    expect(await read(key)).toMatchObject({ name: 'Pledged' });
  });

  test.each([
    ['a check that is named by a sentence', { name: 'unnamed' }, /^HD-001: a head needs a name$/],
    ['a check with a plain name', { name: 'plain' }, /^A rule of the connected system does not allow a value$/],
    ['a trigger', { name: 'blocked' }, /^Sorry, blocked is blocked$/],
    [
      'a line',
      { name: 'x', lines: [{ qty: 1 }, { qty: 0 }] },
      /^A rule of the connected system does not allow a value$/,
    ],
    ['a missing value', { name: null }, /^The connected system requires a value that is missing$/],
    [
      'a column that does not exist',
      { name: 'x', 'a"`b': 1 },
      /^The connected system lacks a table, column or function/,
    ],
  ])('a write that %s refuses leaves nothing behind', async (_, values, words) => {
    const before = await count();
    const by = intent();
    const refused = create(values, by);
    await expect(refused).rejects.toMatchObject({ kind: 'rejected' });
    const { clientWords } = await refused.catch((error) => error);
    expect(clientWords).toMatch(words);
    expect(await count()).toBe(before);
    expect(await system().driver.writes.findCreated(head, values, by)).toBeNull();
  });

  test('a refusal names the columns of the table, and no table or constraint', async () => {
    const { key } = await create({ name: 'First', code: 'C1' });
    const duplicate = { kind: 'duplicate', words: 'The connected system has a record with the same value' };
    await expect(create({ name: 'Second', no: key })).rejects.toMatchObject({ ...duplicate, columns: ['no'] });
    await expect(create({ name: 'Third', code: 'C1' })).rejects.toMatchObject({ ...duplicate, columns: ['code'] });
    await expect(create({ name: null })).rejects.toMatchObject({ kind: 'rejected', columns: ['name'] });
    await expect(create({ code: 'C2' })).rejects.toMatchObject({ kind: 'rejected', columns: ['name'] });
    const twice = [1, 1].map((pos) => ({ qty: 1, pos }));
    await expect(create({ name: 'x', lines: twice })).rejects.toMatchObject({ kind: 'duplicate', columns: [] });
  });

  test('a read-only platform refuses every change, and nothing is changed', async () => {
    const { key } = await create({ name: 'Kept' });
    const { writes, ...driver } = openWriter(system(), { readOnly: true, journal: undefined });
    const refused = { kind: 'forbidden', clientWords: 'The connection is read-only' };
    await expect(writes.create(head, { name: 'New' }, intent())).rejects.toMatchObject(refused);
    await expect(writes.update(head, key, { name: 'New' }, intent())).rejects.toMatchObject(refused);
    await expect(writes.remove(head, key, intent())).rejects.toMatchObject(refused);
    expect(await driver.read(head, key)).toMatchObject({ name: 'Kept' });
    await driver.close();
  });

  test('values never become SQL', async () => {
    const name = `'; DROP TABLE line; -- \\`;
    const { key } = await create({ name });
    expect(await read(key)).toMatchObject({ name });
    expect(await lines(key)).toEqual([]);
  });
}
