import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDriver, platformOf } from '@unified/connectors';
import { entities } from '@unified/contract';
import { createEngine, type Systems, startWorker } from '@unified/engine';
import { addSandboxPlatform, seedSandbox } from '@unified/sandbox';
import { listApplications, loadKey, migrate, openStore, startEmbedded } from '@unified/store';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { connect } from '../src/index.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

addSandboxPlatform();

const dataDir = await mkdtemp(join(tmpdir(), 'unified-older-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const settings = { fsync: 'off' };
const file = join(dataDir, 'postgres.json');
const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
const key = await loadKey(undefined, dataDir);

/** Vendors are sufficient to test a sync. */
const systems: Systems = {
  openDriver,
  platformOf(id) {
    const platform = platformOf(id);
    return { ...platform, streams: platform.streams.filter(({ name }) => name === platform.mappings.Vendor?.stream) };
  },
};

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const open = (databaseUrl: string) =>
  openStore({ databaseUrl, connectTimeoutMs: 60_000, publicUrl: 'http://localhost:4000', entities, key });

/** Fills a data directory the way earlier releases did, which always logged in as the superuser. */
async function fillAsSuperuser(): Promise<void> {
  const server = await startEmbedded({ dataDir, settings });
  const { port, password } = JSON.parse(await readFile(file, 'utf8'));
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  await query(urlOf('postgres'), 'drop database unified');
  await query(urlOf('postgres'), 'drop role unified_owner, unified_system, unified_tenant, unified_query');
  await query(urlOf('postgres'), 'create database unified template template0');
  await query(urlOf('postgres'), 'create database sandbox_company template template0');
  const store = await open(urlOf('unified'));
  await migrate(store);
  await seedSandbox({ url: urlOf('sandbox_company'), schema: 'company', workOrders: 2_000 });
  await connect(store, { platform: 'sandbox', settings: { url: urlOf('sandbox_company'), schema: 'company' } });
  await (await startWorker({ store, databaseUrl: urlOf('unified'), log, syncs: 0 })).stop();
  await store.close();
  await server.stop();
  await writeFile(file, JSON.stringify({ port, password, owner: process.pid }));
}

const FOREIGN = `
  select 'database' as kind, datname::text as name from pg_database
   where datname = current_database() and datdba <> current_user::regrole
  union all
  select 'schema', nspname from pg_namespace where nspname !~ '^pg_' and oid >= 16384 and nspowner <> current_user::regrole
  union all
  select 'relation', oid::regclass::text from pg_class
   where oid >= 16384 and relkind not in ('t', 'i') and relnamespace <> 'pg_toast'::regnamespace and relowner <> current_user::regrole
  union all
  select 'routine', oid::regprocedure::text from pg_proc where oid >= 16384 and proowner <> current_user::regrole
  union all
  select 'type', oid::regtype::text from pg_type where oid >= 16384 and typowner <> current_user::regrole`;

test('a data directory whose login was the superuser continues with other logins', async () => {
  await fillAsSuperuser();
  const server = await startEmbedded({ dataDir, settings });
  const sandbox = await server.createDatabase('sandbox_company');
  for (const url of [server.url, sandbox]) {
    expect(
      await query(
        url,
        `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
      ),
    ).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false },
    ]);
    expect(await query(url, FOREIGN)).toEqual([]);
  }

  const store = await open(server.url);
  expect(await listApplications(store)).toHaveLength(1);
  await query(server.url, `delete from unified.settings where name = 'schema'; drop table data.vendors cascade`);
  await migrate(store);
  expect(await seedSandbox({ url: sandbox, schema: 'company' })).toBe(false);
  const { scope } = await connect(store, { platform: 'sandbox', settings: { url: sandbox, schema: 'company' } });
  const background = { store, databaseUrl: server.url, log, systems };
  const engine = createEngine(background);
  const worker = await startWorker(background);
  const read = expect.objectContaining({ error: null, lastSuccessAt: expect.any(String) });
  await expect.poll(() => engine.syncStatus(scope), { timeout: 120_000 }).toEqual([read]);
  await worker.stop();
  await engine.close();
  await store.close();
  await server.stop();
});

test('the login of the sandbox cannot enter the database of the API', async () => {
  const server = await startEmbedded({ dataDir, settings });
  const trespass = new URL(await server.createDatabase('sandbox_company'));
  trespass.pathname = new URL(server.url).pathname;
  await expect(query(trespass.href, 'select 1')).rejects.toThrow('permission denied for database');
  await server.stop();
});
