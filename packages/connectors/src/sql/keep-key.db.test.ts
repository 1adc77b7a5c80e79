import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { openSql, type SqlDriver } from './open-sql.ts';

let system: SqlSystem;
let driver: SqlDriver;

const stream = (name: string, key: readonly string[], options: Readonly<Record<string, Json>> = {}): Stream => ({
  ...{ name, key, order: 0, deletes: 'diff', pageSize: 100 },
  options,
});
const party = stream('Party', ['kind', 'no'], {
  actions: { rename: {}, move: { set: { no: 8 } }, stay: { set: { no: 7, name: 'Stayed' } } },
});
const always = stream('Always', ['id']);

beforeAll(async () => {
  system = await startSqlSystem();
  await system.client.query(`
    CREATE TABLE "Old ERP"."Party" (kind char(4), no numeric(8, 2), name text, PRIMARY KEY (kind, no));
    CREATE TABLE "Old ERP"."PartyNote" (kind char(4), no numeric(8, 2), FOREIGN KEY (kind, no) REFERENCES "Old ERP"."Party");
    INSERT INTO "Old ERP"."Party" VALUES ('V', 7, 'Before'); INSERT INTO "Old ERP"."PartyNote" VALUES ('V', 7);
    CREATE TABLE "Old ERP"."Always" (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
    INSERT INTO "Old ERP"."Always" (name) VALUES ('Before')`);
  driver = openSql({ ...system.platform, streams: [party, always] }, { url: system.url });
});
afterAll(async () => {
  await driver.close();
  await system.stop();
});

const rows = async () => (await system.client.query(`SELECT kind::text, no::int, name FROM "Old ERP"."Party"`)).rows;

test.each([
  ['a column', { name: 'New', no: 8 }, 'The key column "no" of Party cannot be changed'],
  ['several columns', { kind: 'W', no: '8' }, 'The key columns "kind", "no" of Party cannot be changed'],
  ['no value', { kind: null }, 'The key column "kind" of Party cannot be changed'],
])('a key cannot be changed by an update or an action: %s', async (_, values, words) => {
  const refusal = { kind: 'rejected', words };
  await expect(driver.writes.update(party, 'V/7.00', values, system.intent())).rejects.toMatchObject(refusal);
  await expect(driver.actions.act(party, 'V/7.00', 'rename', values, system.intent())).rejects.toMatchObject(refusal);
  expect(await rows()).toEqual([{ kind: 'V', no: 7, name: 'Before' }]);
});

test('a key cannot be changed by the values that an action sets', async () => {
  const moved = driver.actions.act(party, 'V/7.00', 'move', {}, system.intent());
  await expect(moved).rejects.toMatchObject({ words: 'The key column "no" of Party cannot be changed' });
  await driver.actions.act(party, 'V/7.00', 'stay', {}, system.intent());
  expect(await rows()).toEqual([{ kind: 'V', no: 7, name: 'Stayed' }]);
});

test('the same key is accepted, whatever its blanks and zeros', async () => {
  await driver.writes.update(party, 'V/7.00', { kind: 'V   ', no: 7, name: 'Number' }, system.intent());
  expect(await rows()).toEqual([{ kind: 'V', no: 7, name: 'Number' }]);
  await driver.writes.update(party, 'V/7.00', { kind: 'V', no: '7.0' }, system.intent());
  await driver.actions.act(party, 'V/7.00', 'rename', { kind: 'V ', no: '07', name: 'Text' }, system.intent());
  expect(await rows()).toEqual([{ kind: 'V', no: 7, name: 'Text' }]);
});

test('the same key is accepted if the table refuses any value for it', async () => {
  await driver.writes.update(always, '1', { id: 1, name: 'After' }, system.intent());
  expect(await driver.read(always, '1')).toEqual({ id: 1, name: 'After' });
});

test('a deleted row is reported as deleted, even if its key is sent', async () => {
  const gone = driver.writes.update(party, 'V/9.00', { kind: 'V', no: 9 }, system.intent());
  await expect(gone).rejects.toMatchObject({ kind: 'gone', words: 'Party V/9.00 no longer exists' });
});
