import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { createLogger, createServer } from '@unified/server';
import { loadKey, migrate, openStore } from '@unified/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentTables, startPrepared } from '../packages/store/test/prepared-server.ts';
import { admin } from './admin/admin.ts';
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

const run = (...args: readonly string[]) =>
  runHere(admin, args, { DATABASE_URL: database.url, UNIFIED_KEY: KEY, DATA_DIR: database.dataDir, PUBLIC_URL });

/** The result of a command with `--json`; fails unless it succeeds. */
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
    ['application add', 'Send the name.'],
    ['secret add Acme extra --expires yesterday', '--expires must be a time in the future'],
    ['secret add Acme extra --expires yesterday', '"extra" is not expected here.'],
  ])('refuses wrong usage with code 2: %s', async (line, problem) => {
    const { code, stdout, stderr } = await run(...line.split(' ').filter(Boolean));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(problem);
  });

  it('refuses an unknown client with code 1, and suggests the nearest name', async () => {
    await json('application', 'add', 'Suggested');
    const { code, stderr } = await run('secret', 'list', 'Sugested');
    expect(code).toBe(1);
    expect(stderr).toContain('There is no client or application "Sugested". Did you mean Suggested?');
  });
});

describe('an application that was added', () => {
  it('is listed, and its first client obtains tokens with the secret that was printed', async () => {
    const { application, clientId, clientSecret } = await json('application', 'add', 'Acme');
    expect((await json('application', 'list')).applications).toContainEqual(application);
    expect(await statusWith((await granted(clientId, clientSecret)) ?? '')).toBe(200);
  });
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
