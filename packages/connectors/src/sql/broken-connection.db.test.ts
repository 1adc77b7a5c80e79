import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cuttingProxy } from '../../test/cutting-proxy.ts';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import { openSql } from './open-sql.ts';

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
});
afterAll(() => system.stop());

async function createThrough(word: string, deliver: boolean, name: string) {
  const proxy = await cuttingProxy(system.url, word, deliver);
  const driver = openSql(system.platform, { url: proxy.url });
  const intent = system.intent();
  try {
    await driver.writes.create(system.head, { name }, intent);
    return { intent, kind: 'done' };
  } catch (error) {
    return { intent, kind: (error as { kind: string }).kind };
  } finally {
    await driver.close();
    proxy.stop();
  }
}

test('a call whose connection breaks before the commit had no effect', async () => {
  const { intent, kind } = await createThrough('INSERT', true, 'Early');
  expect(kind).toBe('unavailable');
  expect(await system.driver.writes.findCreated(system.head, { name: 'Early' }, intent)).toBeNull();
});

test('a commit without a response is unknown, and the journal shows that it was done', async () => {
  const { intent, kind } = await createThrough('COMMIT', true, 'Committed');
  expect(kind).toBe('unknown');
  const find = () => system.driver.writes.findCreated(system.head, { name: 'Committed' }, intent);
  const { key } = await vi.waitUntil(find, { timeout: 60_000 });
  expect(await system.driver.writes.create(system.head, { name: 'Committed' }, intent)).toEqual({ key });
});

test('a commit that never arrived is unknown as well, and a repetition is carried out once', async () => {
  const { intent, kind } = await createThrough('COMMIT', false, 'Dropped');
  expect(kind).toBe('unknown');
  expect(await system.driver.writes.findCreated(system.head, { name: 'Dropped' }, intent)).toBeNull();
  const { key } = await system.driver.writes.create(system.head, { name: 'Dropped' }, intent);
  expect(await system.driver.writes.findCreated(system.head, { name: 'Dropped' }, intent)).toEqual({ key });
});

test('a connection that breaks between two calls is reported once, and the next call opens another', async () => {
  const reports: string[] = [];
  const connectionBroke = ({ message }: Error) => void reports.push(message);
  const driver = openSql(system.platform, { url: system.url }, { connectionBroke });
  await driver.check();
  await system.client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'unified-connector' AND datname = current_database()`,
  );
  await vi.waitUntil(() => reports.length > 0, { timeout: 60_000 });
  await driver.check();
  await driver.close();
  expect(reports).toEqual([expect.stringContaining('terminating connection')]);
});
