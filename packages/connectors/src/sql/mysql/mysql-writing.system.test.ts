import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMariaDb, startMariaDb } from '../../../test/running-mariadb.ts';
import { describeWrites, head, intent, openWriter, type WrittenDatabase } from '../../../test/sql-writes.ts';
import type { Row } from '../../driver.ts';
import type { Stream } from '../../platform.ts';
import type { SqlDriver } from '../open-sql.ts';

const tables = `
  CREATE TABLE Head (no bigint AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL, state char(2) NOT NULL DEFAULT 'A',
    amount decimal(12, 2), day date, at datetime(6), stamp timestamp(3) NULL, whole datetime, rough float, flag boolean, extra json,
    code varchar(20) UNIQUE, CONSTRAINT \`HD-001: a head needs a name\` CHECK (name <> 'unnamed'),
    CONSTRAINT head_name_rule CHECK (name <> 'plain'));
  CREATE TABLE line (head bigint NOT NULL, pos int NOT NULL, qty int, CONSTRAINT qty_rule CHECK (qty > 0), PRIMARY KEY (head, pos),
    FOREIGN KEY (head) REFERENCES Head (no) ON DELETE CASCADE);
  CREATE TABLE pledge (head bigint NOT NULL, FOREIGN KEY (head) REFERENCES Head (no));
  CREATE TABLE done (id varchar(60) PRIMARY KEY, what varchar(60) NOT NULL, which varchar(60) NOT NULL);
  CREATE TABLE coded (area varchar(10), code varchar(36) DEFAULT (uuid()), name varchar(40), PRIMARY KEY (area, code));
  CREATE TRIGGER refuse BEFORE INSERT ON Head FOR EACH ROW
    IF NEW.name = 'blocked' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Sorry, blocked is blocked'; END IF;
  CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'reader';
  GRANT SELECT ON erp.* TO reader@'127.0.0.1';`;

let server: RunningMariaDb;
let client: Connection;
let system: WrittenDatabase & { readonly driver: SqlDriver };

beforeAll(async () => {
  server = await startMariaDb();
  client = await createConnection({ uri: server.url, multipleStatements: true });
  await client.query(tables);
  const database = { dialect: 'mysql', url: server.url };
  const run = async (statement: string) => {
    const [rows] = await client.query(statement);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  };
  system = { ...database, run, driver: openWriter(database) };
});
afterAll(async () => {
  await system.driver.close();
  await client.end();
  await server.stop();
});

/** A relay to the server that closes a connection as soon as the client has sent this statement. */
async function relayUntil(statement: string): Promise<{ readonly url: string; readonly relay: Server }> {
  const { hostname, port } = new URL(server.url);
  const relay = createServer((near: Socket) => {
    const far = connect(Number(port), hostname);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (bytes) => {
      // The text follows the length and the kind of the command.
      if (!bytes.subarray(5).toString().startsWith(statement)) return void far.write(bytes);
      far.unpipe(near);
      // The response proves that the server has carried out the statement.
      far.once('data', () => near.destroy()).resume();
      far.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const own = String((relay.address() as AddressInfo).port);
  return { url: Object.assign(new URL(server.url), { port: own }).href, relay };
}

describe('writing to MariaDB', () => {
  describeWrites(() => system);

  test('times are stored in the zone of their column, whatever offset they are sent with', async () => {
    const values = { at: '2026-11-20T10:00:00.123456+01:00', stamp: '2026-11-20T10:00:00.5Z', day: '2026-11-20' };
    const { key } = await system.driver.writes.create(head, { name: 'Timed', ...values }, intent());
    expect(await system.driver.read(head, key)).toMatchObject({
      ...{ at: '2026-11-20T09:00:00.123Z', stamp: '2026-11-20T10:00:00.500Z', day: '2026-11-20' },
    });
    expect(await system.run(`SELECT CAST(at AS CHAR) AS at FROM Head WHERE no = ${key}`)).toEqual([
      { at: '2026-11-20 09:00:00.123456' },
    ]);
    const elsewhere = openWriter(system, { timezone: 'Etc/GMT' });
    const { key: other } = await elsewhere.writes.create(head, { name: 'Zoned', ...values }, intent());
    expect(await elsewhere.read(head, other)).toMatchObject({ at: '2026-11-20T09:00:00.123Z' });
    await elsewhere.close();
  });

  test('objects are stored as JSON, and texts are not mistaken for times', async () => {
    const { key } = await system.driver.writes.create(
      head,
      { name: '2026-11-20T10:00:00+01:00', extra: { a: [1] } },
      intent(),
    );
    expect(await system.driver.read(head, key)).toMatchObject({ name: '2026-11-20T10:00:00+01:00', extra: { a: [1] } });
  });

  test.each([
    ['a number that is too large', { amount: 1e12 }, /^A number is out of the range/],
    ['a text that is too long', { state: 'ABC' }, /^A value is too long/],
    ['an invalid date', { day: 'soon' }, /^The connected system cannot store a value in this form$/],
  ])('%s is refused', async (_, values, words) => {
    const refused = system.driver.writes.create(head, { name: 'x', ...values }, intent());
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(words) });
  });

  test.each(['COMMIT', 'INSERT INTO `erp`.`done`'])(
    'after a connection that breaks at %s, the write is found or certainly not done',
    async (statement) => {
      const { url, relay } = await relayUntil(statement);
      const driver = openWriter({ dialect: 'mysql', url });
      const by = intent();
      const kind = statement === 'COMMIT' ? 'unknown' : 'unavailable';
      await expect(driver.writes.create(head, { name: statement }, by)).rejects.toMatchObject({ kind });
      const found = await system.driver.writes.findCreated(head, { name: statement }, by);
      const rows = await system.run(`SELECT no FROM Head WHERE name = '${statement}'`);
      expect(found).toEqual(statement === 'COMMIT' ? { key: String(rows[0]?.no) } : null);
      expect(rows).toHaveLength(statement === 'COMMIT' ? 1 : 0);
      const repeated = await system.driver.writes.create(head, { name: statement }, by);
      if (found) expect(repeated).toEqual(found);
      await driver.close();
      relay.close();
    },
  );

  test('a row without a known key is refused before it is inserted', async () => {
    const coded: Stream = {
      name: 'coded',
      key: ['area', 'code'],
      order: 0,
      deletes: 'diff',
      pageSize: 10,
      options: {},
    };
    const driver = openWriter(system, { streams: [coded] });
    await expect(driver.writes.create(coded, { area: 'A', name: 'x' }, intent())).rejects.toMatchObject({
      ...{ kind: 'rejected', words: expect.stringContaining('needs a value for code') },
    });
    expect(await driver.writes.create(coded, { area: 'A', code: 'C/1', name: 'x' }, intent())).toEqual({
      key: 'A/C%2F1',
    });
    expect(await system.run('SELECT code FROM coded')).toEqual([{ code: 'C/1' }]);
    await driver.close();
  });

  test('a row that another transaction holds is certainly not changed', async () => {
    const { key } = await system.driver.writes.create(head, { name: 'Held' }, intent());
    const hasty = openWriter(system, { statementTimeoutMs: 1_000 });
    await client.query('START TRANSACTION');
    await client.query('UPDATE Head SET name = ? WHERE no = ?', ['Locked', key]);
    const change = hasty.writes.update(head, key, { name: 'New' }, intent());
    await expect(change).rejects.toMatchObject({ kind: expect.stringMatching(/^(conflict|unavailable)$/) });
    await client.query('ROLLBACK');
    expect(await hasty.read(head, key)).toMatchObject({ name: 'Held' });
    await hasty.close();
  });

  test('a login that may only read is refused, and the check of the connection names what it lacks', async () => {
    const url = Object.assign(new URL(server.url), { username: 'reader', password: 'reader' }).href;
    const driver = openWriter({ dialect: 'mysql', url });
    await expect(driver.writes.create(head, { name: 'x' }, intent())).rejects.toMatchObject({ kind: 'forbidden' });
    const use = { actions: [], writes: new Set(['create', 'update', 'delete'] as const) };
    const { notes } = await driver.discover.probe(head, use);
    expect(notes.join('\n')).toContain('The login lacks INSERT, UPDATE, DELETE on erp.Head');
    await driver.close();
  });
});
