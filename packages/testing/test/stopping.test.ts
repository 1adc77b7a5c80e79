import { addSandboxPlatform } from '@unified/sandbox';
import { checkedFetch, connect, database, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { companySettings, company as seeded } from '../../sandbox/test/company-database.ts';
import { documentTables, type Preparation } from '../../store/test/prepared-server.ts';
import { START_MS } from './served-company.ts';
import { startProcess } from './started-process.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

interface Write {
  readonly writeId: string;
  readonly status: string;
}

/** Workers read it while they carry out writes. */
const unreadCompany: Preparation = { name: 'unread-company', from: seeded, fill: documentTables.fill };

addSandboxPlatform();

let base: TestDatabase;
let token: string;
/** The company's own database. */
let company: pg.Pool;

beforeAll(async () => {
  base = await database(undefined, undefined, unreadCompany);
  const settings = await companySettings(base);
  ({ token } = await connect(base.store, { platform: 'sandbox', settings }));
  const { url, schema } = settings;
  company = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}` });
}, START_MS);
afterAll(async () => {
  await company?.end();
  await base?.stop();
});

/** Creates a vendor, once per name. `prefer` determines whether the request waits for the outcome. */
function create(baseUrl: string, name: string, prefer: string) {
  const headers = { Authorization: `Bearer ${token}`, Prefer: prefer, 'Idempotency-Key': name };
  return checkedFetch<Write>(`${baseUrl}/v4/vendors`, { method: 'POST', headers, json: { name } });
}

/** Makes the company delay every new vendor until it is released. */
async function holdVendors(): Promise<{ isReached(): Promise<boolean>; release(): Promise<void> }> {
  const client = await company.connect();
  await client.query('begin; lock table lief in share mode');
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return {
    async isReached() {
      const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      return (await company.query(waiting, [rows[0].pid])).rowCount === 1;
    },
    async release() {
      await client.query('commit');
      client.release();
    },
  };
}

/** Locks and jobs that processes hold. */
async function leases(): Promise<{ locks: number; jobs: number }> {
  const client = new pg.Client(base.url);
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from pg_locks where locktype = 'advisory' and granted) as locks,
            (select count(*)::int from jobs.jobs where locked_at is not null) as jobs`,
  );
  await client.end();
  return rows[0];
}

const statusOf = async (url: string) => (await fetch(url)).status;

test('with DRAIN_SECONDS a server that is reported as not ready serves requests until it is hurried', async () => {
  const api = await startProcess(base, 'api', { DRAIN_SECONDS: '600' });
  await api.terminate();
  expect(await statusOf(`${api.operatorUrl}/readyz`)).toBe(503);
  const served = await fetch(`${api.baseUrl}/v4/system/health`);
  // Otherwise clients would send their next request on the same connection, up to the moment at which it is closed.
  expect([served.status, served.headers.get('Connection')]).toEqual([200, 'close']);
  process.kill(api.pid, 'SIGTERM');
  expect(await api.exit()).toBe(0);
  await expect(fetch(api.baseUrl)).rejects.toThrow();
});

test('processes that receive SIGTERM finish what they have begun and lose nothing', async () => {
  const [api, worker] = await Promise.all([startProcess(base, 'api'), startProcess(base, 'worker')]);
  expect(await statusOf(`${api.operatorUrl}/readyz`)).toBe(200);
  const vendors = await holdVendors();
  const later = Array.from({ length: 10 }, (_, n) => `Queued ${n}`);
  for (const name of ['Begun', ...later]) expect((await create(api.baseUrl, name, 'respond-async')).status).toBe(202);
  await expect.poll(vendors.isReached, { interval: 20, timeout: 120_000 }).toBe(true);
  const waiting = create(api.baseUrl, 'Begun', 'wait=30');
  // The server has read the request that waits once it responds to the next one.
  await create(api.baseUrl, 'Begun', 'respond-async');

  await Promise.all([api.terminate(), worker.terminate()]);
  for (const { operatorUrl } of [api, worker]) {
    expect(await statusOf(`${operatorUrl}/livez`)).toBe(200);
    expect(await (await fetch(`${operatorUrl}/readyz`)).json()).toMatchObject({ process: 'stopping' });
    expect(await statusOf(`${operatorUrl}/readyz`)).toBe(503);
  }
  await expect.poll(() => fetch(api.baseUrl).catch(() => 'refused'), { timeout: 60_000 }).toBe('refused');
  await vendors.release();
  const { status, headers } = await waiting;
  expect([status, headers.get('Connection')]).toEqual([200, 'close']);
  expect(await Promise.all([api.exit(), worker.exit()])).toEqual([0, 0]);

  await expect.poll(leases, { timeout: 60_000 }).toEqual({ locks: 0, jobs: 0 });
  const names = async () => {
    const { rows } = await company.query(`select name1 as name from lief where name1 = any($1)`, [['Begun', ...later]]);
    return rows.map(({ name }) => name).toSorted();
  };
  expect(await names()).toEqual(['Begun']);
  const next = await startProcess(base, 'worker');
  await expect.poll(names, { interval: 50, timeout: 120_000 }).toHaveLength(1 + later.length);
  await next.terminate();
  expect(await next.exit()).toBe(0);
  expect(await names()).toEqual(['Begun', ...later].toSorted());
});
