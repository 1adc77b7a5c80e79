import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PulledPage } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openSql, type SqlDriver } from '../src/sql/open-sql.ts';

/** Documents with lines, in SQL that all databases understand. */
const tables = [
  'CREATE TABLE document (id int PRIMARY KEY, number varchar(20) NOT NULL, version bigint NOT NULL)',
  'CREATE TABLE line (document int, pos int, kind varchar(5), amount decimal(9, 2), PRIMARY KEY (document, pos))',
  ...[1, 2, 3, 4, 5].map((id) => `INSERT INTO document VALUES (${id}, 'D-${id % 3}', ${id})`),
  "INSERT INTO line VALUES (1, 10, 'item', 1.10), (1, 2, 'item', 2.20), (1, 3, 'note', NULL), (3, 1, 'item', 7.00)",
];
const totals = `SELECT d.id, d.number, d.version, sum(l.amount) AS total, '$1;' AS "text", '[{"no": 12345678901234567890}]' AS doc
  FROM document AS d LEFT JOIN line AS l ON l.document = d.id GROUP BY d.id, d.number, d.version -- a document, once`;
const lines = { table: 'line', parent: { document: 'id' }, where: { kind: 'item' }, key: ['document', 'pos'] };

export const documents: Stream = {
  ...{ name: 'documents', key: ['id'], cursor: 'version', order: 0, deletes: 'diff', pageSize: 10 },
  options: { query: totals, children: { lines }, columns: { doc: { json: true } } },
};

/** A running database for the tests; it may be empty. */
export interface QueryDatabase {
  readonly url: string;
  execute(statement: string): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the stream with other properties; it is closed after the tests. */
export type OpenStream = (change?: Partial<Stream>) => { readonly driver: SqlDriver; readonly stream: Stream };

/**
 * Defines the tests of streams with a query that every database passes.
 *
 * @param options options of the platform
 * @param sum the total of the amounts of the first document, as the database returns it
 */
export function testQueries(
  start: () => Promise<QueryDatabase>,
  options: Readonly<Record<string, Json>>,
  sum: Json,
): { readonly open: OpenStream; readonly database: () => QueryDatabase } {
  let database: QueryDatabase;
  const opened: SqlDriver[] = [];
  beforeAll(async () => {
    database = await start();
    for (const statement of tables) await database.execute(statement);
  });
  afterAll(async () => {
    await Promise.all(opened.map((driver) => driver.close()));
    await database.stop();
  });
  const open: OpenStream = (change = {}) => {
    const stream = { ...documents, ...change };
    const platform: Platform = {
      ...{ id: 'erp', name: 'ERP', description: '', driver: 'sql', secrets: ['url'], mappings: {}, broken: [] },
      streams: [stream],
      settings: { type: 'object', required: ['url'], properties: { url: { type: 'string', writeOnly: true } } },
      options: { statementTimeoutMs: 60_000, cursorOverlapSeconds: 0, readOnly: true, ...options },
    };
    const driver = openSql(platform, { url: database.url });
    opened.push(driver);
    return { driver, stream };
  };
  const refused = (words: string) => ({ kind: 'rejected', words: expect.stringContaining(words) });

  test('a full pass contains every row of the query once, with its lists', async () => {
    const { driver, stream } = open();
    await driver.check();
    const { rows, keys } = await passOf((from) => driver.pull({ stream, from, limit: 2 }));
    expect(keys).toEqual(['1', '2', '3', '4', '5']);
    expect(rows[0]).toMatchObject({ number: 'D-1', total: sum, text: '$1;', lines: ['1/2', '1/10'] });
    expect(rows[0]).toMatchObject({ doc: [{ no: '12345678901234567890' }] });
    expect(rows[1]).toMatchObject({ number: 'D-2', total: null, lines: [] });
  });

  test('one row is read by its key', async () => {
    const { driver, stream } = open();
    expect(await driver.read(stream, '3')).toMatchObject({ number: 'D-0', lines: ['3/1'] });
    expect(await driver.read(stream, '6')).toBeNull();
  });

  test('an incremental pass reads the rows with a higher number', async () => {
    const { driver, stream } = open();
    const mark = await driver.changes.mark(stream);
    await database.execute('UPDATE document SET version = version + 100 WHERE id IN (2, 4)');
    const { keys } = await passOf((from) => driver.changes.pull({ stream, since: mark, from, limit: 1 }));
    expect(keys).toEqual(expect.arrayContaining(['2', '4']));
    expect(keys).not.toContain('3');
  });

  test('its columns are only read, and the probe reads one row', async () => {
    const { driver, stream } = open();
    const columns = (await driver.discover.columns(stream)) ?? [];
    expect(columns.map(({ name }) => name)).toEqual(['id', 'number', 'version', 'total', 'text', 'doc', 'lines']);
    expect(columns.slice(0, -1)).toEqual(columns.slice(0, -1).map((column) => ({ ...column, isReadOnly: true })));
    expect(columns[1]).toMatchObject({ scalar: { type: 'string' } });
    expect(columns[5]).toEqual({ name: 'doc', type: expect.any(String), isReadOnly: true });
    expect(await driver.discover.probe(stream, { actions: [], writes: new Set() })).toMatchObject({
      ...{ sample: { key: '1' }, problems: [], notes: [] },
    });
  });

  test('a key or a list that its columns do not allow is refused', async () => {
    const probe = ({ driver, stream }: ReturnType<OpenStream>) =>
      driver.discover.probe(stream, { actions: [], writes: new Set() });
    await expect(probe(open({ key: ['number'] }))).rejects.toMatchObject(
      refused('the query: the key (number) is not unique'),
    );
    await expect(probe(open({ key: ['code'] }))).rejects.toMatchObject(refused('the query has no column "code" (key)'));
    await expect(probe(open({ cursor: 'text' }))).rejects.toMatchObject(refused('The cursor "text" is of type'));
  });

  test('a text that is not the JSON that the platform states is refused', async () => {
    const { driver, stream } = open({ options: { query: totals, columns: { number: { json: true } } } });
    await expect(driver.read(stream, '1')).rejects.toMatchObject({
      kind: 'invalid',
      words: expect.stringContaining('"number"'),
    });
  });

  test.each(['SELECT nothing FROM document', 'SELECT id FROM'])(
    'a query that the database refuses is reported with its stream: %s',
    async (query) => {
      const { driver } = open({ options: { query } });
      await expect(driver.check()).rejects.toMatchObject(refused('The query of documents cannot be run: '));
    },
  );

  return { open, database: () => database };
}

async function passOf(page: (from: Json) => Promise<PulledPage>) {
  const rows: PulledPage['rows'][number][] = [];
  let from: Json = null;
  do {
    const read: PulledPage = await page(from);
    rows.push(...read.rows);
    from = read.next;
  } while (from !== null);
  return { rows: rows.map(({ row }) => row), keys: rows.map(({ key }) => key) };
}
