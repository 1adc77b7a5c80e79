import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { addSandboxPlatform } from '@unified/sandbox';
import { issueAuthorizationCode } from '@unified/store';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCompany } from '../../sandbox/test/company-database.ts';
import { api as startApi, type TestApi, type TestApplication } from '../src/index.ts';
import { PageBrowser, sessionOf, tokenIn } from './page-browser.ts';

addSandboxPlatform();

// Follows the section "Authentication" of the specification; each test names the sentence that it covers.
vi.setConfig({ testTimeout: 120_000 });

const DAY = 24 * 3600;
const REDIRECT = 'https://portal.northwind.example/callback';
/** Maximum milliseconds until a replaced token is refused, with a margin for a busy machine. */
const REPLACED = { timeout: 20_000 };

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly code: string;
  readonly data: { readonly token: string };
}

let api: TestApi;
let app: TestApplication;
let credentials: { readonly client_id: string; readonly client_secret: string };
/** Everything that the server logs, at its most detailed level. */
let log = '';
/** Secrets and tokens of all tests. */
const canaries = new Set<string>();

beforeAll(async () => {
  const lines = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  api = await startApi({ rateLimits: { token: 1_000_000 }, logger: pino({ level: 'trace' }, lines) });
  app = await api.signIn(api.connection.applicationId);
  credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  for (const secret of [app.clientSecret, app.token, api.connection.token]) canaries.add(secret);
});
afterAll(() => api.stop());

/** Bodies of all refusals. */
let refusals = '';

async function link(sent: object) {
  const answer = await api.fetch<Pair>('/link/token', { method: 'POST', token: null, json: sent });
  for (const each of [answer.body.access_token, answer.body.refresh_token]) if (each) canaries.add(each);
  if (answer.status >= 400) refusals += JSON.stringify(answer.body);
  return answer;
}

const statusOf = async (token: string | null, path = '/v4/vendors') => (await api.fetch(path, { token })).status;
const management = (token: string | null) => statusOf(token, '/v4/connections');

describe('Authentication', () => {
  it('1. every request has a bearer token; a token is scoped to one connection', async () => {
    const second = await api.connect({ applicationId: app.applicationId });
    expect([await statusOf(api.connection.token), await statusOf(second.token)]).toEqual([200, 200]);
    const write = { method: 'POST', token: second.token, json: {} };
    expect((await api.fetch('/v4/sync', write)).status).not.toBe(401);
    expect(await management(second.token)).toBe(401);
  });

  it('2. a token that is expired, malformed or missing yields 401', async () => {
    const expired = await api.connection.issueToken({ expiresAt: '2020-01-01T00:00:00Z' });
    for (const token of [expired, 'malformed', null]) expect(await statusOf(token)).toBe(401);
    for (const token of ['malformed', null]) expect(await management(token)).toBe(401);
  });

  // The other two ways are the authorization flow and the dashboard; see below.
  it('3. a connection token is obtained by the Admin API', async () => {
    const path = `/v4/connections/${api.connection.connectionId}/token`;
    const { body } = await api.fetch<Pair>(path, { method: 'POST', token: app.token, json: {} });
    canaries.add(body.data.token);
    expect(await statusOf(body.data.token)).toBe(200);
  });
});

describe('Authorization flow', () => {
  const authorized = () =>
    issueAuthorizationCode(api.store, {
      clientId: app.clientId,
      connectionId: api.connection.connectionId,
      redirectUri: REDIRECT,
    });

  it('1. the application has a client id, a client secret and redirect URIs', async () => {
    const added = { method: 'POST', token: app.token, json: { uri: REDIRECT } };
    expect((await api.fetch(`/v4/clients/${app.clientId}/redirect-uris`, added)).status).toBe(201);
  });

  it('2. and 3. the end user is sent to /oauth/authorize, and returns with a code', async () => {
    const company = await startCompany();
    onTestFinished(() => company.stop());
    const browser = new PageBrowser(api.baseUrl);
    const query = { client_id: app.clientId, redirect_uri: REDIRECT, response_type: 'code' };
    const page = await browser.open(`/oauth/authorize?${new URLSearchParams(query)}`);
    const [session, token] = [sessionOf(page), tokenIn(page)];
    await browser.submit(`${session}/platform`, { token, platform: 'sandbox' });
    await browser.enter(session, { token }, { url: company.url, schema: 'erp' });
    const checked = async () => (await browser.open(session)).text.includes('First records');
    await expect.poll(checked, { timeout: 100_000 }).toBe(true);
    const { location } = await browser.submit(`${session}/allow`, { token });
    expect(location.startsWith(`${REDIRECT}?`)).toBe(true);
    const code = new URL(location).searchParams.get('code');
    const grant = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...credentials };
    const { status, body } = await link({ ...grant, code });
    expect([status, await statusOf(body.access_token)]).toEqual([200, 200]);
  });

  it('4. and 5. the backend exchanges the code for an access token and a refresh token', async () => {
    const grant = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...credentials };
    const { status, body } = await link({ ...grant, code: await authorized() });
    expect([status, await statusOf(body.access_token)]).toEqual([200, 200]);
    expect(body.refresh_token).toMatch(/./);
  });

  it('6. a refresh is sent as JSON, or form-encoded', async () => {
    const grant = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...credentials };
    const first = (await link({ ...grant, code: await authorized() })).body;
    const refresh = { grant_type: 'refresh_token', ...credentials };
    const second = await link({ ...refresh, refresh_token: first.refresh_token });
    const third = await api.fetch<Pair>('/link/token', {
      method: 'POST',
      token: null,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      text: new URLSearchParams({ ...refresh, refresh_token: second.body.refresh_token }).toString(),
    });
    expect([second.status, third.status]).toEqual([200, 200]);
    expect(await statusOf(third.body.access_token)).toBe(200);
  });

  it.each(['client_credentials', 'authorization_code', 'refresh_token'])('7. /oauth/token has %s', async (grant) => {
    const sent = { method: 'POST', token: null, json: { grant_type: grant, ...credentials } };
    const { body } = await api.fetch<{ error?: string }>('/oauth/token', sent);
    expect(body.error).not.toBe('unsupported_grant_type');
  });
});

describe('Dashboard', () => {
  it('a connection token is displayed once', async () => {
    const path = `/v4/connections/${api.connection.connectionId}`;
    const { body } = await api.fetch<Pair>(`${path}/token`, { method: 'POST', token: app.token, json: {} });
    canaries.add(body.data.token);
    expect(await statusOf(body.data.token)).toBe(200);
    for (const shown of [path, '/v4/connections'])
      expect(JSON.stringify((await api.fetch(shown, { token: app.token })).body)).not.toContain(body.data.token);
  });
});

describe('Admin API', () => {
  const grant = () => link({ grant_type: 'client_credentials', ...credentials });
  const refresh = (refresh_token: string) => link({ grant_type: 'refresh_token', refresh_token, ...credentials });

  it('1. and 2. client credentials return a pair: 30 days, 31 days, bearer, a Unix timestamp', async () => {
    const { status, body } = await grant();
    expect([status, body.token_type]).toEqual([200, 'bearer']);
    expect(Math.abs(body.expires_in - (Date.now() / 1000 + 30 * DAY))).toBeLessThan(60);
    const rows = await inDatabase(
      `select distinct extract(epoch from "expiresAt" - "createdAt")::int as seconds from unified.refresh_tokens`,
    );
    expect(rows).toEqual([{ seconds: 31 * DAY }]);
  });

  it('3. a refresh returns a new pair and invalidates the previous tokens', async () => {
    const first = (await grant()).body;
    expect(await management(first.access_token)).toBe(200);
    const second = (await refresh(first.refresh_token)).body;
    expect(await management(second.access_token)).toBe(200);
    await expect.poll(() => management(first.access_token), REPLACED).toBe(401);
    expect((await refresh(first.refresh_token)).status).toBe(401);
  });

  it('3. when the refresh token has expired, the client-credentials request is repeated', async () => {
    const { refresh_token } = (await grant()).body;
    await inDatabase('update unified.refresh_tokens set "expiresAt" = now()');
    const { status, body } = await refresh(refresh_token);
    expect([status, body.code]).toEqual([401, 'SERVICE_TOKEN_EXPIRED']);
    expect(await management((await grant()).body.access_token)).toBe(200);
  });

  it('4. the Admin API is called with the access token', async () => {
    expect(await management((await grant()).body.access_token)).toBe(200);
  });
});

describe('Token endpoint outcomes', () => {
  it('400: wrong grant_type, or a malformed body', async () => {
    const malformed = { method: 'POST', token: null, headers: { 'Content-Type': 'application/json' }, text: '{' };
    expect((await link({ grant_type: 'password', ...credentials })).status).toBe(400);
    expect((await api.fetch('/link/token', malformed)).status).toBe(400);
  });

  it('401: a malformed access token, and an invalid or expired refresh token', async () => {
    expect(await management('malformed')).toBe(401);
    const grant = { grant_type: 'refresh_token', ...credentials };
    expect((await link({ ...grant, refresh_token: 'srt_x' })).status).toBe(401);
    const { refresh_token } = (await link({ ...grant, grant_type: 'client_credentials' })).body;
    await inDatabase('update unified.refresh_tokens set "expiresAt" = now()');
    expect((await link({ ...grant, refresh_token })).status).toBe(401);
  });

  it('403: a wrong client id or secret', async () => {
    const grant = { grant_type: 'client_credentials', ...credentials };
    expect((await link({ ...grant, client_id: api.connection.connectionId })).status).toBe(403);
    expect((await link({ ...grant, client_secret: 'wrong' })).status).toBe(403);
  });
});

describe('secrets', () => {
  const management = (path: string, json: object, headers = {}) =>
    api.fetch<{ data: { secret: string } }>(`/v4${path}`, { method: 'POST', token: app.token, json, headers });

  it('of clients and of connections are stored, kept for repeated requests and refused', async () => {
    const { body } = await management(`/clients/${app.clientId}/secrets`, {}, { 'Idempotency-Key': 'canary' });
    canaries.add(body.data.secret);
    const password = 'canary-of-a-password-4711';
    canaries.add(password);
    await api.connect({
      applicationId: app.applicationId,
      settings: { url: `postgres://u:${password}@h/d`, password },
    });
    const settings = { url: 'http://127.0.0.1:1', database: 'erp', user: 'api', password };
    const refused = await management('/connections', { platform: 'tryton', name: 'Refused', settings });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    refusals += JSON.stringify(refused.body);
    for (const token of canaries) {
      const { body: error } = await api.fetch('/v4/vendors', { token: `${token.slice(0, 40)}x` });
      refusals += JSON.stringify(error);
    }
  });

  it('and tokens are neither in the log, nor in refusals, nor in the database', async () => {
    const tables = await inDatabase(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    let dump = '';
    for (const { name } of tables) {
      const [row] = await inDatabase(`select string_agg(to_json(t)::text, '') as text from ${name} t`);
      dump += row?.text ?? '';
    }
    expect(canaries.size).toBeGreaterThan(12);
    expect(dump).toContain(app.clientId);
    expect(log).toContain('linkToken');
    expect(refusals).toContain('SERVICE_');
    for (const canary of canaries) {
      for (const place of [dump, log, refusals]) expect(place.includes(canary.slice(4))).toBe(false);
    }
  });
});

/** Runs SQL as the superuser, from whom no row is hidden. */
async function inDatabase(text: string): Promise<Record<string, unknown>[]> {
  const { password } = JSON.parse(await readFile(join(api.dataDir, 'postgres.json'), 'utf8'));
  const url = new URL(api.url);
  Object.assign(url, { username: 'postgres', password });
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
