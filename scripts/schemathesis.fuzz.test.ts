// Sends a running server requests that Schemathesis derives from its document, valid and invalid, and compares the responses
// with the document. `test-fuzz/schemathesis.toml` is the configuration. Each day a different seventh of the operations is
// tested, with a different seed. FUZZ_DAY repeats the tests of a day, FUZZ_TAGS tests the operations of these tags.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from '@unified/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../packages/store/src/embedded/free-port.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCHEMATHESIS = join(ROOT, '.tools/schemathesis/bin/schemathesis');
const PARTS = 7;
const DAY_MS = 86_400_000;
const LONGEST_MS = 900_000;
/** On a quiet machine the sandbox company is copied within a minute. */
const LONGEST_COPY_MS = 600_000;

const day = Number(process.env.FUZZ_DAY ?? Math.floor(Date.now() / DAY_MS));
const tags = process.env.FUZZ_TAGS?.split(',') ?? partOf(day);
const dataDir = await mkdtemp(join(tmpdir(), 'unified-fuzz-'));
let server: ChildProcess;
let baseUrl: string;
let connection: { readonly id: string; readonly token: string };
/** Tokens of the three kinds, and what operations need that Schemathesis does not create. */
let environment: Record<string, string>;
const CONSOLE = 'Console';

beforeAll(async () => {
  if (!existsSync(SCHEMATHESIS)) throw new Error(`There is no ${SCHEMATHESIS}: run test-fuzz/install.sh.`);
  const port = await freePort();
  baseUrl = `http://localhost:${port}`;
  const limit = 999_999_999;
  server = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      REQUESTS_PER_MINUTE: `console=${limit},data=${limit},management=${limit},mcp=${limit},token=${limit}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await vi.waitFor(async () => expect(await isCopied()).toBe(true), { timeout: LONGEST_COPY_MS, interval: 1000 });
  environment = await prepare();
}, LONGEST_COPY_MS);
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true });
});

it(
  'requests that the document allows are accepted, all others refused, with the responses that it describes',
  async () => {
    const part = process.env.FUZZ_TAGS ? '' : `, part ${(day % PARTS) + 1} of ${PARTS}`;
    console.log(`Seed ${day}${part}: ${tags.join(', ')}\nRepeat: FUZZ_DAY=${day} SUITE=fuzz npm test`);
    const { code, report } = await runSchemathesis();
    console.log(report);
    const findings = report.slice(report.search(/^=+ (?:ERRORS|FAILURES) =+$/m));
    expect(code, `FUZZ_DAY=${day}\n${findings}`).toBe(0);
  },
  LONGEST_MS,
);

/** The tags whose operations are tested on this day. Operations that have ended return only 410. */
function partOf(day: number): string[] {
  const served = operations.filter(({ deprecation: { sunset } = {} }) => !sunset || Date.now() < Date.parse(sunset));
  return [...new Set(served.map(({ tag }) => tag))].sort().filter((_, index) => index % PARTS === day % PARTS);
}

/** Whether all of the sandbox company has been read. Until then, records appear and disappear without a request. */
async function isCopied(): Promise<boolean> {
  const { connections } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  connection = connections[0];
  const { bases, path } = operations.find(({ id }) => id === 'getSyncStatus') ?? { bases: [''], path: '' };
  const response = await fetch(baseUrl + bases[0] + path, { headers: { Authorization: `Bearer ${connection.token}` } });
  const { data } = (await response.json()) as { data: { lastSuccessAt: string | null }[] };
  return data.every(({ lastSuccessAt }) => lastSuccessAt !== null);
}

/** Issues tokens, creates a user of MCP, and finds a raw table. */
async function prepare(): Promise<Record<string, string>> {
  const { clientId, clientSecret, database } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const admin = await getAdminToken(clientId, clientSecret);
  const create = async (path: string, json: object) => {
    const headers = { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}/v4${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    const { data, mcpRole } = JSON.parse(text);
    return data ?? mcpRole;
  };
  const scopes = ['read', 'write', 'passthrough'];
  const { token } = await create(`/connections/${connection.id}/token`, { name: 'Schemathesis', scopes });
  const customer = await create('/end-customers', { name: 'Northwind' });
  const platforms = [{ platform: 'sandbox', preset: 'full' }];
  const role = await create(`/end-customers/${customer.id}/roles`, { name: 'Clerk', slug: 'clerk', platforms });
  const email = 'clerk@northwind.example';
  const user = await create(`/end-customers/${customer.id}/users`, { email, roleId: role.id });
  const personal = await create(`/end-customers/${customer.id}/users/${user.id}/tokens`, { name: 'Schemathesis' });
  const session = tags.includes(CONSOLE) ? await signInToConsole() : {};
  if (tags.includes('MCP surface')) {
    const owner = { endCustomerId: customer.id, allowDuplicate: true };
    await create('/connections', { platform: 'sandbox', name: 'MCP', settings: database, ...owner });
  }
  return {
    ...session,
    ...{ TOKEN: token, ADMIN_TOKEN: admin, PERSONAL_TOKEN: personal.token },
    ...{
      CONNECTION: connection.id,
      CLIENT: clientId,
      OWN_CUSTOMER: customer.id,
      END_CUSTOMER: (await create('/end-customers', { name: 'Contoso' })).id,
      RAW_TABLE: await firstRawTable(token),
    },
  };
}

/** Adds an admin of the console, and returns the cookie of a session. */
async function signInToConsole(): Promise<Record<string, string>> {
  const args = ['operator', 'add', 'fuzz@northwind.example', 'Schemathesis', 'admin', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/admin.mjs'), ...args], {
    env: { PATH: process.env.PATH, PORT: new URL(baseUrl).port, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  });
  const { operator, link } = JSON.parse(stdout);
  const token = new URL(link).hash.slice(1);
  const response = await fetch(`${baseUrl}/v4/console/first-sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ token, password: 'correct horse battery staple' }),
  });
  const [cookie = ''] = response.headers.getSetCookie();
  if (!response.ok) throw new Error(await response.text());
  return { CONSOLE_COOKIE: cookie.split(';', 1)[0] ?? '', CONSOLE_OPERATOR: operator.id };
}

/** An access token of the sandbox's application for the Management API. */
async function getAdminToken(clientId: string, clientSecret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

async function firstRawTable(token: string): Promise<string> {
  const response = await fetch(`${baseUrl}/v4/raw/tables`, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: { name: string }[] };
  return String(data[0]?.name);
}

async function runSchemathesis(): Promise<{ code: number; report: string }> {
  const selected = tags.flatMap((tag) => ['--include-tag', tag]);
  const args = ['run', `${baseUrl}/openapi.json`, '--seed', String(day), ...selected];
  const run = spawn(SCHEMATHESIS, args, {
    cwd: join(ROOT, 'test-fuzz'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(run, 'exit');
  const report = await text(run.stdout);
  const [code] = await ended;
  return { code, report };
}
