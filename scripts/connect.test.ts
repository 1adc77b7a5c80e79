import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { platformOf, type SystemError } from '@unified/connectors';
import { entities } from '@unified/contract';
import { checkSystem, explainFailure, sharedQuotas } from '@unified/engine';
import { addSandboxPlatform } from '@unified/sandbox';
import {
  connectionById,
  connectionByToken,
  connectionSettings,
  deactivateConnection,
  listConnections,
  loadKey,
  migrate,
  openStore,
  pageOfAudit,
  saveSyncState,
} from '@unified/store';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startQuickBooks } from '../packages/connectors/test/documented/quickbooks-online/server.ts';
import { accountOf } from '../packages/engine/src/drivers/account-of.ts';
import { company } from '../packages/sandbox/test/company-database.ts';
import { startPrepared } from '../packages/store/test/prepared-server.ts';
import { connect as runConnect } from './connect/connect.ts';
import { list } from './connect/list.ts';
import { remove } from './connect/remove.ts';
import { sync } from './connect/sync.ts';
import { token } from './connect/token.ts';
import { type Ended, runHere } from './test/run-here.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

addSandboxPlatform();

const CONNECT = fileURLToPath(new URL('connect.mjs', import.meta.url));
const KEY = 'ab'.repeat(32);

const server = await startPrepared(company);
const { dataDir } = server;
const store = await openStore({
  databaseUrl: server.url,
  publicUrl: 'http://localhost:4000',
  entities,
  key: await loadKey(KEY, dataDir),
});
/** The database of the connected system, and a session in it. */
const system = await server.createDatabase('sandbox_company');
const erp = new pg.Client(system);

beforeAll(async () => {
  await migrate(store);
  await erp.connect();
});

afterAll(async () => {
  await erp.end();
  await store.close();
  await server.remove();
});

/** Environment of the command. */
const settings = { DATABASE_URL: server.url, UNIFIED_KEY: KEY, DATA_DIR: dataDir };

/** Runs `npm run connect -- …` in a separate process; `typed` is its standard input. */
async function connectProcess(args: readonly string[], typed = ''): Promise<Ended> {
  const env = { PATH: process.env.PATH, ALLOW_PRIVATE_HOSTS: process.env.ALLOW_PRIVATE_HOSTS, ...settings };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CONNECT, ...args], { env });
  child.stdin.end(typed);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

const connect = (args: readonly string[]) => runHere(runConnect, args, settings);

/** The same with `--json`; fails unless the command succeeds. */
async function connectJson(...args: readonly string[]) {
  const { code, stdout, stderr } = await connect([...args, '--json']);
  expect(stderr).not.toContain('✗');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

/** The address of the system with a part replaced. */
function systemWith(changes: Partial<URL>): string {
  return Object.assign(new URL(system), changes).href;
}

describe('help is not an error', () => {
  it.each([
    ['--help', 'Platforms'],
    ['tryton --help', '--password'],
    ['update --help', '--ask-password'],
    ['tables --help', 'tables <platform> [settings] [table]'],
  ])('connect %s', async (line, content) => {
    const { code, stdout, stderr } = await connect(line.split(' '));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(content);
  });

  it.each([list, sync, token, remove])('a command explains its options', ({ help, flags }) => {
    for (const name of [...Object.keys(flags), 'json', 'help']) expect(help).toContain(`--${name}`);
  });
});

describe('wrong usage exits with code 2 before any call, and reports all errors', () => {
  it.each([
    ['trytn --url x', ['no platform or command "trytn". Did you mean tryton?']],
    [
      'tryton --url erp.example --databse x --timeout-seconds soon --sync-every 10s extra',
      [
        'There is no option --databse. Did you mean --database?',
        '"extra" is not expected here.',
        '--sync-every must be a number with m, h or d, from 1m to 24h, not "10s"',
        '--database (Database) is missing. Send for example company.',
        '--user (User) is missing.',
        '--url (Address) does not have the right form. Send for example https://erp.example:8000.',
        '--timeout-seconds (Timeout) must be a number.',
      ],
    ],
  ])('connect %s', async (line, lines) => {
    const { code, stdout, stderr } = await connect(line.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    for (const each of lines) expect(stderr).toContain(each);
    expect(stderr).not.toContain('answered');
    expect(stderr).not.toContain('checking');
  });

  it('reports a secret that was neither given nor typed', async () => {
    const { code, stdout, stderr } = await connectProcess(['sandbox']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--url (Connection string) is missing.');
    expect(stderr).not.toContain('checking');
  });

  it('prompts for a secret that another setting requires', async () => {
    const line = ['s4hana', '--url', 'http://127.0.0.1:1/service', '--user', 'API', '--allow-private-hosts'];
    const untyped = await connectProcess(line);
    expect([untyped.code, untyped.stderr]).toEqual([2, expect.stringContaining('--password (Password) is missing.')]);
    const typed = await connectProcess(line, 'secret\n');
    expect([typed.code, typed.stderr]).toEqual([1, expect.stringContaining('refuses connections')]);
  });
});

describe('a system that cannot be used is reported with a clear message and a remedy', () => {
  /** Accepts connections and closes them, as a proxy does for an unreachable host. */
  const closing = createServer((socket) => socket.destroy());
  beforeAll(() => new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => closing.close(resolve)));
  const port = () => String((closing.address() as AddressInfo).port);

  it.each([
    ['a port without a listener', () => systemWith({ port: '1' }), 'refuses connections', 'Check the port'],
    ['an unreachable host', () => systemWith({ port: port() }), 'closed the connection', 'that the system is running'],
    ['a host name that does not exist', () => systemWith({ hostname: 'erp.invalid' }), 'unknown', 'typing errors'],
    ['a wrong password', () => systemWith({ password: 'wrong' }), 'refuses the user or the password', 'Check both'],
    ['a wrong database', () => systemWith({ pathname: '/erpp' }), 'no database with this name', 'Check the name'],
    ['TLS without support by the system', () => `${system}?sslmode=require`, 'does not offer TLS', 'sslmode'],
  ])('%s', async (_, url, problem, remedy) => {
    const refusal: unknown = await checkSystem(platformOf('sandbox'), { url: url() }).catch((error) => error);
    const explanation = explainFailure(refusal as SystemError);
    expect(explanation).toEqual({ problem: expect.stringContaining(problem), remedy: expect.stringContaining(remedy) });
  });

  it('and is not connected', async () => {
    const args = ['sandbox', '--name', 'Unreachable', '--url', systemWith({ password: 'wrong' })];
    const { code, stdout, stderr } = await connect(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('could not be checked: The database refuses the user or the password.');
    expect(stderr).not.toContain('wrong@');
    expect((await listConnections(store)).map(({ name }) => name)).not.toContain('Unreachable');
  });
});

describe('connecting', () => {
  it('reports its findings, warns about missing columns, and prints a working token', async () => {
    await erp.query('alter table erp.land rename column bez to bezeichnung');
    const { code, stdout } = await connectProcess(
      ['sandbox', '--name', 'Warned', '--application', 'Warning', '--sync-every', '5m'],
      `${system}\n`,
    );
    await erp.query('alter table erp.land rename column bezeichnung to bez');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}lief +Vendor: \d+ columns, for example \S+$/m);
    expect(stdout).toContain('! Country.name: land has no column "bez".');
    const [, issued = ''] = /^ {2}(sct_\S+)$/m.exec(stdout) ?? [];
    const holder = await connectionByToken(store, issued);
    expect(holder).toMatchObject({ platform: 'sandbox', status: 'active' });
    const id = holder?.connectionId ?? '';
    expect(await connectionSettings(store, id)).toEqual({ url: system });
    expect(await connectionById(store, id)).toMatchObject({ syncEveryMinutes: 5, fullSyncEveryHours: 24 });
  });

  it('is refused while streams cannot be read, and lists all of them, unless it is forced', async () => {
    await erp.query('alter table erp.lief rename to lieferant; alter table erp.artikel rename column artid to id');
    const args = ['sandbox', '--name', 'Blocked', '--application', 'Blocking', '--url', system];
    const refused = await connect(args);
    const forced = await connect([...args, '--force']);
    await erp.query('alter table erp.lieferant rename to lief; alter table erp.artikel rename column id to artid');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/prevent records from being read/);
    expect(refused.stderr).toMatch(/^✗ lief: .*erp\.lief/m);
    expect(refused.stderr).toMatch(/^✗ artikel: .*"artid"/m);
    expect(refused.stderr).toContain('--force');
    expect(forced.code).toBe(0);
  });

  it('a second time after a failed check continues with the tokens that the first check received', async () => {
    const quickBooks = await startQuickBooks();
    onTestFinished(() => quickBooks.stop());
    const { clientId, clientSecret, refreshToken, company: id, url, tokenUrl } = quickBooks.settings;
    const to = (companyId: typeof id) => [
      ...['quickbooks-online', '--application', 'Rotating', '--client-id', `${clientId}`, '--company', `${companyId}`],
      ...['--client-secret', `${clientSecret}`, '--refresh-token', `${refreshToken}`, '--allow-private-hosts'],
      ...['--url', `${url}`, '--token-url', `${tokenUrl}`],
    ];
    const refused = await connect(to('1'));
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('prevent records from being read');
    await connectJson(...to(id));
    const signIns = quickBooks.received.filter(({ path }) => path === '/oauth2/v1/tokens/bearer');
    expect(signIns.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual([refreshToken]);
  });

  it('a second time with the same name is refused with a remedy; the same name in another application is allowed', async () => {
    const args = ['sandbox', '--name', 'Twice', '--url', system];
    await connectJson(...args);
    const { code, stderr } = await connect(args);
    expect(code).toBe(1);
    expect(stderr).toContain('The application "Default" already has a connection named "Twice".');
    expect(stderr).toContain('npm run connect -- update "Twice"');
    expect(stderr).toContain('--name "Twice 2"');
    await connectJson(...args, '--application', 'Other');
  });

  it('a second time to the same system is refused with a remedy before any call, unless it is forced', async () => {
    const to = (name: string) => ['sandbox', '--name', name, '--application', 'Repeating', '--url', system];
    const { connection } = await connectJson(...to('First'));
    const { code, stdout, stderr } = await connect(to('Second'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`The connection "First" (${connection.id}) is to the same system.`);
    expect(stderr).toContain('--force');
    expect(stderr).not.toContain('checking');
    expect((await connectJson(...to('Second'), '--force')).connection.name).toBe('Second');
  });
});

describe('the tables of a system', () => {
  it('are listed for a stored connection, and for settings without storing any', async () => {
    await connectJson('sandbox', '--name', 'Listed', '--application', 'Listing', '--url', system);
    const stored = await connectJson('tables', 'Listed');
    expect(stored.tables).toContainEqual(
      expect.objectContaining({
        name: 'erp.lief',
        kind: 'table',
        primaryKey: expect.arrayContaining([expect.any(String)]),
      }),
    );
    const { code, stdout } = await connect(['tables', 'sandbox', '--url', system]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^table +kind +rows +key$/m);
    expect(stdout).toMatch(/^erp\.lief +table /m);
    expect(stdout).not.toContain('pg_catalog');
  });

  it('show their columns', async () => {
    const { code, stdout } = await connect(['tables', 'sandbox', '--url', system, 'erp.land']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^column +type +null +key$/m);
    expect(stdout).toMatch(/^bez +\S+.* (yes|no)/m);
    const { table, columns } = await connectJson('tables', 'sandbox', '--url', system, 'erp.land');
    expect([table, columns.map(({ name }: { name: string }) => name)]).toEqual([
      'erp.land',
      expect.arrayContaining(['bez']),
    ]);
  });

  it('are suggested if a table does not exist, and invalid options are refused immediately', async () => {
    const unknown = await connect(['tables', 'sandbox', '--url', system, 'erp.leif']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('The login cannot read a table "erp.leif". Did you mean erp.lief?');
    const wrong = await connect(['tables', 'sandbox', '--ulr', 'x', 'erp.lief', 'extra']);
    expect(wrong.code).toBe(2);
    for (const text of ['Did you mean --url?', '"extra" is not expected']) {
      expect(wrong.stderr).toContain(text);
    }
    expect((await connect(['tables', 'Nowhere'])).stderr).toContain('npm run connect -- list');
  });
});

describe('a connection', () => {
  it('with a failing stream is listed with the values and the time of the failure, and is synchronized on request', async () => {
    const made = await connectJson('sandbox', '--name', 'Failing', '--application', 'Failing', '--url', system);
    const { applicationId, id: connectionId } = made.connection;
    const since = new Date().toISOString();
    const scope = store.scope({ applicationId, connectionId });
    await saveSyncState(scope, 'lief', { error: 'Refused', failingSince: since, nextRunAt: '2999-01-01T00:00:00Z' });
    const { connections } = await connectJson('list', '--application', 'Failing');
    expect(connections[0].problems).toEqual([expect.stringMatching(/^lief: Refused \(since \d{4}-.*Z\)$/)]);
    const { code, stdout } = await connect(['sync', 'Failing', '--full']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Requested a sync of "Failing".')]);
    const requested = new pg.Client(server.url);
    await requested.connect();
    const { rows } = await requested.query('select key from jobs.jobs where key like $1', [`sync:${connectionId}:%`]);
    await requested.end();
    expect(rows).toEqual([{ key: `sync:${connectionId}:full` }]);
    await deactivateConnection(store, connectionId);
    const inactive = await connect(['sync', 'Failing']);
    expect([inactive.code, inactive.stderr]).toEqual([1, expect.stringContaining('is inactive')]);
  });

  it('is listed, changed, given a new token and removed, by its name or id', async () => {
    const made = await connectJson('sandbox', '--name', 'Managed', '--application', 'Managing', '--url', system);
    const { id } = made.connection;
    const { connections } = await connectJson('list');
    const listed = connections.find((each: { id: string }) => each.id === id);
    expect(listed).toMatchObject({
      name: 'Managed',
      platform: 'sandbox',
      applicationName: 'Managing',
      status: 'active',
    });
    expect(listed).toMatchObject({ lastSyncAt: null, runningSince: null, streamsRead: 0, problems: [] });
    expect((await connect(['list'])).stdout).toMatch(/^ {2}schedule {5}changes every 15 min, all records every 24 h$/m);

    const moved = systemWith({ search: '?application_name=moved' });
    const typed = await connectProcess(
      ['update', 'Managed', '--name', 'Renamed', '--ask-url', '--full-every', '12h', '--json'],
      `${moved}\n`,
    );
    expect(typed.stderr).not.toContain('✗');
    expect(JSON.parse(typed.stdout).connection).toMatchObject({ id, name: 'Renamed' });
    expect(await connectionSettings(store, id)).toEqual({ url: moved });
    expect(await connectionById(store, id)).toMatchObject({ syncEveryMinutes: 15, fullSyncEveryHours: 12 });
    expect(await connectionByToken(store, made.token)).toMatchObject({ connectionId: id });

    const { token: next, revoked } = await connectJson('token', id, '--revoke-others', '--expires', '90d');
    expect(revoked).toBe(1);
    expect(await connectionByToken(store, made.token)).toBeNull();
    expect(await connectionByToken(store, next)).toMatchObject({ connectionId: id, expiresAt: expect.any(String) });

    const limits = ['--name', 'Reporting', '--scopes', 'read', '--access', 'Vendor:name,currency Person'];
    const { token: limited } = await connectJson('token', id, ...limits);
    expect(await connectionByToken(store, limited)).toMatchObject({
      ...{ scopes: ['read'], access: [{ entity: 'Vendor', fields: ['name', 'currency'] }, { entity: 'Person' }] },
    });
    const wrong = await connect(['token', id, '--scopes', 'admin', '--access', 'Vendor:nmae']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--scopes must be read, write')]);
    expect(wrong.stderr).toContain('--access: Vendor has no field "nmae". Did you mean "name"?');
    const misspelled = await connect(['token', id, '--access', 'Vendro']);
    expect(misspelled.stderr).toContain('--access: There is no entity "Vendro". Did you mean "Vendor"?');

    expect(await connect(['remove', 'Renamed'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await connectJson('remove', 'Renamed', '--yes')).toMatchObject({ removed: true });
    expect(await connectionByToken(store, next)).toBeNull();
    const gone = await connect(['remove', 'Renamed', '--yes']);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no connection "Renamed"') });
  });

  it('shows the progress of its first sync', async () => {
    const { connection } = await connectJson(
      'sandbox',
      '--name',
      'Young',
      '--application',
      'Starting',
      '--url',
      system,
    );
    const scope = store.scope({ applicationId: connection.applicationId, connectionId: connection.id });
    const cursor = { fullAt: '2026-11-20T09:30:00Z' };
    await saveSyncState(scope, 'waehrung', { cursor, runningSince: 'now' });
    expect((await connect(['list'])).stdout).toMatch(/^ {2}last sync {4}not finished yet \(1 of \d+ streams read\)$/m);
  });

  it('has an entry in the audit log for each change, without the secrets of the system', async () => {
    const made = await connectJson('sandbox', '--name', 'Audited', '--application', 'Auditing', '--url', system);
    const { id, applicationId } = made.connection;
    await connectJson('update', id, '--schema', 'erp');
    await connectJson('update', id, '--url', systemWith({ search: '?application_name=moved' }), '--name', 'Moved');
    await connectJson('token', id, '--revoke-others');
    await connectJson('remove', id, '--yes');
    const entries = (await pageOfAudit(store.application(applicationId), { limit: 20 })).toReversed();
    expect(entries.map(({ operation, action }) => [operation, action])).toEqual([
      ['connect sandbox', 'application.create'],
      ['connect sandbox', 'connection.create'],
      ['connect sandbox', 'token.create'],
      ['connect update', 'connection.update'],
      ['connect update', 'connection.update'],
      ['connect token', 'token.create'],
      ['connect token', 'token.revoke'],
      ['connect remove', 'connection.deactivate'],
      ['connect remove', 'connection.purge'],
    ]);
    expect(entries[3]).toMatchObject({ before: { settings: {} }, after: { settings: { schema: 'erp' } } });
    expect(entries[4]).toMatchObject({
      before: { name: 'Audited' },
      after: { name: 'Moved', changedSecrets: ['url'] },
    });
    const stored = JSON.stringify(entries);
    for (const secret of [made.token, new URL(system).password]) expect(stored).not.toContain(secret);
  });

  it('is listed and removed if the key of its settings is lost', async () => {
    const { connection } = await connectJson(
      'sandbox',
      '--name',
      'Lost key',
      '--application',
      'Losing',
      '--url',
      system,
    );
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(
      `update unified.connections set settings = regexp_replace(settings, '^v1[.][^.]+', 'v1.00000000') where id = $1`,
      [connection.id],
    );
    await client.end();
    await expect(connectionSettings(store, connection.id)).rejects.toThrow('was encrypted with key 00000000');
    const { connections } = await connectJson('list');
    expect(connections).toContainEqual(expect.objectContaining({ id: connection.id }));
    expect((await connectJson('remove', connection.id, '--yes')).removed).toBe(true);
    expect(await connectionById(store, connection.id)).toBe(null);
  });

  it('keeps its settings if the new ones are refused, and reports the reason', async () => {
    const { connection } = await connectJson(
      'sandbox',
      '--name',
      'Careful',
      '--application',
      'Caring',
      '--url',
      system,
    );
    const wrong = ['update', 'Careful', '--url', systemWith({ password: 'wrong' })];
    expect(await connect(wrong)).toMatchObject({ code: 1, stderr: expect.stringContaining('password') });
    const misspelt = await connect(['update', 'Carefull', '--shcema', 'erp']);
    expect(misspelt.stderr).toContain('There is no connection "Carefull". Did you mean Careful?');
    const shortened = await connect(['tables', 'caref']);
    expect(shortened.stderr).toContain('There is no connection "caref". Did you mean Careful?');
    const unknown = await connect(['update', 'Careful', '--shcema', 'erp']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean --schema?') });
    expect(await connectionSettings(store, connection.id)).toEqual({ url: system });
  });

  it('ends a pause with the same settings, but not with settings that are stored although the system refuses them', async () => {
    const made = await connectJson('sandbox', '--name', 'Paused', '--application', 'Pausing', '--url', system);
    const { id } = made.connection;
    const quotas = sharedQuotas(store);
    onTestFinished(() => quotas.close());
    const account = accountOf(platformOf('sandbox'), { url: system });
    const isPaused = async () => (await quotas.pausesOf([account])).has(account);
    await quotas.pause(account, { kind: 'throttled', seconds: 600 });
    const forced = await connect(['update', id, '--url', systemWith({ password: 'wrong' }), '--force']);
    expect([forced.code, await isPaused()]).toEqual([0, true]);
    for (const _ of ['new', 'same']) {
      await quotas.pause(account, { kind: 'throttled', seconds: 600 });
      expect((await connectJson('update', id, '--url', system)).connection.id).toBe(id);
      expect(await isPaused()).toBe(false);
    }
    const nothing = await connect(['update', id]);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('There is nothing to change.') });
  });
});
