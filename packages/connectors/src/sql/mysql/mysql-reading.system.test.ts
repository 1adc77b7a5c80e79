import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMariaDb, startMariaDb } from '../../../test/running-mariadb.ts';
import type { PulledPage, Row } from '../../driver.ts';
import type { Json } from '../../json.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import type { Platform, Stream } from '../../platform.ts';
import type { Query } from '../dialect/sql-dialect.ts';
import { openSql, type SqlDriver } from '../open-sql.ts';
import { streamOptions } from '../options.ts';
import { pull, pullChanges } from '../pull.ts';
import { Sources } from '../sources.ts';
import { mysqlDialect } from './mysql-dialect.ts';

const tables = `
  CREATE TABLE exact (id bigint PRIMARY KEY, amount decimal(30, 10), f float, g float, d double, at datetime(6), midnight datetime,
    stamp timestamp(3) NULL, day date, zero date, zeros datetime, impossible date, doc json, flag tinyint(1), b bit(1),
    code char(5), bytes varbinary(4), kind enum('a', 'b'), t text, KEY (amount));
  SET sql_mode = 'ALLOW_INVALID_DATES';
  INSERT INTO exact VALUES (9007199254740993, 12345678901234567890.1234567890, 1.1, 16777217, 0.1, '2024-01-15 10:00:00.123456',
    '2024-01-15', '2024-01-15 10:00:00.5', '2024-01-15', '0000-00-00', '0000-00-00', '2024-02-30',
    '{"price": 1.10, "id": 9007199254740993}', 2, 1, 'ab', x'00ff', 'b', 'ü');
  SET sql_mode = DEFAULT;
  CREATE TABLE \`order\` (area varchar(10), no int, name varchar(40), changed timestamp(6) NULL DEFAULT current_timestamp(6),
    local datetime(6), version bigint, PRIMARY KEY (area, no), KEY (changed, area, no), KEY (local, area, no), KEY (version, area, no))
    COMMENT 'Orders';
  CREATE TABLE line (area varchar(10), no int, pos int, item varchar(10), PRIMARY KEY (area, no, pos));
  CREATE VIEW named AS SELECT area, no, name FROM \`order\`;
  CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'reader';
  GRANT SELECT ON erp.* TO reader@'127.0.0.1';`;

const stream = (name: string, key: readonly string[], rest: Partial<Stream> = {}): Stream => {
  return { name, key, order: 0, deletes: 'diff', pageSize: 10, options: {}, ...rest };
};
const exact = stream('exact', ['id']);
const lines: Json = { table: 'line', parent: { area: 'area', no: 'no' }, key: ['area', 'no', 'pos'] };
const order = stream('order', ['area', 'no'], { options: { children: { lines } } });
const byChange = stream('order', ['area', 'no'], { cursor: 'changed' });
const byLocalTime = stream('order', ['area', 'no'], { cursor: 'local' });
const byVersion = stream('order', ['area', 'no'], { cursor: 'version' });

function platformOf(streams: readonly Stream[], options: Record<string, Json> = {}): Platform {
  return {
    ...{ id: 'erp', name: 'ERP', description: '', driver: 'sql', secrets: ['url'], mappings: {}, broken: [], streams },
    settings: { type: 'object', required: ['url'], properties: { url: { type: 'string', writeOnly: true } } },
    options: { dialect: 'mysql', statementTimeoutMs: 60_000, cursorOverlapSeconds: 0, ...options },
  };
}

let server: RunningMariaDb;
let client: Connection;
const opened: SqlDriver[] = [];

beforeAll(async () => {
  server = await startMariaDb();
  client = await createConnection({ uri: server.url, multipleStatements: true });
  await client.query(tables);
  for (let no = 1; no <= 400; no++)
    await client.query('INSERT INTO `order` VALUES (?, ?, ?, NOW(6), NOW(6), ?)', [
      `A${no % 4}`,
      no,
      `Order ${no}`,
      no,
    ]);
  await client.query(
    "INSERT INTO line VALUES ('A1', 1, 10, 'b/c'), ('A1', 1, 2, 'x'), ('A2', 2, 1, 'y'); ANALYZE TABLE `order`",
  );
});
afterAll(async () => {
  await Promise.all(opened.map((driver) => driver.close()));
  await client.end();
  await server.stop();
});

function driverOf(streams: readonly Stream[], { user = 'erp', options = {} as Record<string, Json> } = {}): SqlDriver {
  const url = Object.assign(new URL(server.url), { username: user, password: user }).href;
  const driver = openSql(platformOf(streams, options), { url });
  opened.push(driver);
  return driver;
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

const changedSince = (driver: SqlDriver, stream: Stream, since: Json) =>
  keysOf((from) => driver.changes.pull({ stream, since, from, limit: 3 }));

describe('values', () => {
  test('are exact', async () => {
    expect(await driverOf([exact]).read(exact, '9007199254740993')).toEqual({
      ...{
        id: '9007199254740993',
        amount: '12345678901234567890.1234567890',
        f: Math.fround(1.1),
        g: 16777216,
        d: 0.1,
      },
      ...{ at: '2024-01-15T10:00:00.123Z', midnight: '2024-01-15T00:00:00.000Z', stamp: '2024-01-15T10:00:00.500Z' },
      ...{
        day: '2024-01-15',
        zero: null,
        zeros: null,
        impossible: '2024-02-30',
        flag: 2,
        b: 1,
        code: 'ab',
        bytes: '00ff',
      },
      ...{ doc: { price: 1.1, id: '9007199254740993' }, kind: 'b', t: 'ü' },
    });
  });

  test('of time zones have their offset, if the server can convert the zone', async () => {
    await client.query(
      "SET GLOBAL time_zone = '+02:00'; UPDATE `order` SET local = '2026-07-01 10:00:00' WHERE no = 3",
    );
    expect(await driverOf([order]).read(order, 'A3/3')).toMatchObject({ local: '2026-07-01T10:00:00.000+02:00' });
    await client.query('SET GLOBAL time_zone = DEFAULT');
    const unknown = { ...order, options: { timezone: 'Mars/Base' } };
    await expect(driverOf([unknown]).read(unknown, 'A3/3')).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringContaining('mysql_tzinfo_to_sql'),
    });
  });

  test('contain the keys of lines in their order', async () => {
    const driver = driverOf([order]);
    expect(await driver.read(order, 'A1/1')).toMatchObject({ no: 1, lines: ['A1/1/2', 'A1/1/10'] });
    expect(await driver.read(order, 'A3/3')).toMatchObject({ lines: [] });
    expect(await driver.read(order, 'A3/4')).toBeNull();
  });
});

describe('pages', () => {
  test('of a full pass contain every row once; rows that are inserted during the pass are neither lost nor duplicated', async () => {
    const driver = driverOf([order]);
    let isFirst = true;
    const keys = await keysOf(async (from) => {
      const page = await driver.pull({ stream: order, from, limit: 7 });
      if (isFirst) await client.query("INSERT INTO `order` (area, no) VALUES ('A0', 0), ('A3', 9999)");
      isFirst = false;
      return page;
    });
    expect(keys).toHaveLength(401);
    expect(new Set(keys).size).toBe(401);
    expect(keys).toContain('A3/9999');
    expect(keys).not.toContain('A0/0');
    await client.query('DELETE FROM `order` WHERE no IN (0, 9999)');
  });

  test('of large numbers and decimals continue at the exact value', async () => {
    for (const key of ['id', 'amount'])
      await client.query(
        `INSERT INTO exact (id, amount) VALUES ${[2, 4]
          .map(
            (end) =>
              `(${key === 'id' ? '90071992547409' : '80071992547409'}9${end}, 12345678901234567890.12345678${end}${key === 'id' ? 1 : 2})`,
          )
          .join()}`,
      );
    for (const key of ['id', 'amount']) {
      const byKey = { ...exact, key: [key] };
      const keys = await keysOf((from) => driverOf([byKey]).pull({ stream: byKey, from, limit: 1 }));
      const [rows] = await client.query<never[]>(`SELECT CAST(${key} AS CHAR) AS value FROM exact ORDER BY ${key}`);
      expect(keys).toEqual(rows.map(({ value }: Row) => value));
    }
  });

  test('are read from an index, starting at their position', async () => {
    const plans: Row[] = [];
    const rules = { privateHosts: parsePrivateHosts('127.0.0.1'), allowPrivate: false };
    const database = mysqlDialect.open(server.url, { statementTimeoutMs: 60_000, events: {}, rules });
    const explained: Query = async (text, values) => {
      if (text.includes('LIMIT')) plans.push(...(await database.query(`EXPLAIN ${text}`, values)));
      return database.query(text, values);
    };
    for (const one of [order, byChange, byLocalTime, byVersion]) {
      const plain = { ...one, options: {} };
      const options = new Map([[one.name, streamOptions(plain, platformOf([plain]), mysqlDialect)]]);
      const source = await new Sources(mysqlDialect, database, 'erp', undefined, options).of(plain);
      const request = { stream: plain, limit: 5, signal: new AbortController().signal };
      const read = (from: Json, query: Query) =>
        one.cursor === undefined
          ? pull(query, source, { ...request, from })
          : pullChanges(query, source, { ...request, from, since: null });
      const { next } = await read(null, database.query);
      await read(next, explained);
    }
    await database.close();
    expect(plans).toHaveLength(4);
    for (const plan of plans)
      expect(plan).toMatchObject({ type: 'range', Extra: expect.not.stringContaining('filesort') });
  });
});

describe('an incremental pass', () => {
  test.each([
    ['timestamps', byChange, 'changed = NOW(6)'],
    ['local times', byLocalTime, 'local = NOW(6)'],
    ['numbers', byVersion, 'version = 1000 + no'],
  ])('by %s reads the rows that changed since the mark', async (_, stream, change) => {
    const driver = driverOf([stream]);
    const mark = await driver.changes.mark(stream);
    await client.query(`UPDATE \`order\` SET ${change} WHERE no IN (2, 3, 5, 7)`);
    expect(await changedSince(driver, stream, mark)).toEqual(expect.arrayContaining(['A2/2', 'A3/3', 'A1/5', 'A3/7']));
    const after = await driver.changes.mark(stream, mark);
    expect((await changedSince(driver, stream, after)).length).toBeLessThan(2);
  });

  test.each([
    ['timestamps', byChange, 'changed = NOW(6)', 'changed = NOW(6)'],
    ['numbers', byVersion, 'version = 2000', 'version = 3000'],
  ])('by %s reads rows of a transaction that was open at the mark', async (_, stream, change, later) => {
    const driver = driverOf([stream]);
    const before = await driver.changes.mark(stream);
    await client.query(`START TRANSACTION; UPDATE \`order\` SET ${change} WHERE area = 'A1' AND no = 9`);
    const other = await createConnection(server.url);
    await other.query(`UPDATE \`order\` SET ${later} WHERE area = 'A2' AND no = 10`);
    await other.end();
    const mark = await driver.changes.mark(stream, before);
    await client.query('COMMIT');
    expect(await changedSince(driver, stream, mark)).toContain('A1/9');
  });

  test('of a login that cannot see transactions reads all numbers, and the probe reports it', async () => {
    const driver = driverOf([byVersion], { user: 'reader' });
    const mark = await driver.changes.mark(byVersion, await driver.changes.mark(byVersion));
    expect(await changedSince(driver, byVersion, mark)).toHaveLength(400);
    const { notes } = await driver.discover.probe(byVersion, { actions: [], writes: new Set() });
    expect(notes).toEqual([expect.stringContaining('Grant it PROCESS')]);
  });

  test('continues after rows without a value of the cursor', async () => {
    await client.query('UPDATE `order` SET local = NULL WHERE no <= 10');
    const driver = driverOf([byLocalTime]);
    expect(new Set(await changedSince(driver, byLocalTime, null)).size).toBe(400);
  });
});

describe('the catalog', () => {
  test('lists tables, views and columns', async () => {
    const { catalog } = driverOf([order]).discover;
    const { items } = await catalog.tables({ from: null, limit: 10 });
    expect(items.map(({ name, kind, primaryKey, comment }) => ({ name, kind, primaryKey, comment }))).toEqual([
      { name: 'erp.exact', kind: 'table', primaryKey: ['id'], comment: null },
      { name: 'erp.line', kind: 'table', primaryKey: ['area', 'no', 'pos'], comment: null },
      { name: 'erp.named', kind: 'view', primaryKey: [], comment: null },
      { name: 'erp.order', kind: 'table', primaryKey: ['area', 'no'], comment: 'Orders' },
    ]);
    const first = await catalog.tables({ from: null, limit: 1 });
    expect((await catalog.tables({ from: first.next, limit: 1 })).items).toMatchObject([{ name: 'erp.line' }]);
    const columns = await catalog.columns('order', { from: null, limit: 2 });
    expect(columns).toMatchObject({
      items: [
        { name: 'area', type: 'varchar(10)', nullable: false, keyPosition: 1 },
        { name: 'no', type: 'int(11)', nullable: false, keyPosition: 2 },
      ],
    });
    expect(await catalog.columns('nothing', { from: null, limit: 2 })).toBeNull();
  });

  test('names what a foreign key of one column refers to', async () => {
    await client.query(`CREATE DATABASE sales; CREATE TABLE sales.client (id int PRIMARY KEY, area int, place int, KEY (area, place));
      CREATE TABLE sales.deal (id int PRIMARY KEY, client int, area int, place int, FOREIGN KEY (client) REFERENCES sales.client (id),
        FOREIGN KEY (area, place) REFERENCES sales.client (area, place))`);
    const columns = await driverOf([order]).discover.catalog.columns('sales.deal', { from: null });
    expect(columns?.items.map(({ name, refersTo }) => [name, refersTo])).toEqual([
      ['id', undefined],
      ['client', { table: 'sales.client', column: 'id' }],
      ['area', undefined],
      ['place', undefined],
    ]);
    await client.query('DROP DATABASE sales');
  });

  test('states types and limits of columns, and tables that are missing', async () => {
    const columns = await driverOf([exact]).discover.columns(exact);
    const types = Object.fromEntries((columns ?? []).map(({ name, scalar }) => [name, scalar?.type]));
    expect(types).toMatchObject({ id: 'number', amount: 'number', day: 'date', at: 'dateTime', code: 'string' });
    expect(columns?.find(({ name }) => name === 'code')?.scalar).toEqual({ type: 'string', limits: { maxLength: 5 } });
    await expect(driverOf([stream('nothing', ['id'])]).check()).rejects.toMatchObject({
      words: 'The database has no erp.nothing',
    });
  });

  test('of a key that is not unique refuses the stream', async () => {
    const wrong = { ...order, key: ['area'] };
    const probe = driverOf([wrong]).discover.probe(wrong, { actions: [], writes: new Set() });
    await expect(probe).rejects.toMatchObject({ words: expect.stringContaining('is not unique') });
  });

  test('of a key of bytes refuses the stream', async () => {
    const columns = driverOf([exact]).discover.columns({ ...exact, key: ['bytes'] });
    const words = expect.stringContaining('"bytes" (varbinary(4)) cannot be part of the key');
    await expect(columns).rejects.toMatchObject({ kind: 'rejected', words });
  });
});

describe('failures', () => {
  test.each([
    ['a wrong password', { password: 'wrong' }, 'unauthorized'],
    ['no such database', { pathname: '/nothing' }, 'unauthorized'],
    ['no server', { port: '1' }, 'unavailable'],
  ])('%s', async (_, change, kind) => {
    const driver = openSql(platformOf([order]), { url: Object.assign(new URL(server.url), change).href });
    await expect(driver.check()).rejects.toMatchObject({ kind, clientWords: expect.not.stringMatching(/erp|127/) });
    await driver.close();
  });

  test('a statement that takes too long is ended by the database', async () => {
    await client.query('LOCK TABLES `order` WRITE');
    const driver = driverOf([order], { options: { statementTimeoutMs: 1_000 } });
    await expect(driver.read(order, 'A1/1')).rejects.toMatchObject({
      kind: expect.stringMatching(/unavailable|conflict/),
    });
    await client.query('UNLOCK TABLES');
    expect(await driver.read(order, 'A1/1')).toMatchObject({ no: 1 });
  });

  test('a login without a right is forbidden to read, and clients see no name', async () => {
    await client.query('CREATE DATABASE hidden; CREATE TABLE hidden.secret (id int PRIMARY KEY)');
    const secret = stream('hidden.secret', ['id']);
    await expect(
      driverOf([secret], { user: 'reader' }).pull({ stream: secret, from: null, limit: 1 }),
    ).rejects.toMatchObject({
      kind: 'forbidden',
      clientWords: 'The user of the connection is not allowed to do this in the connected system',
    });
  });

  test('more bytes than the limit end the connection', async () => {
    const driver = openSql(platformOf([order]), { url: server.url }, {}, { maxReceivedBytes: 20_000 });
    await expect(keysOf((from) => driver.pull({ stream: order, from, limit: 300 }))).rejects.toMatchObject({
      kind: 'invalid',
      words: 'The database sends more than 20000 bytes',
    });
    await driver.close();
  });

  test('a read-only connection refuses every change, by the database', async () => {
    const rules = { privateHosts: parsePrivateHosts('127.0.0.1'), allowPrivate: false };
    const database = mysqlDialect.open(server.url, { statementTimeoutMs: 60_000, readOnly: true, events: {}, rules });
    const change = database.transaction((query) => query('DELETE FROM `order` WHERE no = $1', [1]));
    await expect(change).rejects.toMatchObject({ kind: 'forbidden', clientWords: 'The connection is read-only' });
    await expect(database.query('DELETE FROM `order`')).rejects.toMatchObject({ kind: 'forbidden' });
    await database.close();
  });
});
