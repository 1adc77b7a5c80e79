import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PulledPage } from '../../driver.ts';
import type { Json } from '../../json.ts';
import { loadPlatform } from '../../load-platform.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import type { Platform, Stream } from '../../platform.ts';
import { openSql, type SqlDriver } from '../open-sql.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const tables = `
  CREATE TABLE exact (id bigint PRIMARY KEY, amount real, at datetime, any, bytes blob, name varchar(10) NOT NULL,
    doubled AS (name || name));
  INSERT INTO exact VALUES (9007199254740993, 0.1, '2026-01-01 10:59:00', 7, x'00ff', 'ü'), (2, 1e300, NULL, 'seven', NULL, '');
  CREATE TABLE "order" (area text NOT NULL, no int NOT NULL, version int, PRIMARY KEY (area, no));
  CREATE INDEX by_version ON "order" (version, area, no);
  CREATE TABLE line (area text, no int, pos int, PRIMARY KEY (area, no, pos));
  INSERT INTO line VALUES ('A1', 1, 10), ('A1', 1, 2);
  CREATE VIEW named AS SELECT area, no FROM "order";`;

const stream = (name: string, key: readonly string[], rest: Partial<Stream> = {}): Stream => {
  return { name, key, order: 0, deletes: 'diff', pageSize: 10, options: {}, ...rest };
};
const exact = stream('exact', ['id']);
const lines: Json = { table: 'line', parent: { area: 'area', no: 'no' }, key: ['area', 'no', 'pos'] };
const order = stream('order', ['area', 'no'], { cursor: 'version', options: { children: { lines } } });

const platform: Platform = {
  ...{ id: 'book', name: 'Book', description: '', driver: 'sql', secrets: [], mappings: {}, broken: [] },
  streams: [exact, order],
  settings: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
  options: { dialect: ['sqlite', 'mysql'], cursorOverlapSeconds: 0 },
};

const base = mkdtempSync(join(tmpdir(), 'sqlite-'));
const folder = join(base, 'books');
const file = join(folder, 'a book.sqlite');
const url = `sqlite://${encodeURI(file)}`;
let writer: DatabaseSync;
const opened: SqlDriver[] = [];

beforeAll(() => {
  mkdirSync(folder);
  writer = new DatabaseSync(file);
  writer.exec(tables);
  const insert = writer.prepare('INSERT INTO "order" VALUES (?, ?, ?)');
  for (let no = 1; no <= 50; no++) insert.run(`A${no % 4}`, no, no);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await Promise.all(opened.map((driver) => driver.close()));
  writer.close();
  rmSync(base, { recursive: true });
});

function driver(address = url, allowed = folder, statementTimeoutMs = 60_000, streams = platform.streams): SqlDriver {
  vi.stubEnv('SQLITE_FOLDER', allowed);
  const options = { ...platform.options, statementTimeoutMs };
  const open = openSql({ ...platform, streams, options }, { url: address });
  opened.push(open);
  return open;
}

async function keysOf(page: (from: Json) => Promise<PulledPage>): Promise<string[]> {
  const keys: string[] = [];
  let from: Json = null;
  do {
    const { rows, next }: PulledPage = await page(from);
    keys.push(...rows.map(({ key }) => key));
    from = next;
  } while (from !== null);
  return keys;
}

describe('reading', () => {
  test('values are exact, each with its own type', async () => {
    const book = driver();
    expect(await book.read(exact, '9007199254740993')).toEqual({
      ...{ id: '9007199254740993', amount: 0.1, at: '2026-01-01 10:59:00', any: 7, bytes: '00ff' },
      ...{ name: 'ü', doubled: 'üü' },
    });
    expect(await book.read(exact, '2')).toMatchObject({ id: 2, amount: 1e300, any: 'seven', bytes: null, name: '' });
    expect(await book.read(order, 'A1/1')).toMatchObject({ lines: ['A1/1/2', 'A1/1/10'] });
    expect(await book.read(order, 'A2/1')).toBeNull();
  });

  test('a full pass contains every row once; rows inserted during the pass are neither lost nor duplicated', async () => {
    const book = driver();
    const first = await book.pull({ stream: order, from: null, limit: 7 });
    writer.exec(`INSERT INTO "order" VALUES ('A0', 0, 0), ('A3', 999, 0)`);
    const rest = await keysOf((from) => book.pull({ stream: order, from: from ?? first.next, limit: 7 }));
    const keys = [...first.rows.map(({ key }) => key), ...rest];
    expect(new Set(keys).size).toBe(51);
    expect(keys).toHaveLength(51);
    expect(keys).toContain('A3/999');
    writer.exec('DELETE FROM "order" WHERE no IN (0, 999)');
  });

  test('keys beyond 2^53 continue at the exact value', async () => {
    const book = driver();
    expect(await keysOf((from) => book.pull({ stream: exact, from, limit: 1 }))).toEqual(['2', '9007199254740993']);
  });

  test('an incremental pass reads the rows with higher numbers, and does not end at rows without one', async () => {
    const book = driver();
    const changed = (since: Json) => keysOf((from) => book.changes.pull({ stream: order, since, from, limit: 3 }));
    const mark = await book.changes.mark(order);
    writer.exec('UPDATE "order" SET version = 100 + no WHERE no IN (2, 3)');
    expect(await changed(mark)).toEqual(['A2/50', 'A2/2', 'A3/3']);
    writer.exec('UPDATE "order" SET version = NULL WHERE no > 20');
    expect(await changed(null)).toHaveLength(50);
  });

  test('pages are read from an index, starting at their position', async () => {
    vi.stubEnv('SQLITE_FOLDER', folder);
    const rules = { privateHosts: parsePrivateHosts(undefined), allowPrivate: false };
    const database = sqliteDialect.open(url, { readOnly: true, statementTimeoutMs: 1_000, events: {}, rules });
    const { spell } = sqliteDialect;
    for (const columns of [
      ['area', 'no'],
      ['version', 'area', 'no'],
    ]) {
      const where = spell.compare(
        columns,
        '>',
        columns.map((_, index) => `$${index + 1}`),
      );
      const text = spell.page({ columns: '*', from: `"order" WHERE ${where}`, order: columns, limit: 5 });
      const plan = await database.query(`EXPLAIN QUERY PLAN ${text}`, ['1', '1', '1']);
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(/^SEARCH order USING .*INDEX .* \(\w+>\?\)$/),
      ]);
    }
    await database.close();
  });
});

describe('the catalog', () => {
  test('lists tables, views and columns', async () => {
    const { catalog, columns, probe } = driver().discover;
    const { items, next } = await catalog.tables({ from: null, limit: 3 });
    expect(items.map(({ name, kind, primaryKey }) => ({ name, kind, primaryKey }))).toEqual([
      { name: 'main.exact', kind: 'table', primaryKey: ['id'] },
      { name: 'main.line', kind: 'table', primaryKey: ['area', 'no', 'pos'] },
      { name: 'main.named', kind: 'view', primaryKey: [] },
    ]);
    expect((await catalog.tables({ from: next, limit: 3 })).items).toMatchObject([{ name: 'main.order' }]);
    expect(await catalog.columns('order', { from: null, limit: 1 })).toMatchObject({
      items: [{ name: 'area', type: 'TEXT', nullable: false, keyPosition: 1 }],
      next: 1,
    });
    expect(await columns(exact)).toMatchObject([
      { name: 'id', isReadOnly: true },
      { name: 'amount', scalar: { type: 'number' } },
      ...[{ name: 'at' }, { name: 'any' }, { name: 'bytes' }, { name: 'name', isRequired: true }, { name: 'doubled' }],
    ]);
    expect(await probe(order, { actions: [], writes: new Set() })).toMatchObject({ problems: [], notes: [] });
  });

  test('of a cursor that is not an integer refuses the stream, and names the type that it needs', async () => {
    const probe = driver().discover.probe({ ...exact, cursor: 'at' }, { actions: [], writes: new Set() });
    const words = 'The cursor "at" is of type datetime; in SQLite, it must be a column of an integer type';
    await expect(probe).rejects.toMatchObject({ kind: 'rejected', words });
  });

  test('of a key that is not unique refuses the stream', async () => {
    const probe = driver().discover.probe({ ...order, key: ['area'] }, { actions: [], writes: new Set() });
    await expect(probe).rejects.toMatchObject({ words: expect.stringContaining('is not unique') });
  });

  test.each([
    ['any', '"any" (without a type)'],
    ['bytes', '"bytes" (BLOB)'],
  ])('of a key whose values cannot be looked up by their text (%s) refuses the stream', async (column, named) => {
    const refused = { kind: 'rejected', words: expect.stringContaining(named) };
    await expect(driver().discover.columns({ ...exact, key: ['id', column] })).rejects.toMatchObject(refused);
  });
});

describe('a stream that the connection defines', () => {
  const custom = (name: string, key: readonly string[], cursor?: string): Stream =>
    stream(name, key, { isCustom: true, ...(cursor !== undefined && { cursor }) });
  const pulled = (book: SqlDriver, each: Stream) => book.pull({ stream: each, from: null, limit: 1 });

  test.each([
    [custom('lines', ['area']), 'There is no table or view main.lines'],
    [custom('line', ['area', 'nr']), 'main.line has no column "nr" (key)'],
    [custom('line', ['poz'], 'nr'), 'main.line has no column "nr" (cursor); main.line has no column "poz" (key)'],
  ])('names to its users what the database does not have', async (each, words) => {
    const book = driver(url, folder, 60_000, [each]);
    const clientWords = `Stream "${each.name}": ${words}`;
    await expect(pulled(book, each)).rejects.toMatchObject({ kind: 'rejected', words, clientWords });
  });

  test('names a cursor of a wrong type, which only logs do for a stream of the platform', async () => {
    const [own, theirs] = [custom('exact', ['id'], 'at'), { ...exact, cursor: 'at' }];
    const words = 'The cursor "at" is of type datetime; in SQLite, it must be a column of an integer type';
    const clientWords = `Stream "exact": ${words}`;
    await expect(driver(url, folder, 60_000, [own]).changes.mark(own)).rejects.toMatchObject({ words, clientWords });
    const hidden = 'The connected system lacks a table, column or function of the platform; check the connection';
    await expect(driver().changes.mark(theirs)).rejects.toMatchObject({ words, clientWords: hidden });
  });
});

describe('failures', () => {
  test('a database of which no stream is read yet is opened by the check', async () => {
    const checked = (path: string, allowed = folder) => driver(`sqlite://${path}`, allowed, 60_000, []).check();
    writeFileSync(join(folder, 'note.sqlite'), 'no database, but longer than the header of one'.repeat(40));
    await expect(checked(encodeURI(file))).resolves.toBeUndefined();
    await expect(checked(join(folder, 'nope.db'))).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(checked(encodeURI(file), '')).rejects.toMatchObject({ words: 'SQLITE_FOLDER is not set' });
    await expect(checked(join(folder, 'note.sqlite'))).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('a locked file delays only statements on it, which continue when it is unlocked', async () => {
    const book = driver();
    writer.exec('BEGIN EXCLUSIVE');
    const read = book.read(exact, '2');
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    writer.exec('COMMIT');
    expect(await read).toMatchObject({ id: 2 });
  });

  test('a statement on a file that stays locked fails', async () => {
    const book = driver(url, folder, 5_000);
    await book.check();
    writer.exec('BEGIN EXCLUSIVE');
    await expect(book.read(exact, '2')).rejects.toMatchObject({ kind: 'unavailable' });
    writer.exec('COMMIT');
    expect(await book.read(exact, '2')).toMatchObject({ id: 2 });
  });

  test('a statement that takes too long is ended, and the next one runs', async () => {
    vi.stubEnv('SQLITE_FOLDER', folder);
    const rules = { privateHosts: parsePrivateHosts(undefined), allowPrivate: false };
    const database = sqliteDialect.open(url, { statementTimeoutMs: 200, events: {}, rules });
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const late = await database.query(endless).catch((error: unknown) => error);
    expect([late, sqliteDialect.causeOf(late)]).toMatchObject([{ kind: 'unavailable' }, 'timeout']);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('the database refuses every change', async () => {
    vi.stubEnv('SQLITE_FOLDER', folder);
    const rules = { privateHosts: parsePrivateHosts(undefined), allowPrivate: false };
    const database = sqliteDialect.open(url, { readOnly: true, statementTimeoutMs: 1_000, events: {}, rules });
    await expect(database.query('DELETE FROM line')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(database.transaction(async () => 1)).rejects.toMatchObject({ kind: 'forbidden' });
    await database.close();
  });

  test('only files in the folder of the operator are opened, and no links that lead out of it', async () => {
    const outside = join(base, 'outside.sqlite');
    writeFileSync(outside, '');
    symlinkSync(outside, join(folder, 'link.sqlite'));
    const explanation = { remedy: expect.stringMatching(/SQLITE_FOLDER.*`npm run connect`/) };
    const refused = { kind: 'unauthorized', words: expect.stringContaining('SQLITE_FOLDER'), explanation };
    const addresses = [
      outside,
      join(folder, 'link.sqlite'),
      `${folder}/../outside.sqlite`,
      join(folder, 'none'),
      folder,
    ];
    for (const path of addresses) await expect(driver(`sqlite://${path}`).check()).rejects.toMatchObject(refused);
    await expect(driver(url, '').check()).rejects.toMatchObject(refused);
    await expect(driver(url.replace('sqlite:', 'file:')).check()).resolves.toBeUndefined();
  });

  test('a file that is not a database, and a table that does not exist', async () => {
    writeFileSync(join(folder, 'text.sqlite'), 'no database, but longer than the header of one'.repeat(40));
    await expect(driver(`sqlite://${folder}/text.sqlite`).check()).rejects.toMatchObject({ kind: 'unauthorized' });
    const none = stream('none', ['id']);
    await expect(driver().pull({ stream: none, from: null, limit: 1 })).rejects.toMatchObject({ kind: 'rejected' });
  });
});

test('a platform that needs what SQLite lacks is refused when it is loaded, by name', () => {
  const yaml = (options: string, stream: string) =>
    `{ id: book, name: Book, driver: sql, options: ${options}, streams: { order: { options: ${stream} } },
       settings: { type: object, required: [url], properties: { url: { type: string, format: uri, writeOnly: true } } } }`;
  const load = (options: string, stream: string) => {
    writeFileSync(join(base, 'platform.yaml'), yaml(options, stream));
    return loadPlatform(base);
  };
  expect(load('{ dialect: sqlite }', '{}').streams).toHaveLength(1);
  expect(() => load('{ dialect: [postgres, sqlite], timezone: Europe/Berlin }', '{ content: bytes }')).toThrow(
    /options.timezone: SQLite has no time zones[\s\S]*options.content: SQLite has no contents/,
  );
  expect(() => load('{ dialect: oracle }', '{}')).toThrow(/dialect/);
});
