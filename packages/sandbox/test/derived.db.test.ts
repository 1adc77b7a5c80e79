import { readFileSync } from 'node:fs';
import { loadPlatform, type RawRow, type ValueProblem } from '@unified/connectors';
import { entities, type MappedRecord } from '@unified/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSql, type SqlDriver } from '../../connectors/src/sql/open-sql.ts';
import { testDatabase } from '../../connectors/test/system-database.ts';
import { withDerived } from '../src/derived/derived-platform.ts';
import { derivedTable, derivedTables } from '../src/derived/derived-table.ts';
import { codesSql, derivedSeed, tablesSql } from '../src/derived/seed-derived.ts';
import { packageFolder, sandboxFolder } from '../src/folders.ts';
import { found } from './sandbox.ts';

/** Every entity of the document, as if none had a handwritten table. */
const tables = Object.values(entities)
  .filter(({ view }) => !view)
  .map(derivedTable);
const platform = withDerived({ ...loadPlatform(sandboxFolder), streams: [], mappings: {}, options: {} }, tables);
const seeded = derivedSeed([], tables);
let driver: SqlDriver;
let stop: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE SCHEMA derived; SET search_path TO derived; ${tablesSql(tables)}`);
  for (const { table, rows } of seeded) {
    const columns = Object.keys(rows[0] ?? {})
      .map(pg.escapeIdentifier)
      .join(', ');
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
  await client.query(readFileSync(`${packageFolder}sql/every-table.sql`, 'utf8'));
  await client.query(codesSql(tables));
  await client.end();
  driver = openSql(platform, { url: database.url, schema: 'derived' });
  stop = async () => {
    await driver.close();
    await database.stop();
  };
});
afterAll(() => stop());

const intent = { writeId: 'write', position: null, sentAt: '2026-11-20T06:00:00Z' };

describe.each(tables)('a table derived from $entity.name', ({ entity }) => {
  const mapping = found(platform.mappings[entity.name], entity.name);
  const stream = found(
    platform.streams.find(({ name }) => name === entity.table),
    entity.table,
  );
  const pull = async () => (await driver.pull({ stream, from: null, limit: 100 })).rows;
  const readAll = (rows: readonly RawRow[], problems?: ValueProblem[]) =>
    rows.map((row) => found(mapping.read(row, problems), row.key));
  const values = (records: readonly MappedRecord[], name: string) =>
    records.map((record) => record.references[name] ?? record.values[name]);

  test('has records that the document allows, with a value of every field', async () => {
    const problems: ValueProblem[] = [];
    const records = readAll(await pull(), problems);
    expect(problems).toEqual([]);
    expect(new Set(values(records, 'code')).size).toBe(records.length);
    const isFilled = (value: unknown) =>
      value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
    const empty = entity.fields.filter(
      ({ name }) => mapping.fields.includes(name) && !values(records, name).some(isFilled),
    );
    expect(empty.map(({ name }) => name)).toEqual([]);
  });

  test('has references to rows that exist', async () => {
    const ids = new Set(seeded[0]?.rows.map(({ nr }) => String(nr)));
    const references = readAll(await pull()).flatMap((record) => Object.values(record.references).flat());
    expect(references.filter((reference) => reference && !ids.has(reference.value))).toEqual([]);
  });

  test('creates a copy of the plain fields of a record, with a new code', async () => {
    const plain = entity.fields.filter(
      ({ name, kind, writable }) => writable && name !== 'code' && !/relation|object|custom/.test(kind),
    );
    const [row] = await pull();
    const sample = found(mapping.read(found(row, 'row')), 'record');
    const request = Object.fromEntries(plain.map(({ name }) => [name, sample.values[name] ?? null]));
    const sent = mapping.write(request, { op: 'create' });
    expect(sent.unsupported).toEqual([]);
    const { key } = await driver.writes.create(stream, sent.values, { ...intent, writeId: `write ${entity.name}` });
    const created = found(mapping.read({ key, row: found(await driver.read(stream, key), key) }), key);
    expect(created.values).toMatchObject(request);
    expect(created.values.code).toMatch(/^[A-Z]+-\d+$/);
  });
});

test('every entity of the document has either a mapping file or a derived table', () => {
  const { mappings } = loadPlatform(sandboxFolder);
  const derived = derivedTables().map(({ entity }) => entity.name);
  expect([...Object.keys(mappings), ...derived].sort()).toEqual(tables.map(({ entity }) => entity.name).sort());
});
