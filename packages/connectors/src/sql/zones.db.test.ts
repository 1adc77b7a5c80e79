import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/system-database.ts';
import { type ZonedSystem, zonedSystem } from '../../test/zoned-system.ts';
import type { Json } from '../json.ts';

let server: Awaited<ReturnType<typeof testDatabase>>;
const opened: ZonedSystem[] = [];

beforeAll(async () => {
  server = await testDatabase();
});
afterEach(async () => {
  for (const system of opened.splice(0)) await system.close();
});
afterAll(() => server.stop());

async function systemIn(zone: string, options: Readonly<Record<string, Json>> = {}): Promise<ZonedSystem> {
  const system = await zonedSystem(server.url, zone, options);
  opened.push(system);
  return system;
}

const zones = ['America/Los_Angeles', 'UTC', 'Asia/Kathmandu', 'Pacific/Auckland'];

describe.each(zones)('a database in zone %s', (zone) => {
  test.each([
    ['timestamp', 'touched'],
    ['timestamptz', 'touched_at'],
    ['date', 'day'],
  ])('a row updated with now() is found by an incremental run whose cursor is a %s', async (_, cursor) => {
    const { driver, client, pulled, by } = await systemIn(zone);
    const mark = await driver.changes.mark(by(cursor));
    await client.query(`UPDATE orders SET touched = now(), touched_at = now(), day = now() WHERE id IN (3, 5)`);
    expect(await pulled(by(cursor), mark)).toEqual(['3', '5']);
  });

  test('rows updated before the previous pass are not read again', async () => {
    const { driver, client, pulled, orders } = await systemIn(zone);
    await client.query('UPDATE orders SET touched = now() WHERE id = 3');
    expect(await pulled(orders, await driver.changes.mark(orders))).toEqual([]);
  });

  test('a timestamp is interpreted in the zone of the database, and so is its day', async () => {
    const { client, row } = await systemIn(zone);
    await client.query(`UPDATE orders SET ordered = now(), delivered = now(), touched = '2026-07-01' WHERE id = 1`);
    const { ordered, delivered, touched } = await row('1');
    expect(Date.parse(String(ordered))).toBe(Date.parse(String(delivered)));
    expect(touched).toMatch(/^2026-07-01T00:00:00/);
  });

  test('an instant that is written is read back as the same instant, and a day as the same day', async () => {
    const { driver, orders, intent, row } = await systemIn(zone);
    const { key } = await driver.writes.create(orders, { id: 77, ordered: '2026-07-01T20:30:00.000Z' }, intent());
    expect(Date.parse(String((await row(key)).ordered))).toBe(Date.parse('2026-07-01T20:30:00.000Z'));
    await driver.writes.update(orders, key, { ordered: '2026-07-01' }, intent());
    expect((await row(key)).ordered).toMatch(/^2026-07-01T00:00:00/);
    const sent = { name: 'Lost', ordered: '2026-07-01T20:30:00.000Z' };
    await driver.writes.create(orders, { id: 78, ...sent }, intent());
    expect(await driver.writes.findCreated(orders, sent, intent())).toEqual({ key: '78' });
  });
});

describe('when clocks change', () => {
  // On 1 November 2026 the clocks of Los Angeles show the hour from 1:00 twice: from 8:00 and from 9:00 UTC.
  test.each([
    ['just before the clocks go back', '2026-11-01T08:50:00Z', '2026-11-01T09:05:00Z'],
    ['long before', '2026-11-01T06:00:00Z', '2026-11-01T09:05:00Z'],
    ['in the second of the two hours', '2026-11-01T09:10:00Z', '2026-11-01T09:20:00Z'],
    ['after it', '2026-11-01T10:10:00Z', '2026-11-01T10:20:00Z'],
  ])('a pass that began %s misses no later change', async (_, mark, touched) => {
    const { client, pulled, orders } = await systemIn('America/Los_Angeles');
    await client.query('UPDATE orders SET touched = $1::timestamptz WHERE id = 4', [touched]);
    expect(await pulled(orders, mark)).toEqual(['4']);
  });

  // On 8 March 2026 the hour from 2:00 does not exist in Los Angeles: 10:00 UTC is 3:00.
  test.each([
    ['2026-03-08T09:59:00Z', '2026-03-08T10:01:00Z'],
    ['2026-03-08T10:00:00Z', '2026-03-08T10:00:00Z'],
  ])('the skipped hour hides no change: pass at %s, change at %s', async (mark, touched) => {
    const { client, pulled, orders, row } = await systemIn('America/Los_Angeles');
    await client.query('UPDATE orders SET touched = $1::timestamptz WHERE id = 4', [touched]);
    expect(await pulled(orders, mark)).toEqual(['4']);
    expect(Date.parse(String((await row('4')).touched))).toBe(Date.parse(touched));
  });

  test('a skipped local time is read as one hour later', async () => {
    const { client, row } = await systemIn('America/Los_Angeles');
    await client.query(`UPDATE orders SET touched = '2026-03-08 02:30' WHERE id = 4`);
    expect(Date.parse(String((await row('4')).touched))).toBe(Date.parse('2026-03-08T10:30:00Z'));
  });
});

describe('the zone of a column', () => {
  test('is that of the column in the platform, otherwise that of the stream', async () => {
    const { driver, client, pulled, orders, row } = await systemIn('America/Los_Angeles', {
      timezone: 'UTC',
      columns: { ordered: { timezone: 'Pacific/Auckland' } },
    });
    await client.query(`UPDATE orders SET touched = '2026-07-01 12:00', ordered = '2026-07-01 12:00' WHERE id = 1`);
    expect(await row('1')).toMatchObject({
      touched: '2026-07-01T12:00:00.000Z',
      ordered: '2026-07-01T12:00:00.000+12:00',
    });
    const mark = await driver.changes.mark(orders);
    await client.query(`UPDATE orders SET touched = now() AT TIME ZONE 'UTC' WHERE id = 2`);
    expect(await pulled(orders, mark)).toEqual(['2']);
  });

  test('is not the one set for the login of the connection', async () => {
    const { driver, client, pulled, orders } = await systemIn('America/Los_Angeles');
    await client.query('ALTER ROLE CURRENT_USER SET timezone TO UTC');
    try {
      const mark = await driver.changes.mark(orders);
      await client.query('UPDATE orders SET touched = now() WHERE id = 2');
      expect(await pulled(orders, mark)).toEqual(['2']);
    } finally {
      await client.query('ALTER ROLE CURRENT_USER RESET timezone');
    }
  });

  test('timestamps before time zones existed are read', async () => {
    const { client, row } = await systemIn('America/Los_Angeles');
    await client.query(`UPDATE orders SET touched = '1850-05-01 00:00' WHERE id = 1`);
    expect(await row('1')).toMatchObject({ touched: expect.stringMatching(/^1850-05-01T00:00:/) });
  });

  test.each([
    ['infinity', 'infinity'],
    ['-infinity', '-infinity'],
    ['0044-03-15 12:00 BC', '0044-03-15 12:00:00 BC'],
    ['12000-01-01 00:00', '12000-01-01 00:00:00'],
    ['9999-12-31 15:00', '9999-12-31T15:00:00.000-08:00'],
    ['9999-12-31 17:00', '9999-12-31T17:00:00.000 America/Los_Angeles'],
  ])('%s is not lost, so that a mapping can report what RFC 3339 does not have', async (written, shown) => {
    const { client, row } = await systemIn('America/Los_Angeles');
    await client.query(`UPDATE orders SET ordered = $1, delivered = $2 WHERE id = 1`, [written, written]);
    expect(await row('1')).toMatchObject({ ordered: shown, delivered: expect.any(String) });
  });
});

test('a mark of an earlier version, which interpreted local times as UTC, makes the next pass read every row', async () => {
  const { client, pulled, orders, by } = await systemIn('America/Los_Angeles');
  await client.query(`UPDATE orders SET touched = '2026-11-20 01:00', touched_at = '2026-11-20 01:00' WHERE id = 4`);
  const mark = '2026-11-20T10:00:00.123456+00:00';
  expect(await pulled(orders, mark, 4)).toHaveLength(9);
  expect(await pulled(by('touched_at'), mark)).toEqual([]);
});

describe('a cursor that is a number', () => {
  const touch = `UPDATE orders SET version = nextval('versions') WHERE id = $1`;

  test('finds rows with a higher number, and rereads at most the last row', async () => {
    const { driver, client, pulled, by } = await systemIn('America/Los_Angeles');
    const stream = by('version');
    for (const id of [2, 4]) await client.query(touch, [id]);
    const mark = await driver.changes.mark(stream);
    for (const id of [7, 8]) await client.query(touch, [id]);
    expect(await pulled(stream, mark)).toEqual(['4', '7', '8']);
  });

  test('misses no row whose number was assigned before a pass and became visible after it', async () => {
    const { driver, client, pulled, by, another } = await systemIn('America/Los_Angeles');
    const stream = by('version');
    const first = await driver.changes.mark(stream);
    const slow = await another();
    await slow.query('BEGIN');
    await slow.query(touch, [3]);
    await client.query(touch, [5]);
    const second = await driver.changes.mark(stream, first);
    expect(await pulled(stream, first)).toContain('5');
    await slow.query('COMMIT');
    const third = await driver.changes.mark(stream, second);
    expect(await pulled(stream, second)).toContain('3');
    expect(await pulled(stream, third)).toEqual(['5']);
  });
});
