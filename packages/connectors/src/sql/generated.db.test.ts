import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/system-database.ts';
import type { Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { compileMapping } from '../mapping/compile.ts';
import type { Platform, Stream } from '../platform.ts';
import { openSql, type SqlDriver } from './open-sql.ts';

let server: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  server = await testDatabase();
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE SCHEMA "Purchasing"; CREATE SEQUENCE "Purchasing"."VendorNo" START 7;
    CREATE FUNCTION "Purchasing"."nextAccount"() RETURNS text LANGUAGE sql AS $$ SELECT 'F' || nextval('"Purchasing"."VendorNo"') $$;
    CREATE TABLE "Purchasing"."Vendor" (id serial PRIMARY KEY, "AccountNumber" char(10) NOT NULL UNIQUE, name text);
    CREATE TABLE "Purchasing"."Numbered" (code text PRIMARY KEY DEFAULT 'given', name text);
    CREATE TABLE "Purchasing"."Unit" (code char(5), kind char(2), name text, PRIMARY KEY (code, kind));
    INSERT INTO "Purchasing"."Unit" VALUES ('KG', 'W', 'Kilogram'), ('A/B%', 'W', 'Odd')`);
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

const stream = (name: string, key: readonly string[], options: Readonly<Record<string, Json>> = {}): Stream => ({
  ...{ name, key, order: 0, deletes: 'diff', pageSize: 100 },
  options,
});

/** Does some work through a driver whose platform has this stream. */
async function within<T>(
  stream: Stream,
  work: (driver: SqlDriver, create: (row: Row) => Promise<string>) => Promise<T>,
) {
  const platform: Platform = {
    ...{ id: 'generated', name: 'Generated', description: '', driver: 'sql', settings: {}, secrets: [], mappings: {} },
    ...{ streams: [stream], options: {}, broken: [] },
  };
  const driver = openSql(platform, { url: server.url });
  const intent = { writeId: 'w', position: null, sentAt: '2026-11-20T06:00:00Z' };
  try {
    return await work(driver, async (row) => (await driver.writes.create(stream, row, intent)).key);
  } finally {
    await driver.close();
  }
}

const vendors = (rule: Json) => stream('Purchasing.Vendor', ['id'], { generated: { AccountNumber: rule } });

test.each<[string, Json, string[]]>([
  ['a sequence', { sequence: 'Purchasing.VendorNo', prefix: 'V-', digits: 4 }, ['V-0007', 'V-0008']],
  ['a function', { function: 'Purchasing.nextAccount' }, ['F9', 'F10']],
  ['the highest so far', { highest: true, prefix: 'N.', digits: 3 }, ['N.001', 'N.002']],
])('a code that a create omits is assigned by %s', async (_, rule, codes) => {
  const given = await within(vendors(rule), async (driver, create) => {
    const keys = [await create({ name: 'Left out' }), await create({ name: 'Empty', AccountNumber: null })];
    return Promise.all(keys.map((key) => driver.read(vendors(rule), key)));
  });
  expect(given.map((row) => String(row?.AccountNumber).trim())).toEqual(codes);
});

test('creates at the same time get different codes', async () => {
  const rule = { highest: true, prefix: 'R' };
  await within(vendors(rule), (_, create) => Promise.all([1, 2, 3, 4].map((n) => create({ name: `Race ${n}` }))));
  const { rows } = await client.query(`SELECT trim("AccountNumber") AS code FROM "Purchasing"."Vendor"
    WHERE name LIKE 'Race%' ORDER BY 1`);
  expect(rows.map(({ code }) => code)).toEqual(['R1', 'R2', 'R3', 'R4']);
});

test('a code that is sent is kept, and a write that would clear it does not change it', async () => {
  const rule = { highest: true, prefix: 'K' };
  const row = await within(vendors(rule), async (driver, create) => {
    const key = await create({ name: 'Own', AccountNumber: 'OWN-1' });
    const intent = { writeId: 'u', position: null, sentAt: '2026-11-20T06:00:00Z' };
    await driver.writes.update(vendors(rule), key, { name: 'Renamed', AccountNumber: null }, intent);
    return driver.read(vendors(rule), key);
  });
  expect(row).toMatchObject({ name: 'Renamed', AccountNumber: 'OWN-1' });
});

test('the default of the table assigns the code if nothing or null is sent', async () => {
  const numbered = stream('Purchasing.Numbered', ['code'], { generated: { code: 'default' } });
  expect(await within(numbered, (_, create) => create({ code: null, name: 'x' }))).toBe('given');
});

test('keys of several padded columns have no blanks, and identify their row', async () => {
  const units = stream('Purchasing.Unit', ['code', 'kind']);
  await within(units, async (driver) => {
    const { rows } = await driver.pull({ stream: units, from: null, limit: 10 });
    expect(rows.map(({ key }) => key).sort()).toEqual(['A%2FB%25/W', 'KG/W']);
    expect(await driver.read(units, 'A%2FB%25/W')).toMatchObject({ name: 'Odd' });
    expect(await driver.read(units, 'KG/W')).toMatchObject({ name: 'Kilogram' });
  });
});

test('rows contain padded columns without padding, and other texts with their blanks', async () => {
  await client.query(`CREATE DOMAIN "Purchasing"."Group" AS char(6);
    CREATE TABLE "Purchasing"."Code" (id char(4) PRIMARY KEY, kind char(10), "group" "Purchasing"."Group", note text);
    INSERT INTO "Purchasing"."Code" VALUES ('A', ' W', 'G1', 'kept  '), ('B', '', NULL, ' ')`);
  const codes = stream('Purchasing.Code', ['id']);
  const wanted = [
    { id: 'A', kind: ' W', group: 'G1', note: 'kept  ' },
    { id: 'B', kind: '', group: null, note: ' ' },
  ];
  await within(codes, async (driver) => {
    const { rows } = await driver.pull({ stream: codes, from: null, limit: 10 });
    expect(rows).toEqual(wanted.map((row) => ({ key: row.id, row })));
    expect(await driver.read(codes, 'A')).toEqual(wanted[0]);
  });
});

test('lookups, conditions and keys use padded columns without padding; a blank one is part of a key', async () => {
  await client.query(`
    CREATE TABLE "Purchasing"."Term" (grp char(2), code char(2), PRIMARY KEY (grp, code));
    INSERT INTO "Purchasing"."Term" VALUES ('N', ''), ('N', '30');
    CREATE TABLE "Purchasing"."Buyer" (no char(4) PRIMARY KEY, state char(2), grp char(2), code char(2));
    INSERT INTO "Purchasing"."Buyer" VALUES ('1', 'A', 'N', ''), ('2', 'A', 'N', '30'), ('3', 'A', '', ''), ('4', 'B', 'N', '')`);
  const [terms, buyers] = [stream('Purchasing.Term', ['grp', 'code']), stream('Purchasing.Buyer', ['no'])];
  const mapping = compileMapping(
    {
      ...{ entity: 'Vendor', stream: 'Purchasing.Buyer', where: { path: 'state', equals: 'A' } },
      fields: {
        status: { lookup: { from: 'state', table: { A: 'active' } } },
        label: { concat: { parts: ['grp', 'code'], separator: '-' } },
        term: { ref: { entity: 'PaymentTerm', by: '_idValue', value: { key: ['grp', 'code'] } } },
      },
    },
    { file: 'vendor.yaml' },
  );
  const keys = await within(terms, async (driver) => (await driver.pull({ stream: terms, from: null, limit: 9 })).rows);
  expect(keys.map(({ key }) => key)).toEqual(['N/', 'N/30']);
  await within(buyers, async (driver, create) => {
    const { rows } = await driver.pull({ stream: buyers, from: null, limit: 9 });
    const records = rows.flatMap((row) => mapping.read(row) ?? []);
    expect(records.map(({ values, references }) => [values.status, values.label, references.term])).toEqual([
      ['active', 'N', { entity: 'PaymentTerm', by: '_idValue', value: 'N/' }],
      ['active', 'N-30', { entity: 'PaymentTerm', by: '_idValue', value: 'N/30' }],
      ['active', null, null],
    ]);
    const { values } = mapping.write({ term: { entity: 'PaymentTerm', _idValue: 'N/' } }, { op: 'create' });
    const key = await create({ no: '5', state: 'A', ...values });
    expect(await driver.read(buyers, key)).toMatchObject({ grp: 'N', code: '' });
  });
});
