import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { entities } from '@unified/contract';
import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { register } from '@unified/engine/testing/webhook-changes';
import { startWebhookReceiver } from '@unified/engine/testing/webhook-receiver';
import { type Embedded, issueConnectionToken, loadKey, openStore, type Store, startEmbedded } from '@unified/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { admin } from '../../../scripts/admin/admin.ts';
import { runHere } from '../../../scripts/test/run-here.ts';
import { company } from '../../sandbox/test/company-database.ts';
import { type PreparedServer, startPrepared } from '../../store/test/prepared-server.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

// Copies a company several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 900_000 });

const PUBLIC_URL = 'http://localhost:4000';

/** The embedded installation: the sandbox company, connected and read. It is stopped; its folder is left. */
let source: PreparedServer;
/** The other PostgreSQL, with an empty database and the same company. */
let target: PreparedServer;
let token: string;

async function opened({ url }: PreparedServer): Promise<Store> {
  const key = await loadKey(undefined, source.dataDir);
  return openStore({ databaseUrl: url, publicUrl: PUBLIC_URL, entities, key });
}

beforeAll(async () => {
  [source, target] = await Promise.all([startPrepared(syncedCompany), startPrepared(company)]);
  const store = await opened(source);
  const { connectionId } = await companyOf(source, store);
  ({ token } = await issueConnectionToken(store, { connectionId, name: 'Moved' }));
  await store.close();
  await source.stop();
});
afterAll(async () => {
  await source?.remove();
  await target?.remove();
});

const move = (...args: readonly string[]) => moveFrom(source.dataDir, ...args);

const moveFrom = (dataDir: string, ...args: readonly string[]) =>
  runHere(admin, ['move', ...args], { DATA_DIR: dataDir, DATABASE_URL: '', PUBLIC_URL });

/** Runs a statement in the other database. */
async function inTarget(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(target.url);
  await client.connect();
  try {
    return (await client.query(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}

const isMoved = () =>
  access(join(source.dataDir, 'moved.json')).then(
    () => true,
    () => false,
  );

const refused = (problem: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(problem) });

/** A process of the service on the embedded database, which is stopped at the end of the test. */
async function embeddedService(role: 'api' | 'worker'): Promise<StartedProcess> {
  const embedded = { url: '', dataDir: source.dataDir, store: { publicUrl: PUBLIC_URL } };
  const service = await startProcess(embedded, role);
  onTestFinished(() => service.kill().catch(() => {}));
  return service;
}

async function end(service: StartedProcess): Promise<void> {
  await service.terminate();
  expect(await service.exit()).toBe(0);
}

interface Vendors {
  readonly data: readonly { readonly name: string }[];
}

const authorization = () => ({ Authorization: `Bearer ${token}` });

async function vendors({ baseUrl }: StartedProcess, query: string): Promise<Vendors> {
  const response = await fetch(`${baseUrl}/v4/vendors?${query}`, { headers: authorization() });
  expect(response.status).toBe(200);
  return (await response.json()) as Vendors;
}

async function createVendor({ baseUrl }: StartedProcess, name: string, prefer: string): Promise<Response> {
  const headers = { ...authorization(), 'Content-Type': 'application/json', Prefer: prefer };
  return fetch(`${baseUrl}/v4/vendors`, { method: 'POST', headers, body: JSON.stringify({ name }) });
}

test.each([
  [[], '--to is the address of a database'],
  [['--to', 'mysql://unified@db.example/unified'], '--to is the address of a database'],
  [['--too', 'postgres://unified@db.example/unified'], 'Did you mean --to?'],
])('the address is needed: %j', async (args, message) => {
  expect(await move(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('only an embedded database is moved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unified-move-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await moveFrom(folder, '--to', target.url)).toEqual(refused('There is no embedded database'));
  const elsewhere = { DATA_DIR: folder, DATABASE_URL: target.url };
  expect(await runHere(admin, ['move', '--to', target.url], elsewhere)).toEqual(
    refused('DATABASE_URL names a different'),
  );
});

test('the service must be stopped first', async () => {
  const service = await embeddedService('api');
  const ended = await move('--to', target.url);
  expect(ended).toEqual(refused(`A process uses the database in ${source.dataDir}`));
  expect(ended.stderr).toContain('Ctrl-C');
  await end(service);
});

test('a database with other data is refused', async () => {
  await inTarget('create schema unified; create table unified.settings (id int)');
  expect(await move('--to', target.url)).toEqual(refused('belongs to another program'));
  await inTarget('drop schema unified cascade');
});

test('another installation is refused, and not updated', async () => {
  await inTarget(
    'create schema unified; create table unified.applications (id uuid); insert into unified.applications values (null)',
  );
  expect(await move('--to', target.url)).toEqual(refused('and id uuid in the other'));
  expect(await inTarget(`select count(*)::int as tables from pg_tables where schemaname = 'unified'`)).toEqual([
    { tables: 1 },
  ]);
  await inTarget('drop schema unified cascade');
});

/** Starts the move as a separate process, and kills it once it has shown this table. */
async function killAt(table: string): Promise<void> {
  const script = fileURLToPath(new URL('../../../scripts/admin.mjs', import.meta.url));
  const env = { ...process.env, DATA_DIR: source.dataDir, DATABASE_URL: '', PUBLIC_URL };
  const child: ChildProcess = spawn(process.execPath, [script, 'move', '--to', target.url], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  if (child.stderr)
    for await (const line of createInterface(child.stderr)) {
      lines.push(line);
      if (line.includes(table)) child.kill('SIGKILL');
    }
  expect(await gone, lines.join('\n')).toEqual([null, 'SIGKILL']);
}

test('kill -9 in the middle: the service goes on with the embedded database, and the other one is empty', async () => {
  await killAt('data.work_orders');
  const service = await embeddedService('api');
  expect((await vendors(service, 'per_page=1')).data).toHaveLength(1);
  await end(service);
  await expect.poll(() => inTarget('select id from unified.applications'), { timeout: 60_000 }).toEqual([]);
});

test.each([
  ['changes a row', `new.name = new.name || ' '; return new;`, 'the contents of its 1 row differ'],
  ['loses a row', 'return null;', 'the embedded database has 1 row and the other 0 rows'],
])('a database that %s is noticed, and nothing is moved', async (_, body, difference) => {
  await inTarget(`
    create function distort() returns trigger language plpgsql as $$ begin ${body} end $$;
    create trigger distort before insert on unified.applications for each row execute function distort()`);
  const ended = await move('--to', target.url);
  expect(ended).toEqual(refused(`unified.applications is not the same in both databases: ${difference}`));
  expect(await isMoved()).toBe(false);
  expect(await inTarget('select id from unified.applications')).toEqual([]);
  await inTarget('drop function distort cascade');
});

test('records, tokens, queued writes and webhooks work in the other database, and the embedded one is not used again', async () => {
  const receiver = await startWebhookReceiver();
  const service = await embeddedService('api');
  const before = await vendors(service, 'per_page=50');
  expect((await createVendor(service, 'Queued before', 'respond-async')).status).toBe(202);
  await end(service);
  await withSource(async (store, embedded) => {
    const scope = await companyOf(embedded, store);
    await register(store, scope, { url: receiver.url, events: ['write.succeeded'] });
  });

  const moved = await move('--to', target.url, '--json');
  expect(moved.stderr).toContain('data.vendors: ');
  expect(moved.code).toBe(0);
  const { tables, isCopied } = JSON.parse(moved.stdout);
  expect(isCopied).toBe(true);
  expect(tables).toContainEqual({ table: 'unified.writes', rows: 1, hash: expect.stringMatching(/^-?\d+$/) });
  expect(moved.stdout).not.toContain(new URL(target.url).password);

  // As if the move had been killed between its commit and the note.
  await rm(join(source.dataDir, 'moved.json'));
  expect(await move('--to', target.url)).toMatchObject({ code: 0, stdout: expect.stringContaining('An earlier move') });
  expect(await move('--to', target.url)).toEqual(refused('was moved to'));
  await expect(embeddedService('api')).rejects.toThrow(/was moved to .*\n.*Set DATABASE_URL/);

  const store = await opened(target);
  onTestFinished(() => store.close());
  await companyOf(target, store);
  const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' };
  const other = await startProcess({ url: target.url, dataDir: source.dataDir, store }, 'all', environment);
  onTestFinished(() => other.kill().catch(() => {}));
  expect((await vendors(other, 'per_page=50')).data).toEqual(before.data);
  expect((await createVendor(other, 'Created after', 'wait=30')).status).toBeLessThan(300);
  const named = async (name: string) => (await vendors(other, `filter[name]=${encodeURIComponent(name)}`)).data.length;
  for (const name of ['Queued before', 'Created after'])
    await expect.poll(() => named(name), { timeout: 120_000, interval: 200 }).toBe(1);
  await expect.poll(() => receiver.received.length, { timeout: 120_000, interval: 200 }).toBe(2);
  await end(other);
});

/** Opens the embedded database of the stopped service. */
async function withSource(work: (store: Store, embedded: Embedded) => Promise<void>): Promise<void> {
  const embedded = await startEmbedded({ dataDir: source.dataDir });
  const store = await openStore({
    databaseUrl: embedded.url,
    publicUrl: PUBLIC_URL,
    entities,
    key: await loadKey(undefined, source.dataDir),
  });
  await work(store, embedded);
  await store.close();
  await embedded.stop();
}

test('a database that was used since an earlier move is refused', async () => {
  await rm(join(source.dataDir, 'moved.json'));
  expect(await move('--to', target.url)).toEqual(refused('The database is not empty'));
  expect(await isMoved()).toBe(false);
});
