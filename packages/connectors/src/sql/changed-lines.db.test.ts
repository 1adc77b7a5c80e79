import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/system-database.ts';
import { type ZonedSystem, zonedSystem } from '../../test/zoned-system.ts';
import { ROW_KEY } from '../driver.ts';
import type { Json } from '../json.ts';

let server: Awaited<ReturnType<typeof testDatabase>>;
let system: ZonedSystem;

beforeAll(async () => {
  server = await testDatabase();
});
afterEach(() => system.close());
afterAll(() => server.stop());

/** Orders with lines, and with notes in the same table. */
async function start(words: Readonly<Record<string, Json>> = { cursor: 'changed' }): Promise<ZonedSystem> {
  const list = (kind: string) => ({
    ...{ table: 'lines', parent: { order: 'id' }, where: { kind }, key: ['id'], written: true },
    ...words,
  });
  system = await zonedSystem(server.url, 'America/Los_Angeles', {
    children: { lines: list('line'), notes: list('note') },
  });
  return system;
}

const insert = (id: number, order: number, kind = 'line') =>
  `INSERT INTO lines (id, "order", kind, version) VALUES (${id}, ${order}, '${kind}', nextval('versions'))`;

test('a line that is inserted without updating its order is in the order after an incremental run', async () => {
  const { driver, client, pulled, orders, row } = await start();
  const mark = await driver.changes.mark(orders);
  await client.query(insert(100, 4));
  expect(await pulled(orders, mark)).toEqual(['4']);
  expect((await row('4')).lines).toEqual(['4', '100']);
});

test('a changed line of any list is found as well, and lines that changed before the mark are not read again', async () => {
  const { driver, client, pulled, orders } = await start();
  await client.query(insert(100, 9, 'note'));
  const mark = await driver.changes.mark(orders);
  await client.query('UPDATE orders SET touched = now() WHERE id = 2');
  await client.query('UPDATE lines SET changed = now() WHERE id = 6');
  await client.query(insert(101, 7, 'note'));
  expect(await pulled(orders, mark)).toEqual(['2', '6', '7']);
});

test.each([1, 2, 3, 100])('pages of %i read every order with changed lines', async (limit) => {
  const { driver, client, pulled, orders } = await start();
  const mark = await driver.changes.mark(orders);
  await client.query('UPDATE orders SET touched = now() WHERE id < 3');
  // One transaction gives all of them the same timestamp.
  await client.query([3, 4, 4, 4, 5, 6, 4].map((order, index) => insert(100 + index, order)).join(';'));
  await client.query(insert(200, 8, 'note'));
  const keys = await pulled(orders, mark, limit);
  expect([...new Set(keys)].sort()).toEqual(['1', '2', '3', '4', '5', '6', '8']);
});

test('lines without an order, and lists without changes, do not end a pass early', async () => {
  const { driver, client, pulled, orders } = await start();
  const mark = await driver.changes.mark(orders);
  await client.query([insert(100, 555), insert(101, 556), insert(102, 3, 'note')].join(';'));
  expect(await pulled(orders, mark, 1)).toEqual(['3']);
});

test('a line with a number cursor is found as well', async () => {
  const { driver, client, pulled, orders } = await start({ cursor: 'version' });
  const mark = await driver.changes.mark(orders);
  await client.query('UPDATE lines SET version = nextval($1) WHERE id = 5', ['versions']);
  expect(await pulled(orders, mark)).toContain('5');
  const later = await driver.changes.mark(orders, mark);
  await client.query('UPDATE lines SET version = nextval($1) WHERE id = 8', ['versions']);
  expect(await pulled(orders, later)).toEqual(['5', '8']);
});

test('a list without a cursor is read with its order, and by full passes', async () => {
  const { driver, client, pulled, orders, row } = await start({});
  const mark = await driver.changes.mark(orders);
  await client.query(insert(100, 4));
  expect(await pulled(orders, mark)).toEqual([]);
  expect((await row('4')).lines).toEqual(['4', '100']);
});

test('a deleted line is absent from its order after the next full pass', async () => {
  const { driver, client, orders } = await start();
  await client.query('DELETE FROM lines WHERE id = 4');
  const { rows } = await driver.pull({ stream: orders, from: null, limit: 100 });
  expect(rows.find(({ key }) => key === '4')?.row).toMatchObject({ lines: [] });
});

test('a write cannot move a line to another order or list', async () => {
  const { driver, client, orders, intent } = await start();
  const line = { [ROW_KEY]: '4', order: 5, kind: 'note', version: 7 };
  await driver.writes.update(orders, '4', { lines: [line] }, intent());
  const { rows } = await client.query('SELECT "order", kind, version FROM lines WHERE id = 4');
  expect(rows).toEqual([{ order: '4', kind: 'line', version: '7' }]);
});

test('a probe reports a column that cannot be a cursor', async () => {
  const { driver, orders } = await start({ cursor: 'kind' });
  await expect(driver.discover.probe(orders, { actions: [], writes: new Set() })).rejects.toMatchObject({
    kind: 'rejected',
    words: 'The cursor "kind" is of type text; it must be a timestamp, a date or a number',
  });
});
