import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import type { Stream } from '../platform.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
  await system.client.query(`
    CREATE SCHEMA "Trade";
    CREATE TABLE "Trade"."PoLine" ("Branch" char(2), "PoNo" int, "LineNo" int, text text, PRIMARY KEY ("Branch", "PoNo", "LineNo"));
    CREATE UNIQUE INDEX ON "Trade"."PoLine" ("Branch", "LineNo") INCLUDE (text) WHERE "PoNo" > 100;
    INSERT INTO "Trade"."PoLine" SELECT 'N', no, line, 'x' FROM generate_series(1, 3) no, generate_series(1, 3) line;
    CREATE VIEW "Trade"."Lines" AS SELECT * FROM "Trade"."PoLine";
    CREATE TABLE "Trade"."Optional" (code text UNIQUE);
    INSERT INTO "Trade"."Optional" VALUES (NULL), (NULL);
    CREATE TABLE "Trade"."Included" (code text NOT NULL, extra text NOT NULL);
    CREATE UNIQUE INDEX ON "Trade"."Included" (code) INCLUDE (extra);
    CREATE FUNCTION "Trade".slow(no int) RETURNS boolean LANGUAGE plpgsql COST 100000 AS
      $$ BEGIN IF no > 50 THEN PERFORM pg_sleep(60); END IF; RETURN true; END $$;
    CREATE TABLE "Trade"."Many" (no int NOT NULL);
    INSERT INTO "Trade"."Many" SELECT generate_series(1, 60);
    CREATE INDEX ON "Trade"."Many" (no);
    CREATE VIEW "Trade"."Slow" AS SELECT no FROM "Trade"."Many" WHERE "Trade".slow(no)`);
});
afterAll(() => system.stop());

async function probe(name: string, key: readonly string[], statementTimeoutMs = 60_000) {
  const stream: Stream = { name, key, order: 0, deletes: 'diff', pageSize: 100, options: {} };
  const options = { ...system.platform.options, statementTimeoutMs };
  const driver = openSql({ ...system.platform, streams: [stream], options }, { url: system.url });
  try {
    return await driver.discover.probe(stream, { actions: [], writes: new Set() });
  } finally {
    await driver.close();
  }
}

test.each([
  ['a table', 'Trade.PoLine', ['Branch', 'LineNo']],
  ['a view', 'Trade.Lines', ['PoNo']],
  ['a unique column without values', 'Trade.Optional', ['code']],
])('a probe refuses a key that is not unique in %s', async (_, name, key) => {
  const words = `${name}: the key (${key.join(', ')}) is not unique; add the columns that make it so`;
  await expect(probe(name, key)).rejects.toMatchObject({ kind: 'rejected', words });
});

test.each([
  ['by the primary key', 'Trade.PoLine', ['LineNo', 'PoNo', 'Branch', 'text']],
  ['by its rows', 'Trade.Lines', ['PoNo', 'LineNo']],
  ['by an index with other columns included', 'Trade.Included', ['code']],
])('a probe accepts a key that is unique %s', async (_, name, key) => {
  expect(await probe(name, key)).toMatchObject({ problems: [], notes: [] });
});

test('a key that cannot be checked in time is only reported', async () => {
  const { sample, notes } = await probe('Trade.Slow', ['no'], 1_000);
  expect(sample).toMatchObject({ key: '1' });
  expect(notes).toEqual([expect.stringContaining('No index makes the key (no) of Trade.Slow unique')]);
});

test('a page has one more row if its last key is not unique, so that the other row is read as well', async () => {
  const stream: Stream = { name: 'Trade.PoLine', key: ['LineNo'], order: 0, deletes: 'diff', pageSize: 2, options: {} };
  const driver = openSql({ ...system.platform, streams: [stream] }, { url: system.url });
  const first = await driver.pull({ stream, from: null, limit: 2 });
  const second = await driver.pull({ stream, from: first.next, limit: 4 });
  expect(first.rows.map(({ key }) => key)).toEqual(['1', '1', '1']);
  expect(second.rows.map(({ key }) => key)).toEqual(['2', '2', '2', '3', '3']);
  await driver.close();
});
