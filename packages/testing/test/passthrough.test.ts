import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { addSandboxPlatform } from '@unified/sandbox';
import { createClient } from '@unified/sdk';
import { saveRawRows } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// Starts a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Passed {
  readonly data: { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown };
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path?: string; readonly allowed?: readonly string[] }[];
}

/** A request as it arrived at a server. */
interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Respond = (request: Arrived, response: ServerResponse) => void;

const KEY = 'key-of-the-connection';

let api: TestApi;
let system: { server: Server; url: string };
let elsewhere: typeof system;
let redmine: TestConnection;
let token: string;
let arrived: Arrived[] = [];
let strays = 0;
const ok: Respond = (_, response) => response.setHeader('Content-Type', 'application/json').end('{"ok":true}');
let respond = ok;

async function listening(handle: (request: Arrived, response: ServerResponse) => void): Promise<typeof system> {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    handle({ method, url, headers, body: await text(request) }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  addSandboxPlatform();
  api = await startApi();
  system = await listening((request, response) => {
    arrived.push(request);
    respond(request, response);
  });
  elsewhere = await listening((_, response) => {
    strays += 1;
    response.end('stray');
  });
  const settings = { url: `${system.url}/redmine`, token: KEY, allowPrivateHosts: true };
  redmine = await api.connect({ platform: 'redmine', settings });
  token = await redmine.issueToken({ scopes: ['passthrough'] });
});
afterAll(async () => {
  await api.stop();
  for (const { server } of [system, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});
afterEach(() => {
  arrived = [];
  respond = ok;
});

const send = (json: unknown, by = token) => api.fetch<Passed>('/v4/passthrough', { method: 'POST', token: by, json });
const GET = { method: 'GET', path: '/issues.json' };

describe('an HTTP request', () => {
  it('is sent below the address of the system with the credentials of the connection', async () => {
    const json = {
      method: 'PUT',
      path: '/issues/1.json',
      query: { 'a b': 'c&d' },
      headers: { 'X-Mine': '1' },
      body: { n: 1 },
    };
    const { status, body } = await send(json);
    expect([status, body.data.status, body.data.body]).toEqual([200, 200, { ok: true }]);
    expect(arrived).toMatchObject([
      {
        ...{ method: 'PUT', url: '/redmine/issues/1.json?a+b=c%26d', body: '{"n":1}' },
        headers: { 'x-redmine-api-key': KEY, 'x-mine': '1', 'content-type': 'application/json' },
      },
    ]);
  });

  it('does not carry what the caller authenticates with, nor headers that replace those of the connection', async () => {
    const headers = {
      ...{ Authorization: 'Bearer mine', Cookie: 'a=b', 'X-Redmine-API-Key': 'other', Host: 'evil.example' },
      ...{ 'X-HTTP-Method-Override': 'DELETE', 'Transfer-Encoding': 'chunked', 'X-Forwarded-Host': 'evil.example' },
    };
    await send({ ...GET, headers });
    const [seen] = arrived;
    expect(seen?.headers).toMatchObject({ host: new URL(system.url).host, 'x-redmine-api-key': KEY });
    for (const name of ['authorization', 'cookie', 'x-http-method-override', 'transfer-encoding', 'x-forwarded-host'])
      expect(seen?.headers).not.toHaveProperty(name);
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  it.each([
    ['404', 404, '{"error":"none"}', 'application/json', { error: 'none' }],
    ['500', 500, 'Oops', 'text/plain', 'Oops'],
    ['401', 401, '', 'text/plain', null],
    ['a page', 200, '<html></html>', 'text/html', '<html></html>'],
    ['invalid JSON', 200, '{"a":', 'application/json', '{"a":'],
    ['bytes', 200, Buffer.from([0xff, 0xfe]), 'application/octet-stream', { base64: '//4=' }],
  ])('returns %s of the system as it is', async (_, status, sent, type, expected) => {
    respond = (_request, response) => response.writeHead(status, { 'Content-Type': type }).end(sent);
    const { status: own, body } = await send(GET);
    expect([own, body.data.status, body.data.body]).toEqual([200, status, expected]);
    expect(arrived).toHaveLength(1);
  });

  it('returns neither cookies nor credentials that the system repeats', async () => {
    respond = ({ headers }, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'session=s', 'X-Echo': KEY })
        .end(JSON.stringify({ [KEY]: [headers['x-redmine-api-key']] }));
    const { body } = await send(GET);
    expect(body.data.headers).not.toHaveProperty('set-cookie');
    expect(body.data).toMatchObject({ headers: { 'x-echo': '[hidden]' }, body: { '[hidden]': ['[hidden]'] } });
  });
});

describe('no request leaves the address of the system', () => {
  it.each([
    ['two slashes', () => `//${new URL(elsewhere.url).host}/x`],
    ['backslashes', () => `/\\${new URL(elsewhere.url).host}/x`],
    ['an address', () => `${elsewhere.url}/x`],
    ['user information', () => `@${new URL(elsewhere.url).host}/x`],
    ['dot segments', () => '/../admin'],
    ['encoded dot segments', () => '/%2e%2e/admin'],
    ['dot segments that are encoded twice', () => '/%252e%252e/admin'],
    ['an encoded slash', () => '/a%2f..%2f..%2fadmin'],
    ['a line break', () => `/a%0d%0aHost:%20${new URL(elsewhere.url).host}`],
    ['a query in the path', () => '/a?b'],
  ])('by %s', async (_, path) => {
    const { status, body } = await send({ method: 'GET', path: path() });
    expect([status, body.code, body.details[0]?.path]).toEqual([400, 'SERVICE_INVALID_BODY', 'body/path']);
    expect([arrived.length, strays]).toEqual([0, 0]);
  });

  it.each([301, 302, 303, 307, 308])('by a redirect with status %i', async (status) => {
    respond = (_, response) => response.writeHead(status, { Location: `${elsewhere.url}/x` }).end();
    const { body } = await send(GET);
    expect([body.data.status, arrived.length, strays]).toEqual([status, 1, 0]);
  });

  it.each([{ 'X-A': '1\r\nHost: evil.example' }, { 'X-A\r\nHost': 'evil.example' }])(
    'by the header %j',
    async (headers) => {
      const { status, body } = await send({ ...GET, headers });
      expect([status, body.code, arrived.length]).toEqual([400, 'SERVICE_INVALID_BODY', 0]);
    },
  );

  it('by a system in a private network that the connection does not allow', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { issueToken } = await api.connect({ platform: 'redmine', settings: { url: system.url, token: KEY } });
    const { status, body } = await send(GET, await issueToken({ scopes: ['passthrough'] }));
    expect([status, body.code, arrived.length]).toEqual([503, 'SERVICE_SYSTEM_UNAVAILABLE', 0]);
    expect(body.message).not.toContain('127.0.0.1');
  });
});

describe('limits', () => {
  it('a method that the platform does not list is not sent', async () => {
    const { status, body } = await send({ method: 'PATCH', path: '/issues/1.json', body: {} });
    expect([status, body.code, arrived.length]).toEqual([405, 'SERVICE_NOT_SUPPORTED', 0]);
    expect(body.details[0]?.allowed).toEqual(['GET', 'POST', 'PUT', 'DELETE']);
  });

  it.each([
    [{ method: 'GET' }, 400],
    [{ path: '/a' }, 400],
    [{ method: 'HEAD', path: '/a' }, 400],
    [{ method: 'CONNECT', path: '/a' }, 400],
    [{ ...GET, body: { a: 1 } }, 400],
    [{ ...GET, query: { _method: 'delete' } }, 400],
    [{ ...GET, parameters: [1] }, 400],
    [{ ...GET, statement: 'select 1' }, 400],
    [{ method: 'POST', path: '/a', body: 'x'.repeat(1_100_000) }, 413],
  ])('%# is refused', async (json, status) => {
    expect((await send(json)).status).toBe(status);
    expect(arrived).toEqual([]);
  });

  it('a response of more than 8 MB is not read', async () => {
    respond = (_, response) => response.end(Buffer.alloc(9_000_000, 'x'));
    expect(await send(GET)).toMatchObject({ status: 502, body: { code: 'SERVICE_SYSTEM_INVALID' } });
  });

  it.each([
    ['GET', 503, 'SERVICE_SYSTEM_UNAVAILABLE'],
    ['POST', 502, 'SERVICE_OUTCOME_UNKNOWN'],
  ])('a %s without a response in time ends with %i', async (method, status, code) => {
    respond = () => undefined;
    const settings = { url: system.url, token: KEY, allowPrivateHosts: true, timeoutSeconds: 0.3 };
    const { issueToken } = await api.connect({ platform: 'redmine', settings });
    const answer = await send({ method, path: '/slow' }, await issueToken({ scopes: ['passthrough'] }));
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('a pause that the system requests applies to all later calls of the connection', async () => {
    const { issueToken } = await api.connect({
      platform: 'redmine',
      settings: { url: system.url, token: KEY, allowPrivateHosts: true },
    });
    const paused = await issueToken({ scopes: ['passthrough'] });
    respond = (_, response) => response.writeHead(429, { 'Retry-After': '600' }).end();
    expect((await send(GET, paused)).body.data.status).toBe(429);
    const { status, body, headers } = await send(GET, paused);
    expect([status, body.code, arrived.length]).toEqual([503, 'SERVICE_SYSTEM_RATE_LIMITED', 1]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
  });
});

describe('access', () => {
  it('needs the scope passthrough, and nothing else', async () => {
    const refused = { status: 403, body: { code: 'SERVICE_FORBIDDEN' } };
    expect(await send(GET, redmine.token)).toMatchObject(refused);
    for (const limits of [
      { scopes: ['read', 'write'] as const },
      { scopes: ['passthrough'] as const, access: [{ entity: 'Vendor' }] },
    ])
      expect(await send(GET, await redmine.issueToken(limits))).toMatchObject(refused);
    expect(arrived).toEqual([]);
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(403);
  });

  it('ends when the connection is deactivated', async () => {
    const { issueToken, deactivate } = await api.connect({
      platform: 'redmine',
      settings: { url: system.url, token: KEY },
    });
    const issued = await issueToken({ scopes: ['passthrough'] });
    await deactivate();
    expect(await send(GET, issued)).toMatchObject({ status: 403, body: { code: 'SERVICE_CONNECTION_INACTIVE' } });
  });
});

describe('a statement', () => {
  let database: pg.Client;
  let sql: (statement: string, parameters?: readonly unknown[]) => ReturnType<typeof send>;

  beforeAll(async () => {
    database = new pg.Client(api.url);
    await database.connect();
    await database.query(
      "create table public.part (id int primary key, name text); insert into public.part values (1, 'Bolt')",
    );
    const { issueToken } = await api.connect({
      platform: 'sandbox',
      settings: { url: api.url, allowPrivateHosts: true },
    });
    const issued = await issueToken({ scopes: ['passthrough'] });
    sql = (statement, parameters) => send({ statement, ...(parameters && { parameters }) }, issued);
  });
  afterAll(() => database.end());

  const parts = async () => (await database.query('select * from public.part')).rows;

  it.each([
    ['select id, name from public.part where name = $1', ['Bolt'], [{ id: 1, name: 'Bolt' }]],
    ["-- a comment\nselect ';' as text;", undefined, [{ text: ';' }]],
    ['with a as (select $1::int as n) select n + 1 as n from a', [1], [{ n: 2 }]],
    ['select $1::text as name', ["'; drop table public.part --"], [{ name: "'; drop table public.part --" }]],
    ['select $1::boolean is null as missing', [null], [{ missing: true }]],
  ])('%s returns rows', async (statement, parameters, rows) => {
    const { status, body } = await sql(statement, parameters);
    expect([status, body.data]).toEqual([200, { status: 200, headers: {}, body: { rows, hasMore: false } }]);
  });

  it('returns at most 1,000 rows', async () => {
    const { body } = await sql('select n from generate_series(1, 1001) n');
    const { rows, hasMore } = body.data.body as { rows: unknown[]; hasMore: boolean };
    expect([rows.length, hasMore]).toEqual([1000, true]);
  });

  it.each([
    "insert into public.part values (2, 'x')",
    'delete from public.part',
    'drop table public.part',
    'truncate public.part',
    'select 1; delete from public.part',
    'select 1; commit; delete from public.part',
    'select 1; commit; set default_transaction_read_only = off; commit; delete from public.part',
    "select $$'$$; commit; delete from public.part; select $$'$$",
    "select E'\\''; commit; delete from public.part; --'",
    'with gone as (delete from public.part returning *) select * from gone',
    'select * into public.copied from public.part',
    'select * from public.part for update',
    "select query_to_xml('delete from public.part returning 1', true, true, '')",
    "select set_config('transaction_read_only', 'off', false), query_to_xml('delete from public.part', true, true, '')",
    'explain analyze delete from public.part',
    'copy public.part to stdout',
    'do $$ begin delete from public.part; end $$',
    'commit',
    'set transaction read write',
    'set session characteristics as transaction read write',
    'prepare p as select 1',
    'select lo_create(0)',
    'listen changes',
    'not sql',
    '',
  ])('%j changes nothing', async (statement) => {
    const { status, body } = await sql(statement);
    expect([400, 403, 422]).toContain(status);
    expect(body.code).toMatch(/^SERVICE_(INVALID_BODY|REJECTED|SYSTEM_FORBIDDEN|NOT_SUPPORTED)$/);
    expect(await parts()).toEqual([{ id: 1, name: 'Bolt' }]);
  });

  it('leaves nothing behind in the database: neither locks nor settings', async () => {
    await sql("select pg_advisory_lock(4711), set_config('statement_timeout', '0', false)");
    const locks = "select count(*)::int as held from pg_locks where locktype = 'advisory' and objid = 4711";
    await expect.poll(async () => (await database.query(locks)).rows[0]).toEqual({ held: 0 });
  });

  it('with a very large result is ended', async () => {
    const { status, body } = await sql("select repeat('x', 100000) as text from generate_series(1, 1000)");
    expect([502, 503]).toContain(status);
    expect(body.code).toMatch(/^SERVICE_SYSTEM_/);
  });

  it('is refused where the system has no database, and HTTP requests where it has no API', async () => {
    expect(await send({ statement: 'select 1' })).toMatchObject({
      status: 405,
      body: { code: 'SERVICE_NOT_SUPPORTED' },
    });
    const { issueToken } = await api.connect({ platform: 'sandbox', settings: { url: api.url } });
    expect(await send(GET, await issueToken({ scopes: ['passthrough'] }))).toMatchObject({ status: 405 });
  });
});

it('the client calls the system, and reads raw rows', async () => {
  const client = createClient({ baseUrl: api.baseUrl, token: redmine.token });
  await saveRawRows(
    redmine.scope,
    'issues',
    ['1', '2', '3'].map((key) => ({ key, row: { id: Number(key), subject: `Issue ${key}` } })),
  );
  const tables = await client.raw.tables();
  expect(tables.find(({ name }) => name === 'issues')).toMatchObject({ rows: 3, entities: expect.arrayContaining([]) });
  const found: unknown[] = [];
  const filter = { id: { gte: 2 }, subject: { startsWith: 'issue' } };
  for await (const { row } of client.raw.rows('issues', { filter, sort: '-id', per_page: 1 })) found.push(row.id);
  expect(found).toEqual([3, 2]);
  respond = (_, response) => response.writeHead(503).end('later');
  const calling = createClient({ baseUrl: api.baseUrl, token });
  expect(await calling.passthrough({ method: 'POST', path: '/issues.json', body: {} })).toMatchObject({
    ...{ status: 503, body: 'later' },
  });
  expect(arrived).toHaveLength(1);
});
