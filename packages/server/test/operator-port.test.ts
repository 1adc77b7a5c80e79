import { readFile } from 'node:fs/promises';
import { api as startApi, type TestApi } from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics, createOperatorServer, type Metrics, type Readiness, readinessOf } from '../src/index.ts';

const logger = pino({ level: 'silent' });
let api: TestApi;
let metrics: Metrics;
let operator: Awaited<ReturnType<typeof createOperatorServer>>;
let process: Readiness['process'] = 'running';

beforeAll(async () => {
  api = await startApi({ onServed: (request) => metrics.countRequest(request) });
  metrics = await createMetrics(api.store);
  const readiness = () => readinessOf(api.store, process);
  operator = await createOperatorServer({ port: 0, host: '127.0.0.1', metrics, readiness, logger });
});
afterAll(async () => {
  await operator.close();
  await api.stop();
});

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(operator.url + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the checks for load balancers', () => {
  it('show that a running process with its database is alive and ready', async () => {
    expect(await get('/livez')).toMatchObject({ status: 200, text: 'alive\n' });
    const { status, text } = await get('/readyz');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      ...{ status: 'ready', process: 'running', database: 'ok', migrations: 'ok', oldestWriteSeconds: 0 },
    });
  });

  it.each(['starting', 'stopping'] as const)(
    'show that a process that is %s is not ready, but alive',
    async (state) => {
      process = state;
      expect((await get('/livez')).status).toBe(200);
      const { status, text } = await get('/readyz');
      process = 'running';
      expect([status, JSON.parse(text).process]).toEqual([503, state]);
    },
  );

  it('show that a database of a newer release, or without a connection, makes a process unready', async () => {
    const other = await startApi();
    const admin = new pg.Client(other.url);
    await admin.connect();
    await admin.query(`update unified.settings set value = '9999' where name = 'migrations'`);
    await admin.end();
    expect(await readinessOf(other.store, 'running')).toMatchObject({ isReady: false, migrations: 'other release' });
    await other.stop();
    expect(await readinessOf(other.store, 'running')).toMatchObject({ isReady: false, database: 'unreachable' });
  });
});

describe('the metrics', () => {
  it('count requests by operation and class of status, without ids', async () => {
    await api.fetch('/v4/vendors');
    await api.fetch('/v4/vendors/0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b');
    metrics.countAttempt({ outcome: 'refused', ms: 20 });
    metrics.countCall({ platform: 'tryton', purpose: 'write', failure: 'throttled', ms: 20 });
    const { headers, text } = await get('/metrics');
    expect(headers.get('Content-Type')).toContain('text/plain');
    expect(text).toContain('unified_request_duration_seconds_count{operation="listVendors",status="2xx"} 1');
    expect(text).toContain('unified_request_duration_seconds_count{operation="getVendor",status="4xx"} 1');
    expect(text).toContain(
      'unified_system_call_duration_seconds_count{platform="tryton",purpose="write",outcome="throttled"} 1',
    );
    expect(text).toContain('unified_webhook_attempt_duration_seconds_count{outcome="refused"} 1');
    expect(text).not.toContain('0199d2a4');
  });

  it('show the queue, the syncs and the database connections', async () => {
    const { text } = await get('/metrics');
    expect(text).toMatch(/^unified_open_writes 0$/m);
    expect(text).toMatch(/^unified_oldest_write_seconds 0$/m);
    expect(text).toMatch(/^unified_due_syncs \d+$/m);
    expect(text).toMatch(/^unified_pending_deliveries 0$/m);
    expect(text).toMatch(/^unified_delivery_delay_seconds 0$/m);
    expect(text).toMatch(/^unified_database_up 1$/m);
    expect(text).toMatch(/^unified_database_clients\{pool="tenant",state="idle"\} \d+$/m);
  });

  it('show that the database is not up, and no older figures, if it does not respond', async () => {
    const client = new pg.Client({ connectionString: api.url });
    await client.connect();
    await client.query('begin; lock table unified.connections in access exclusive mode');
    const { text } = await get('/metrics');
    expect(text).toMatch(/^unified_database_up 0$/m);
    expect(text).toMatch(/^unified_open_writes Nan$/im);
    expect((await get('/readyz')).status).toBe(200);
    await client.query('rollback');
    await client.end();
    await expect.poll(async () => (await get('/metrics')).text).toMatch(/^unified_database_up 1$/m);
  });

  it('include each one that the alerts and the dashboard name', async () => {
    const { text } = await get('/metrics');
    const folder = new URL('../../../docker/monitoring/', import.meta.url);
    for (const file of ['alerts.yaml', 'dashboard.json']) {
      const content = await readFile(new URL(file, folder), 'utf8');
      const named = content.match(/\b(unified|nodejs|process)_[a-z0-9_]+/g) ?? [];
      expect(named.length).toBeGreaterThan(5);
      // Those of replicas are declared, but have no figure without a replica.
      for (const name of new Set(named)) expect(text, name).toMatch(new RegExp(`^(# TYPE )?${name}(_count)?[{ ]`, 'm'));
    }
  });

  it('are shown by panels with different ids', async () => {
    const file = new URL('../../../docker/monitoring/dashboard.json', import.meta.url);
    const { panels } = JSON.parse(await readFile(file, 'utf8')) as { panels: { id: number }[] };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

it('other pages and methods are refused', async () => {
  expect((await get('/v4/vendors')).status).toBe(404);
  expect(await get('/metrics', { method: 'POST' })).toMatchObject({ status: 405 });
});
