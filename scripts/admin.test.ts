import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { createLogger, createServer } from '@unified/server';
import {
  createApplication,
  createConnection,
  hasInstallation,
  isMigrated,
  loadKey,
  migrate,
  openStore,
  pageOfAudit,
} from '@unified/store';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { documentTables, empty, startPrepared } from '../packages/store/test/prepared-server.ts';
import { admin } from './admin/admin.ts';
import { connect } from './connect/connect.ts';
import { runHere } from './test/run-here.ts';

const KEY = 'cd'.repeat(32);
const PUBLIC_URL = 'http://localhost:4000';

const database = await startPrepared(documentTables);
const key = await loadKey(KEY, database.dataDir);
const store = await openStore({ databaseUrl: database.url, publicUrl: PUBLIC_URL, entities, key });
const logger = createLogger('silent');
const engine = createEngine({ store, databaseUrl: database.url, log: logger });
let server: Awaited<ReturnType<typeof createServer>>;

beforeAll(async () => {
  await migrate(store);
  server = await createServer({ store, engine, logger, publicUrl: PUBLIC_URL, port: 0 });
});

afterAll(async () => {
  await server.close();
  await engine.close();
  await store.close();
  await database.remove();
});

const run = (...args: readonly string[]) => runWith({ UNIFIED_KEY: KEY }, args);

const runWith = (key: Readonly<Record<string, string>>, args: readonly string[]) =>
  runHere(admin, args, { DATABASE_URL: database.url, DATA_DIR: database.dataDir, PUBLIC_URL, ...key });

/** The result of a command with `--json`; fails unless the command succeeds. */
async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(stderr).not.toContain('✗');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

/** The status of a list of the application's clients with an access token. */
async function statusWith(accessToken: string): Promise<number> {
  const response = await fetch(`${server.url}/v4/clients`, { headers: { Authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Access token of a client, obtained with its secret. */
async function granted(clientId: string, clientSecret: string): Promise<string | undefined> {
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body });
  const { access_token } = (await response.json()) as { readonly access_token?: string };
  return access_token;
}

describe('migrate', () => {
  it('creates the tables in an empty database, and does nothing in a current one', async () => {
    const other = await startPrepared(empty);
    onTestFinished(() => other.remove());
    const migrate = () =>
      runHere(admin, ['migrate'], { DATABASE_URL: other.url, DATA_DIR: other.dataDir, PUBLIC_URL, UNIFIED_KEY: KEY });
    for (const _ of ['first', 'second']) {
      expect(await migrate()).toEqual({
        code: 0,
        stdout: 'The database has the tables of this release.\n',
        stderr: '',
      });
    }
    const stored = await openStore({ databaseUrl: other.url, publicUrl: PUBLIC_URL, entities, key });
    expect(await isMigrated(stored)).toBe(true);
    await stored.close();
  });
});

describe('without an installation', () => {
  const connectCommands = ['list', 'sync Acme', 'tables Acme', 'update Acme --name Other', 'mapping show Acme Vendor'];
  const adminCommands = [
    ...['application list', 'application add Acme', 'secret list Acme', 'token add Acme', 'key list', 'key rotate'],
    ...['operator list', 'operator add a@acme.example Ada admin', 'connection where', 'distribute --dry-run'],
  ];
  const all = [
    ...[...connectCommands, 'token Acme', 'remove Acme --yes'].map((line) => ['connect', line] as const),
    ...adminCommands.map((line) => ['admin', line] as const),
  ];
  const runIn = (command: string, line: string, env: Readonly<Record<string, string>>) =>
    runHere(command === 'admin' ? admin : connect, line.split(' '), { UNIFIED_KEY: '', DATABASE_URL: '', ...env });

  it.each([...all, ['admin', 'migrate'], ['admin', 'backup copy']] as const)(
    '%s %s creates none',
    async (command, line) => {
      const dataDir = join(tmpdir(), randomUUID());
      const { code, stdout, stderr } = await runIn(command, line, { DATA_DIR: dataDir });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(
        `✗ There is no installation in ${dataDir}.\n  Set DATA_DIR to the directory that the server uses, ` +
          'or DATABASE_URL to its database. To create an installation here, run: npm start\n',
      );
      await expect(stat(dataDir)).rejects.toThrow('ENOENT');
    },
  );

  it('commands leave an empty database as it is', async () => {
    const other = await startPrepared(empty);
    onTestFinished(() => other.remove());
    for (const [command, line] of all) {
      const { code, stderr } = await runIn(command, line, { DATABASE_URL: other.url, UNIFIED_KEY: KEY });
      expect([code, stderr]).toEqual([1, expect.stringContaining('no installation in the database that DATABASE_URL')]);
    }
    expect(await hasInstallation(other.url)).toBe(false);
  });

  it('commands do not create another master key', async () => {
    const dataDir = join(tmpdir(), randomUUID());
    const { code, stderr } = await runIn('connect', 'list', { DATABASE_URL: database.url, DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no master key in ${dataDir}/key.`)]);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });
});

describe('the command line', () => {
  it.each([
    ['--help', 'application add'],
    ['secret --help', 'secret revoke'],
    ['key rotate --help', 'npm run admin -- key rotate'],
  ])('explains itself: %s', async (line, content) => {
    const { code, stdout, stderr } = await run(...line.split(' '));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(content);
  });

  it.each([
    ['', 'npm run admin -- <subject> <command>'],
    ['secrets list', 'There is no command "secrets". Did you mean secret?'],
    ['secret lst', 'There is no command "secret lst". Did you mean secret list?'],
    ['application add', 'The name is missing.'],
    ['secret add Acme extra --expires yesterday', '--expires must be a time in the future'],
    ['secret add Acme extra --expires yesterday', '"extra" is not expected here.'],
    ['connection move', 'Send the id or name of the connection.'],
    ['connection move Acme', 'Send --to. See the workers: npm run admin -- connection where'],
  ])('refuses wrong usage with code 2: %s', async (line, problem) => {
    const { code, stdout, stderr } = await run(...line.split(' ').filter(Boolean));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(problem);
  });

  it('refuses to distribute a database without Citus, with the statement to run', async () => {
    const { code, stderr } = await run('distribute', '--dry-run');
    expect(code).toBe(1);
    expect(stderr).toContain('CREATE EXTENSION citus;');
  });

  it.each(['where', 'move'])('needs a cluster to show or move a connection: %s', async (verb) => {
    const { id: applicationId } = await createApplication(store, `Placed by ${verb}`);
    const name = `Placed by ${verb}`;
    const { id } = await createConnection(store, { applicationId, platform: 'test', settings: {}, name });
    const { code, stderr } = await run('connection', verb, id, ...(verb === 'move' ? ['--to', '10.0.0.2:5432'] : []));
    expect([code, stderr]).toEqual([1, expect.stringContaining('CREATE EXTENSION citus;')]);
  });

  it('refuses an unknown client with code 1, and suggests the nearest name', async () => {
    await json('application', 'add', 'Suggested');
    const { code, stderr } = await run('secret', 'list', 'Sugested');
    expect(code).toBe(1);
    expect(stderr).toContain('There is no client or application "Sugested". Did you mean Suggested?');
  });
});

describe('an application that was added', () => {
  it('is the only one with its name, by which commands find it', async () => {
    await json('application', 'add', 'Single');
    const { code, stderr } = await run('application', 'add', 'Single');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is an application "Single".')]);
  });

  it('is listed, and its first client obtains tokens with the secret that was printed', async () => {
    const { application, clientId, clientSecret } = await json('application', 'add', 'Acme');
    expect((await json('application', 'list')).applications).toContainEqual(application);
    expect(await statusWith((await granted(clientId, clientSecret)) ?? '')).toBe(200);
  });
});

it('names the next step after an application was added', async () => {
  const { code, stdout } = await run('application', 'add', 'Guided');
  const [, clientId] = /client id +(\S+)/.exec(stdout) ?? [];
  expect(code).toBe(0);
  expect(stdout).toContain(`/oauth/token -u ${clientId} -d grant_type=client_credentials`);
});

describe('a secret', () => {
  it('is replaced without an interruption: both work until the previous one is revoked', async () => {
    const { clientId, clientSecret } = await json('application', 'add', 'Rotating');
    const [previous] = (await json('secret', 'list', 'Rotating')).secrets;
    const { secret } = await json('secret', 'add', 'Rotating', '--name', 'second');
    expect(await granted(clientId, clientSecret)).toBeDefined();
    expect(await granted(clientId, secret)).toBeDefined();
    await json('secret', 'revoke', clientId, previous.id);
    expect(await granted(clientId, clientSecret)).toBeUndefined();
    expect(await granted(clientId, secret)).toBeDefined();
    const { stdout } = await run('secret', 'list', 'Rotating');
    expect(stdout).toMatch(/revoked .*\n.*valid, last used .* {2}second/);
    expect(stdout).not.toContain(secret);
  });

  it.each(['0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b', 'no-id'])('that does not exist is not revoked: %s', async (id) => {
    await json('application', 'add', `Without ${id}`);
    const { code, stderr } = await run('secret', 'revoke', `Without ${id}`, id);
    expect(code).toBe(1);
    expect(stderr).toContain(`The client has no valid secret ${id}.`);
  });
});

describe('tokens', () => {
  it('are issued without the secret, and revoked together', async () => {
    const { clientId, clientSecret } = await json('application', 'add', 'Tokens');
    const { accessToken } = await json('token', 'add', clientId);
    expect(await statusWith(accessToken)).toBe(200);
    const other = (await granted(clientId, clientSecret)) ?? '';
    expect(await json('token', 'revoke', clientId)).toEqual({ clientId, revoked: 2 });
    expect(await statusWith(other)).toBe(401);
  });
});

describe('the key that signs', () => {
  it('is replaced, and tokens of the previous one stay valid', async () => {
    const { accessToken } = await json('token', 'add', (await json('application', 'add', 'Signed')).clientId);
    const [before] = (await json('key', 'list')).keys;
    const { id } = await json('key', 'rotate');
    const { keys } = await json('key', 'list');
    expect(keys.map(({ id, signs }: { id: string; signs: boolean }) => [id, signs]).slice(0, 2)).toEqual([
      [id, true],
      [before.id, false],
    ]);
    expect(await statusWith(accessToken)).toBe(200);
  });
});

describe('the keys that encrypt', () => {
  const NEXT = 'ef'.repeat(32);
  let directory: string;
  /** A file with a key. */
  const fileWith = async (key: string) => {
    const file = join(directory, key.slice(0, 2));
    await writeFile(file, key);
    return file;
  };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'unified-admin-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('are replaced while the server issues tokens', async () => {
    const { clientId, clientSecret } = await json('application', 'add', 'Encrypted');
    expect((await json('key', 'rotate-data')).resealed).toBeGreaterThan(0);
    expect(await granted(clientId, clientSecret)).toBeDefined();
  });

  it('are protected by a new master key while the previous one works, until the rotation is finished', async () => {
    const { clientId, clientSecret } = await json('application', 'add', 'Protected');
    expect(await json('key', 'rotate-master', '--new-key-file', await fileWith(NEXT))).toEqual({
      masterKey: expect.any(String),
      dataKeys: expect.any(Number),
      unreadable: 0,
    });
    expect(await granted(clientId, clientSecret)).toBeDefined();
    const command = `cat ${await fileWith(NEXT)}`;
    const refused = await run('key', 'rotate-master', '--finish');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is an earlier one')]);
    expect((await runWith({ MASTER_KEY_COMMAND: command }, ['key', 'rotate-master', '--finish'])).code).toBe(0);
    const late = await run('application', 'add', 'Late');
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('need the master key')]);

    const back = ['key', 'rotate-master', '--new-key-command', `cat ${await fileWith(KEY)}`];
    expect((await runWith({ UNIFIED_KEY: NEXT }, back)).code).toBe(0);
    expect(await json('key', 'rotate-master', '--finish')).toEqual({ retired: 1 });
    expect(await granted(clientId, clientSecret)).toBeDefined();
    await json('key', 'rotate-data');
    const entries = await pageOfAudit(store.application(clientId), { limit: 3 });
    expect(entries.map(({ operation, action, actor, after }) => [operation, action, actor, after])).toEqual(
      [
        ['admin key rotate-data', 'key.rotate_data', { resealed: expect.any(Number), unreadable: 0 }],
        ['admin key rotate-master --finish', 'key.retire_master', { retired: 1 }],
        [
          ...['admin key rotate-master', 'key.add_master'],
          { masterKey: expect.any(String), dataKeys: expect.any(Number), unreadable: 0 },
        ],
      ].map(([operation, action, after]) => [operation, action, userInfo().username, after]),
    );
    expect(JSON.stringify(entries)).not.toContain(KEY);
  });

  it('need a source for the new master key unless the current one is a file', async () => {
    const { code, stderr } = await run('key', 'rotate-master');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Send --new-key-file or --new-key-command')]);
    const both = await run('key', 'rotate-master', '--finish', '--new-key-file', 'x');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Send only one of')]);
  });
});

describe('the audit log', () => {
  it('names the operator, the command and the object of every change, without secrets', async () => {
    const { clientId, clientSecret } = await json('application', 'add', 'Audited');
    const added = await json('secret', 'add', clientId, '--name', 'second');
    await json('secret', 'revoke', clientId, added.id);
    const { accessToken, refreshToken } = await json('token', 'add', clientId);
    await json('token', 'revoke', clientId);
    const { id } = await json('key', 'rotate');
    const entries = (await pageOfAudit(store.application(clientId), { limit: 6 })).toReversed();
    expect(entries.map(({ operation, action, target }) => [operation, action, target])).toEqual([
      ['admin application add', 'application.create', clientId],
      ['admin secret add', 'secret.create', added.id],
      ['admin secret revoke', 'secret.revoke', added.id],
      ['admin token add', 'token.create', clientId],
      ['admin token revoke', 'token.revoke', clientId],
      ['admin key rotate', 'key.rotate', id],
    ]);
    const by = { actorType: 'operator', actor: userInfo().username, requestId: null, address: null };
    expect(entries).toEqual(entries.map(() => expect.objectContaining(by)));
    const stored = JSON.stringify(entries);
    for (const secret of [clientSecret, added.secret, accessToken, refreshToken]) expect(stored).not.toContain(secret);
  });
});

describe('operators of the console', () => {
  it('are added with a one-time link, which is printed again for who cannot sign in', async () => {
    const added = await json('operator', 'add', 'maria@northwind.example', 'Maria', 'viewer');
    expect(added).toMatchObject({
      operator: { role: 'viewer', isInvited: true },
      link: expect.stringContaining('#sol_'),
    });
    const again = await json('operator', 'link', 'Maria@Northwind.example');
    const redeem = async (link: string) => {
      const body = JSON.stringify({ token: new URL(link).hash.slice(1), password: 'correct horse battery staple' });
      const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
      const response = await fetch(`${server.url}/v4/console/first-sign-in`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await redeem(added.link)).toBe(401);
    expect(await redeem(again.link)).toBe(201);
    expect((await json('operator', 'list')).operators).toMatchObject([
      { email: 'maria@northwind.example', isInvited: false },
    ]);
    const { stdout } = await run('operator', 'list', '--json');
    expect(stdout).not.toContain('scrypt');
  });

  it('are refused with an unknown role, a known address, or no name', async () => {
    for (const args of [
      ['add', 'tomas@northwind.example', 'Tomas', 'owner'],
      ['add', 'MARIA@northwind.example', 'Maria', 'viewer'],
      ['add', 'tomas@northwind.example'],
      ['link', 'tomas@northwind.example'],
    ]) {
      const { code, stderr } = await run('operator', ...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('✗')]);
    }
  });
});
