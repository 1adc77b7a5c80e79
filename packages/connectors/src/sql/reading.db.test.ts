import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import type { PullRequest } from '../driver.ts';
import type { Json } from '../json.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
});
afterAll(() => system.stop());

async function readAll(request: Partial<PullRequest> & { since?: Json }): Promise<string[]> {
  const keys: string[] = [];
  let from: PullRequest['from'] = request.from ?? null;
  do {
    const wanted = { stream: system.head, limit: 3, ...request, from };
    const page =
      request.since === undefined
        ? await system.driver.pull(wanted)
        : await system.driver.changes.pull({ ...wanted, since: request.since });
    keys.push(...page.rows.map(({ key }) => key));
    from = page.next;
  } while (from !== null);
  return keys;
}

describe('reading', () => {
  test('rows are plain JSON with exact numbers, and contain the keys of their lines', async () => {
    const lines = [{ qty: 5 }, { qty: 6, pos: 10 }];
    const at = '2026-11-20 10:00:00.123456+01';
    const { key } = await system.create({
      name: 'One',
      amount: '358.00',
      day: '2026-11-20',
      at,
      flag: true,
      extra: { a: [1] },
      lines,
    });
    expect(await system.driver.read(system.head, key)).toMatchObject({
      no: key,
      name: 'One',
      amount: '358.00',
      day: '2026-11-20',
      at: '2026-11-20T09:00:00.123Z',
      flag: true,
      extra: { a: [1] },
      lines: [`${key}/1`, `${key}/10`],
    });
    expect(await system.driver.read(system.line, `${key}/10`)).toMatchObject({ qty: 6 });
    expect(await system.driver.read(system.head, '999999')).toBeNull();
  });

  test('no row has a key beyond the range of its column', async () => {
    expect(await system.driver.read(system.head, '9'.repeat(30))).toBeNull();
  });

  test('a row whose view has a number out of range is an error, and is not reported as missing', async () => {
    await system.client.query(`CREATE VIEW "Old ERP".narrow AS
      SELECT no::smallint, name, (no * 1_000_000)::int AS scaled FROM (VALUES (1, 'small'), (30_000, 'large')) AS t (no, name)`);
    const narrow = { ...system.head, name: 'narrow', options: {} };
    const driver = openSql({ ...system.platform, streams: [narrow] }, { url: system.url });
    expect(await driver.read(narrow, '1')).toMatchObject({ name: 'small' });
    expect(await driver.read(narrow, '70000')).toBeNull();
    await expect(driver.read(narrow, '30000')).rejects.toMatchObject({ kind: 'rejected' });
    await driver.close();
  });

  test('numbers in JSON keep digits beyond 2^53, as text', async () => {
    const { key } = await system.create({ name: 'Big' });
    const json = '{"id": 9007199254740993, "parts": [1, 1152921504606846976], "share": 0.25}';
    await system.client.query('UPDATE "Old ERP"."Head" SET extra = $2 WHERE no = $1', [key, json]);
    expect(await system.driver.read(system.head, key)).toMatchObject({
      extra: { id: '9007199254740993', parts: [1, '1152921504606846976'], share: 0.25 },
    });
  });

  test('dates and timestamps do not depend on the output format of the system', async () => {
    await system.client.query(`ALTER DATABASE unified SET datestyle TO 'German, DMY';
      ALTER DATABASE unified SET timezone TO 'Europe/Berlin'`);
    const driver = openSql(system.platform, { url: system.url });
    const read = async (at: string) => {
      const { key } = await driver.writes.create(
        system.head,
        { name: 'Shown', day: '2026-02-01', at },
        system.intent(),
      );
      return driver.read(system.head, key);
    };
    expect(await read('2026-02-01T23:30:00Z')).toMatchObject({ day: '2026-02-01', at: '2026-02-01T23:30:00.000Z' });
    expect(await read('1890-01-01T00:00:00Z')).toMatchObject({ at: '1890-01-01T00:00:00.000Z' });
    expect(await read('infinity')).toMatchObject({ at: 'infinity' });
    expect(await read('10000-01-01T00:00:00Z')).toMatchObject({ at: '10000-01-01 01:00:00+01' });
    await driver.close();
    await system.client.query('ALTER DATABASE unified RESET ALL');
  });

  test('a full pass reads every row once, page by page, including rows inserted during the pass', async () => {
    for (let index = 0; index < 7; index++) await system.create({ name: `Row ${index}` });
    const first = await system.driver.pull({ stream: system.head, from: null, limit: 3 });
    const late = await system.create({ name: 'Late' });
    const rest = await readAll({ from: first.next });
    const keys = [...first.rows.map(({ key }) => key), ...rest];
    const { rows } = await system.client.query('SELECT no::text FROM "Old ERP"."Head" ORDER BY "Head".no');
    expect(keys).toEqual(rows.map(({ no }) => no));
    expect(keys).toContain(late.key);
  });

  test('an incremental pass reads rows changed since the mark, including those with the same timestamp', async () => {
    const mark = await system.driver.changes.mark(system.head);
    await system.client.query(
      `UPDATE "Old ERP"."Head" SET changed = now(), name = name || '!' WHERE no IN (2, 3, 5, 7)`,
    );
    expect(await readAll({ since: mark })).toEqual(['2', '3', '5', '7']);
    expect(await readAll({ since: await system.driver.changes.mark(system.head) })).toEqual([]);
  });

  test('the mark precedes the beginning of every open transaction', async () => {
    await system.client.query('BEGIN');
    await system.client.query(`UPDATE "Old ERP"."Head" SET changed = now() WHERE no = 4`);
    const mark = await system.driver.changes.mark(system.head);
    await system.client.query('COMMIT');
    expect(await readAll({ since: mark })).toContain('4');
  });
});
