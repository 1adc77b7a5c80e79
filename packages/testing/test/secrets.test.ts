import { hash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { entities } from '@unified/contract';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { saveRecords } from '@unified/store';
import type { TestApi, TestApplication } from '@unified/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PageBrowser, type ShownPage, sessionOf, tokenIn } from './page-browser.ts';
import { startPageServer } from './page-server.ts';
import { databaseDump, linesWith, superuserPassword } from './secret-places.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const ORIGIN = 'https://portal.northwind.example';
const REDIRECT = `${ORIGIN}/callback`;
const CUSTOMER = '0199d2a4-7b10-7c21-8a55-90c1d2e3f4a5';
/** Part of the message in which the system repeats the secret that it receives. */
const TELLING = 'was blocked by Northwind';

interface Body {
  readonly data: Readonly<Record<string, string>>;
  readonly access_token: string;
  readonly refresh_token: string;
}

let server: Awaited<ReturnType<typeof startPageServer>>;
let api: TestApi;
let system: { readonly url: string };
let app: TestApplication;
let telling: Awaited<ReturnType<typeof startTellingSystem>>;

/** Every secret that was used or issued, by its description. */
const secrets = new Map<string, string>();
/** Responses in which the service must not return a secret: refusals, pages and lists. */
let returned = '';

beforeAll(async () => {
  server = await startPageServer(REDIRECT, { policies: fastRetries, requestLog: { everyMs: 1 } });
  ({ api, system } = server);
  app = await server.newApplication();
  telling = await startTellingSystem();
  keep('client secret', app.clientSecret);
  keep('access token of the application', app.token);
});
afterAll(async () => {
  await telling.close();
  await server.stop();
});

function keep(what: string, secret: string | undefined): string {
  expect(secret?.length, what).toBeGreaterThan(12);
  secrets.set(what, String(secret));
  return String(secret);
}

/** A system with the interface of Redmine whose messages contain the key that it receives. */
async function startTellingSystem() {
  const http = createServer((request, response) => {
    const errors = [`The key ${request.headers['x-redmine-api-key']} ${TELLING}`];
    response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => http.close(resolve)) };
}

async function manage(method: string, path: string, json?: object, headers = {}) {
  return api.fetch<Body>(`/v4${path}`, { method, token: app.token, headers, ...(json && { json }) });
}

async function grant(what: string, sent: object, path = '/oauth/token'): Promise<Body> {
  const json = { client_id: app.clientId, client_secret: app.clientSecret, ...sent };
  const { status, body } = await api.fetch<Body>(path, { method: 'POST', token: null, json });
  expect([what, status]).toEqual([what, 200]);
  keep(`access token of ${what}`, body.access_token);
  if (body.refresh_token) keep(`refresh token of ${what}`, body.refresh_token);
  return body;
}

/** The page after the check of a system has ended. */
async function checked(open: () => Promise<ShownPage>): Promise<ShownPage> {
  return vi.waitFor(
    async () => {
      const page = await open();
      if (page.text.includes('data-changing')) throw new Error('the check has not ended');
      return page;
    },
    { timeout: 100_000, interval: 200 },
  );
}

async function manageSecrets(): Promise<void> {
  for (const key of ['first', 'first', 'second']) {
    const { body } = await manage('POST', `/clients/${app.clientId}/secrets`, {}, { 'Idempotency-Key': key });
    keep(`client secret with the ${key} key`, body.data.secret);
  }
  const pair = await grant('a link', { grant_type: 'client_credentials' }, '/link/token');
  await grant('a refresh', { grant_type: 'refresh_token', refresh_token: pair.refresh_token }, '/link/token');
  for (const token of secrets.values())
    returned += JSON.stringify((await api.fetch('/v4/vendors', { token: `${token.slice(0, -1)}!` })).body);
}

async function authorizeEndUser(): Promise<string> {
  const verifier = keep('code verifier', randomBytes(40).toString('base64url'));
  const challenge = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' };
  const query = { client_id: app.clientId, redirect_uri: REDIRECT, response_type: 'code', ...challenge };
  const browser = new PageBrowser(api.baseUrl);
  const page = await browser.open(`/oauth/authorize?${new URLSearchParams(query)}`);
  const [path, token] = [sessionOf(page), keep('token of the forms', tokenIn(page))];
  keep('cookie', [...browser.cookies.values()][0]);
  const wrong = new URL(system.url);
  wrong.password = keep('password of a wrong address', 'canary/of a%wrong-password');
  keep('password of a wrong address as it is written there', wrong.password);
  const entered = { url: telling.url, token: keep('key entered in a form', 'canary-of-an-entered-key') };
  const attempts = [
    { platform: 'redmine', settings: entered },
    { platform: 'sandbox', settings: { url: wrong.href, schema: 'erp' } },
    { platform: 'sandbox', settings: { url: system.url, schema: 'erp' } },
  ];
  for (const { platform, settings } of attempts) {
    await browser.submit(`${path}/platform`, { token, platform });
    await browser.enter(path, { token }, settings);
    returned += (await checked(() => browser.open(path))).text.replaceAll(token, '');
  }
  const { location } = await browser.submit(`${path}/allow`, { token });
  const code = keep('code', new URL(location).searchParams.get('code') ?? '');
  const redeemed = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
  return (await grant('an end user', redeemed)).access_token;
}

async function embedPage(): Promise<string> {
  const session = (await manage('POST', '/embed/sessions', { endCustomerId: CUSTOMER }, { 'Idempotency-Key': 'page' }))
    .body;
  const { pathname, hash: fragment } = new URL(session.data.url ?? '');
  const oneTime = keep('token of an embedded page', fragment.slice(1));
  const browser = new PageBrowser(api.baseUrl);
  const opened = await browser.submit(`${pathname}/open`, { token: oneTime });
  const form = { token: keep('token of the embedded forms', tokenIn(opened)) };
  await browser.submit(`${pathname}/platform`, { ...form, platform: 'sandbox' });
  await browser.enter(pathname, form, { url: system.url, schema: 'erp' });
  await checked(() => browser.submit(`${pathname}/show`, form));
  await browser.submit(`${pathname}/allow`, { ...form, connectAgain: 'yes' });
  const { body } = await api.fetch<{ data: { id: string; endCustomerId: string | null }[] }>('/v4/connections', {
    token: app.token,
  });
  return body.data.find(({ endCustomerId }) => endCustomerId === CUSTOMER)?.id ?? '';
}

async function useConnection(connectionId: string): Promise<void> {
  const path = `/connections/${connectionId}`;
  const { body } = await manage('POST', `${path}/token`, { expiresInDays: 90 }, { 'Idempotency-Key': 'token' });
  const token = keep('token of a connection', body.data.token);
  expect((await api.fetch('/v4/vendors', { token })).status).toBe(200);
  const question = { subject: 'The first synchronization', body: 'It never finishes.', connectionId };
  await manage('POST', '/support-requests', question);
  await manage('POST', '/embed/support-requests', question);
  for (const list of [path, '/connections', `${path}/tokens`, '/support-requests', '/embed/support-requests'])
    returned += JSON.stringify((await manage('GET', list)).body);
}

/** Connects a system that repeats its key in each message, and writes to it. */
async function useTellingSystem(): Promise<void> {
  const refused = { url: telling.url, token: keep('key of a refused connection', 'canary-of-a-refused-key') };
  const attempt = await manage('POST', '/connections', { platform: 'redmine', name: 'Telling', settings: refused });
  returned += JSON.stringify(attempt.body);
  const settings = { url: telling.url, token: keep('key of a connection', 'canary-of-a-stored-key') };
  const connection = await api.connect({ applicationId: app.applicationId, platform: 'redmine', settings });
  const changed = { settings: { token: keep('changed key', 'canary-of-a-changed-key') } };
  returned += JSON.stringify((await manage('PATCH', `/connections/${connection.connectionId}`, changed)).body);
  const { ids } = await saveRecords(connection.scope, entities.WorkOrder, [
    { _source: 'issues', _idValue: '1', values: { name: 'Replace bearing' }, references: {} },
  ]);
  const { token } = connection;
  keep('token of the connection to the telling system', token);
  const sent = { method: 'DELETE', token, headers: { Prefer: 'wait=30' } };
  returned += JSON.stringify((await api.fetch(`/v4/work-orders/${ids[0]}`, sent)).body);
  returned += JSON.stringify((await api.fetch('/v4/writes', { token })).body);
}

/** The exported audit log of the application, and its request log. */
async function exportedLogs(): Promise<string> {
  const headers = { Accept: 'application/x-ndjson' };
  const audit = await api.fetch<Buffer>('/v4/audit', { token: app.token, headers });
  let logs = '';
  for (let cursor = ''; ; ) {
    const path = `/v4/logs?per_page=200${cursor}`;
    const { body } = await api.fetch<Body & { meta: { next_cursor: string | null } }>(path, { token: app.token });
    logs += `${JSON.stringify(body.data)}\n`;
    if (body.meta.next_cursor === null) return `${audit.body}\n${logs}`;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

it('no secret of a whole journey is stored, logged, exported or returned again', async () => {
  await manageSecrets();
  await authorizeEndUser();
  await useConnection(await embedPage());
  await useTellingSystem();
  await vi.waitFor(async () => expect(await exportedLogs()).toContain('"listWrites"'), 20_000);
  keep('password of the database', await superuserPassword(api.dataDir));
  const places = {
    dump: await databaseDump(api),
    log: server.logged.join(''),
    exported: await exportedLogs(),
    returned,
  };
  // Each place contains what the journey left there, so a secret would have been found.
  expect(places.dump).toContain('It never finishes.');
  expect(places.dump).toContain(TELLING);
  expect(places.log).toContain(TELLING);
  expect(places.exported).toMatch(/secret\.create[\s\S]*createEmbedSession/);
  expect(places.returned).toContain(TELLING);
  const found = [...secrets].flatMap(([what, secret]) =>
    Object.entries(places).flatMap(([place, text]) =>
      linesWith(secret, text).map((line) => `${place} has the ${what}: ${line.slice(0, 2_000)}`),
    ),
  );
  expect(found).toEqual([]);
  expect(secrets.size).toBeGreaterThan(20);
});
