import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { createClient } from '@unified/sdk';
import { issueConnectionToken, openStore } from '@unified/store';
import { database } from '@unified/testing';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startPgBouncer } from '../../../test-systems/pgbouncer/start.ts';
import { internalsOf } from '../../store/src/access/store.ts';
import { createListener } from '../../store/src/sql/listener.ts';
import { startProcess } from './started-process.ts';

/** Starting two processes on a busy machine. */
const START_MS = 700_000;

const base = await database(undefined, undefined, syncedCompany);
const pooler = await startPgBouncer(base.url);
const { url } = pooler;
afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await base.stop();
});

const connected = async () => {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

test('two processes serve lists and carry out writes through PgBouncer in session mode', {
  timeout: START_MS,
}, async () => {
  const { connectionId } = await companyOf(base, base.store);
  const { token } = await issueConnectionToken(base.store, { connectionId, name: 'Pooled' });
  const worker = await startProcess({ ...base, url }, 'worker');
  onTestFinished(() => worker.kill().catch(() => {}));
  const api = await startProcess({ ...base, url }, 'api');
  onTestFinished(() => api.kill().catch(() => {}));
  const client = createClient({ baseUrl: api.baseUrl, token });
  expect((await client.vendors.list({ per_page: 5 })).data).toHaveLength(5);
  const created = await client.vendors.create({ name: 'Pooled' });
  expect((await client.vendors.get(created.id)).name).toBe('Pooled');
  for (const each of [worker, api]) {
    await each.terminate();
    expect(await each.exit()).toBe(0);
  }
});

test('a notification that is sent through PgBouncer wakes a listener', async () => {
  const listener = createListener(url, (error) => expect.fail(error.message));
  onTestFinished(() => listener.close());
  const { promise: received, resolve } = Promise.withResolvers<string | null>();
  await listener.on('pooled', resolve);
  await (await connected()).query(`notify pooled, 'hello'`);
  expect(await received).toBe('hello');
});

test('statements are limited through PgBouncer, and its next client finds no setting of the one before', async () => {
  const { publicUrl, entities } = base.store;
  const store = await openStore({ databaseUrl: url, publicUrl, entities });
  const { tenants, queries } = internalsOf(store);
  const limits = [tenants, queries].map(async (pool) => (await pool.query('show statement_timeout')).rows);
  expect(await Promise.all(limits)).toEqual([[{ statement_timeout: '1min' }], [{ statement_timeout: '15s' }]]);
  const { rows: used } = await tenants.query('select pg_backend_pid() as pid, current_user as role');
  expect(used).toMatchObject([{ role: 'unified_tenant' }]);
  await store.close();
  // PgBouncer hands out the connection that was returned last, so others of the store may come first.
  const found = async (): Promise<number> => {
    const { rows } = await (await connected()).query(
      `select pg_backend_pid() as pid, current_user = session_user as own, current_setting('statement_timeout') as timeout`,
    );
    expect(rows).toMatchObject([{ own: true, timeout: '0' }]);
    return rows[0].pid;
  };
  const pids: number[] = [];
  for (let n = 0; n < 10 && !pids.includes(used[0].pid); n += 1) pids.push(await found());
  expect(pids).toContain(used[0].pid);
});
