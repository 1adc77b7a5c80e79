import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlPlatform } from '../../test/sql-platform.ts';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
});
afterAll(() => system.stop());

describe('without a journal', () => {
  test('a lost create is found by its values among the rows inserted afterwards', async () => {
    const plain = openSql(sqlPlatform({ journal: false }), { url: system.url });
    const twin = { name: 'Twin', amount: 7 };
    try {
      await system.create(twin);
      const by = { ...system.intent(), position: await plain.writes.positionBeforeCreate(system.head, 'w', {}) };
      expect(await plain.writes.findCreated(system.head, twin, by)).toBeNull();
      const { key } = await plain.writes.create(system.head, twin, by);
      expect(await plain.writes.findCreated(system.head, twin, by)).toEqual({ key });
      await plain.writes.create(system.head, twin, by);
      await expect(plain.writes.findCreated(system.head, twin, by)).rejects.toMatchObject({ kind: 'unknown' });
    } finally {
      await plain.close();
    }
  });
});

describe('an unreachable system', () => {
  test.each([
    ['refuses connections', { port: '1' }, 'unavailable'],
    ['has a different password', { password: 'wrong' }, 'unauthorized'],
    ['has no such database', { pathname: '/nothing' }, 'unauthorized'],
  ])('%s', async (_, change, kind) => {
    const away = openSql(system.platform, { url: Object.assign(new URL(system.url), change).href });
    await expect(away.check()).rejects.toMatchObject({ kind });
    await expect(away.writes.create(system.head, { name: 'x' }, system.intent())).rejects.toMatchObject({ kind });
    await away.close();
  });

  test('a statement that takes too long has no effect and may be retried', async () => {
    const { key } = await system.create({ name: 'Locked' });
    const hasty = openSql(sqlPlatform({ journal: true, statementTimeoutMs: 1_000 }), { url: system.url });
    await system.client.query('BEGIN');
    await system.client.query('SELECT * FROM "Old ERP"."Head" WHERE no = $1 FOR UPDATE', [key]);
    await expect(hasty.writes.update(system.head, key, { name: 'Late' }, system.intent())).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await system.client.query('COMMIT');
    await hasty.close();
    expect(await system.driver.read(system.head, key)).toMatchObject({ name: 'Locked' });
  });

  test('check names the tables that are missing', async () => {
    await expect(system.driver.check()).resolves.toBeUndefined();
    await system.client.query('CREATE TABLE IF NOT EXISTS public.unrelated (id int)');
    const other = openSql(system.platform, { url: system.url, schema: 'public' });
    await expect(other.check()).rejects.toMatchObject({
      kind: 'rejected',
      words: 'The database has no public.Head, public.line',
    });
    await other.close();
  });

  test('check names the schema if it does not exist, once for all tables', async () => {
    const other = openSql(system.platform, { url: system.url, schema: 'Old EPR' });
    await expect(other.check()).rejects.toMatchObject({
      kind: 'unauthorized',
      words: 'There is no schema "Old EPR" with a table that the login can read',
      explanation: { remedy: 'Did you mean "Old ERP"?' },
    });
    await other.close();
  });
});
