import { hash } from 'node:crypto';
import { type CredentialKind, type Operation, operations, type Surface, templateOf } from '@unified/contract';
import { pageOfRequestLog } from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const LIMIT = 30;
const ID = '0199d2a4-0000-7000-8000-000000000000';

let api: TestApi;
/** A server behind a proxy, which sees clients with many addresses: each may send a few hundred requests without a token. */
let proxied: TestApi;
const limits = new Map<string, number>();

beforeAll(async () => {
  api = await startApi({ requestsPerMinute: (application) => limits.get(application) ?? 1_000_000 });
});
afterAll(() => api.stop());

/** Headers with credentials, by name. */
type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Credentials that are not valid for any operation. */
const WRONG: Credentials = {
  none: {},
  malformed: { Authorization: 'Bearer' },
  'too short': bearer('x'),
  Basic: { Authorization: `Basic ${'a'.repeat(47)}` },
  'an unknown connection token': bearer(`sct_${'a'.repeat(43)}`),
  'a token of an application': bearer(`eyJhbGciOiJFUzI1NiJ9.${'a'.repeat(60)}.${'b'.repeat(86)}`),
  'a personal access token': bearer(`pat_${'a'.repeat(43)}`),
};
/** An address that accepts a kind of credentials. */
const ACCEPTING: Readonly<Record<CredentialKind, string>> = {
  connectionToken: '/v4/vendors',
  adminToken: '/v4/application',
  personalAccessToken: '/v4/mcp/platforms',
  consoleSession: '/v4/console/session',
};

/** Valid credentials of every kind in the document. */
async function validCredentials(server: TestApi): Promise<Readonly<Record<CredentialKind, Credentials>>> {
  const { applicationId, connectionId, token } = server.connection;
  const [app, user, operator] = await Promise.all([server.signIn(applicationId), server.mcpUser(), server.operator()]);
  const fromConsole = async (path: string, json: object) => {
    const sent = { method: 'POST', token: null, json, headers: operator.headers };
    return (await server.fetch<{ data: { token: string } }>(`/v4/console/${path}`, sent)).body.data.token;
  };
  const client = { client_id: user.tokenId, client_secret: user.token, resource: `${server.store.publicUrl}/mcp` };
  const { body: agent } = await server.fetch<{ access_token: string }>('/oauth/token', {
    ...{ method: 'POST', token: null, json: { grant_type: 'client_credentials', ...client } },
  });
  return {
    connectionToken: {
      'the token of a connection': bearer(token),
      'one from the console': bearer(await fromConsole('connection-tokens', { connectionId })),
    },
    adminToken: {
      'an access token of an application': bearer(app.token),
      'an access token from the console': bearer(await fromConsole('management-token', { applicationId })),
    },
    personalAccessToken: {
      'the token of an MCP user': bearer(user.token),
      'an access token of an agent': bearer(agent.access_token),
    },
    consoleSession: { 'a session of the console': operator.headers },
  };
}

const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** Requests per minute, by surface. */
const BUDGETS: Partial<Record<Surface, string>> = {
  console: '600',
  data: '600',
  mcp: '300',
  management: '120',
  system: '600',
};

/** The header that states the limit of an operation; null where it is not limited. */
function limitOf({ method, surface }: Operation): string | null {
  return surface === 'oauth' && method === 'post' ? '60' : (BUDGETS[surface] ?? null);
}

const secured = operations.filter(({ security }) => security.length > 0);
const open = operations.filter(({ security }) => security.length === 0);

/** Responses of an operation to each of these credentials, by name. Each operation is called from a different address. */
async function responses(operation: Operation, credentials: Credentials) {
  const { method } = operation;
  const client = { 'X-Forwarded-For': `2001:db8:0:${(caller++).toString(16)}::1` };
  const address = templateOf(operation).replaceAll(/\{\w+\}/g, ID);
  const sent = Object.entries(credentials).map(async ([name, headers]) => {
    const request = { method: method.toUpperCase(), token: null, headers: { ...client, ...headers } };
    return [name, await proxied.fetch(address, request)] as const;
  });
  return Promise.all(sent);
}

/** Checks that an operation refuses these credentials, with the headers of its limit. */
async function expectRefused(operation: Operation, credentials: Credentials): Promise<void> {
  for (const [name, { status, headers, body }] of await responses(operation, credentials)) {
    expect([name, status, body.code]).toEqual([name, 401, 'SERVICE_UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(LIMITS.filter((header) => !headers.has(header))).toEqual([]);
    expect(headers.get('x-ratelimit-limit')).toBe(limitOf(operation));
    expect(headers.get('access-control-allow-origin')).toBe(operation.surface === 'console' ? null : '*');
  }
}

let caller = 0;

describe('authentication', () => {
  let valid: Readonly<Record<CredentialKind, Credentials>>;
  beforeAll(async () => {
    proxied = await startApi({ trustProxy: true });
    valid = await validCredentials(proxied);
  });
  afterAll(() => proxied.stop());

  it.each(secured.map((operation) => [operation.id, operation] as const))(
    '%s refuses anything but a valid token',
    (_, operation) => expectRefused(operation, WRONG),
  );

  it.each(secured.map((operation) => [operation.id, operation] as const))(
    '%s refuses valid credentials of every other kind',
    async (_, operation) => {
      const kinds = Object.keys(valid) as CredentialKind[];
      const others = kinds.filter((kind) => !operation.security.includes(kind));
      expect(others.length).toBeGreaterThan(2);
      for (const kind of others) await expectRefused(operation, valid[kind]);
    },
  );

  it.each(Object.keys(ACCEPTING) as CredentialKind[])('accepts each %s where its kind is accepted', async (kind) => {
    for (const [name, headers] of Object.entries(valid[kind])) {
      const { status } = await proxied.fetch(ACCEPTING[kind], { token: null, headers });
      expect([name, status]).toEqual([name, 200]);
    }
  });

  it.each(open.map((operation) => [operation.id, operation] as const))('%s needs none', async (_, operation) => {
    for (const [name, { status, headers }] of await responses(operation, WRONG)) {
      // Requests for tokens name their client in the body, authorizations in the query; here, it is missing.
      const namesClient = operation.method === 'post' || operation.id === 'authorize';
      // A request to sign in must come from a page of the console.
      const refusal = operation.surface === 'console' ? 403 : 400;
      expect([name, status]).toEqual([name, namesClient ? refusal : 200]);
      expect(headers.get('x-ratelimit-limit')).toBe(limitOf(operation));
    }
  });

  it('is required for every operation except the health check, OAuth and the sign-in to the console', () => {
    const others = open.filter(({ surface }) => surface !== 'oauth' && surface !== 'console');
    expect(others.map(({ id }) => id)).toEqual(['getHealth']);
    expect(secured.length).toBeGreaterThan(400);
  });

  it('refuses a token that is far too long', async () => {
    const headers = { Authorization: `Bearer ${'a'.repeat(3000)}` };
    const { status, body } = await api.fetch('/v4/vendors', { token: null, headers });
    expect([status, body.code]).toEqual([401, 'SERVICE_UNAUTHORIZED']);
  });

  it('refuses an expired token, and accepts one that has not expired', async () => {
    const [past, future] = await Promise.all(
      [-3_600_000, 3_600_000].map((ms) =>
        api.connection.issueToken({ expiresAt: new Date(Date.now() + ms).toISOString() }),
      ),
    );
    expect(await api.fetch('/v4/vendors', { token: past ?? '' })).toMatchObject({ status: 401 });
    expect(await api.fetch('/v4/vendors', { token: future ?? '' })).toMatchObject({ status: 200 });
  });

  it('refuses a connection that is deactivated', async () => {
    const connection = await api.connect();
    await connection.deactivate();
    expect(await api.fetch('/v4/vendors', { token: connection.token })).toMatchObject({
      status: 403,
      body: { code: 'SERVICE_CONNECTION_INACTIVE' },
    });
  });

  it('is not needed for the health of the server, which has the headers of its limit and is counted apart', async () => {
    await api.fetch('/v4/vendors', { token: null });
    const { status, headers, body } = await api.fetch('/v4/system/health', { token: null });
    expect([status, body]).toEqual([
      200,
      { status: 'ok', version: expect.any(String), apiVersion: expect.any(String) },
    ]);
    expect(LIMITS.map((name) => headers.get(name))).toEqual(['600', expect.any(String), expect.any(String)]);
    const { headers: next } = await api.fetch('/v4/system/health');
    expect(Number(next.get('x-ratelimit-remaining'))).toBe(Number(headers.get('x-ratelimit-remaining')) - 1);
  });
});

describe('the limit of an application', () => {
  const remaining = (headers: Headers) => Number(headers.get('x-ratelimit-remaining'));

  it('is counted down by every request, including refused ones', async () => {
    const { token, applicationId } = await api.connect();
    limits.set(applicationId, LIMIT);
    const paths = ['/v4/vendors', '/v4/vendors?per_page=0', `/v4/vendors/${ID}`, '/v4/nothing'];
    for (const [n, path] of paths.entries()) {
      const { headers } = await api.fetch(path, { token });
      expect([headers.get('x-ratelimit-limit'), remaining(headers)]).toEqual([String(LIMIT), LIMIT - 1 - n]);
    }
    const { headers } = await api.fetch('/v4/vendors', { token, method: 'PUT' });
    expect(remaining(headers)).toBe(LIMIT - 1 - paths.length);
  });

  it('allows exactly its number of concurrent requests, and returns when to retry', async () => {
    const { token, applicationId } = await api.connect();
    limits.set(applicationId, LIMIT);
    const answers = await Promise.all(Array.from({ length: LIMIT + 20 }, () => api.fetch('/v4/vendors', { token })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { headers, body } of refused) {
      expect(body.code).toBe('SERVICE_RATE_LIMITED');
      expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'));
      expect(remaining(headers)).toBe(0);
    }
  });

  it('is shared by the connections of the application, but by no others', async () => {
    const first = await api.connect();
    const second = await api.connect({ applicationId: first.applicationId });
    limits.set(first.applicationId, 1);
    expect(await api.fetch('/v4/vendors', { token: first.token })).toMatchObject({ status: 200 });
    expect(await api.fetch('/v4/vendors', { token: second.token })).toMatchObject({ status: 429 });
    expect(await api.fetch('/v4/vendors')).toMatchObject({ status: 200 });
  });

  it('is one for each surface', async () => {
    const { token, applicationId } = await api.connect();
    const app = await api.signIn(applicationId);
    limits.set(applicationId, 1);
    expect(await api.fetch('/v4/vendors', { token })).toMatchObject({ status: 200 });
    expect(await api.fetch('/v4/vendors', { token })).toMatchObject({ status: 429 });
    expect(await api.fetch('/v4/application', { token: app.token })).toMatchObject({ status: 200 });
    expect(await api.fetch('/v4/application', { token: app.token })).toMatchObject({ status: 429 });
  });

  it('is checked first: beyond it, responses contain nothing about the address', async () => {
    const { token, applicationId } = await api.connect();
    limits.set(applicationId, 0);
    for (const path of ['/v4/nothing', '/v4/vendors?per_page=0']) {
      expect(await api.fetch(path, { token })).toMatchObject({ status: 429 });
    }
  });
});

it('limits set by the operator replace the defaults, and every response shows them', async () => {
  const rateLimits = { data: 2, management: 3, token: 4 };
  const own = await startApi({ rateLimits, requestsPerMinute: () => undefined, requestLog: { everyMs: 1 } });
  onTestFinished(() => own.stop());
  const app = await own.signIn(own.connection.applicationId);
  const limitAt = async (path: string, sent = {}) => {
    const { status, headers } = await own.fetch(path, sent);
    return [status, headers.get('x-ratelimit-limit')];
  };
  expect(await limitAt('/v4/vendors')).toEqual([200, '2']);
  expect(await limitAt('/v4/vendors', { token: null })).toEqual([401, '2']);
  expect(await limitAt('/v4/application', { token: app.token })).toEqual([200, '3']);
  expect(await limitAt('/oauth/token', { method: 'POST', token: null })).toEqual([400, '4']);
  for (const status of [200, 200, 429])
    expect(await limitAt('/v4/system/health', { token: null })).toEqual([status, '2']);
  expect(await limitAt('/v4/vendors')).toEqual([200, '2']);
  expect(await limitAt('/v4/vendors')).toEqual([429, '2']);
  // Requests over the limit are not stored in the request log, which they would fill.
  const statuses = async () =>
    (await pageOfRequestLog(own.store.application(own.connection.applicationId), { limit: 9 })).map(
      ({ status }) => status,
    );
  await expect.poll(statuses).toEqual([200, 200, 200]);
});

it('counts requests without a valid token by the address of the client', async () => {
  // A separate server: the minute that started with the first of the other tests could end between these requests.
  const own = await startApi();
  onTestFinished(() => own.stop());
  const { headers } = await own.fetch('/v4/vendors', { token: null });
  const { headers: next } = await own.fetch('/v4/vendors', {
    token: null,
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  expect(Number(headers.get('x-ratelimit-remaining')) - Number(next.get('x-ratelimit-remaining'))).toBe(1);
});

describe('a token that is not cached', () => {
  const unknown = (n: number) => `sct_${String(n).padStart(43, '0')}`;

  it('and is issued after it was refused is soon accepted', async () => {
    const token = unknown(3);
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(401);
    const client = new pg.Client(api.url);
    await client.connect();
    await client.query(
      'insert into unified.connection_tokens (id, "connectionId", hash, name) values (gen_random_uuid(), $1, $2, $3)',
      [api.connection.connectionId, hash('sha256', token), 'late'],
    );
    await client.end();
    await expect.poll(async () => (await api.fetch('/v4/vendors', { token })).status).toBe(200);
  });

  it('gets 503 while the database is down, however often it is sent, and never 429', async () => {
    const own = await startApi();
    onTestFinished(() => own.stop());
    await own.breakDown();
    const { headers } = await own.fetch('/v4/vendors');
    expect(headers.get('retry-after')).toBe('1');
    const answers = await Promise.all(Array.from({ length: 700 }, () => own.fetch('/v4/vendors')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });
});
