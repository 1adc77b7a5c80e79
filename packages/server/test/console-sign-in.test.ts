import { countSignIn, createSignInLink } from '@unified/store';
import { checkedFetch, api as startApi, type TestApi, type TestOperator } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Hashes of passwords are slow on purpose, and a token that has ended may be accepted for 5 seconds.
vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = 'correct horse battery staple';
const OWN = { 'Sec-Fetch-Site': 'same-origin' };

let api: TestApi;
let maria: string;
let database: pg.Pool;

beforeAll(async () => {
  api = await startApi({ trustProxy: true });
  database = new pg.Pool({ connectionString: api.url, max: 1 });
});
afterAll(async () => {
  await database.end();
  await api.stop();
});

interface Sent {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
}

/** A request of a page of the console, without a session unless `headers` has its cookie. */
async function send(method: string, path: string, { headers = OWN, ...sent }: Sent = {}) {
  const { data, ...response } = await sendRaw(method, path, { headers: { ...OWN, ...headers }, ...sent });
  return { ...response, data };
}

async function sendRaw(method: string, path: string, { token = null, ...sent }: Sent) {
  const { status, headers, body } = await api.fetch<{ code?: string; message?: string; data?: never }>(`/v4${path}`, {
    ...{ method, token, ...sent },
  });
  return { status, headers, code: body?.code, message: body?.message, data: body?.data as Data };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared with the document
type Data = any;

/** The cookie that a response sets, as browsers send it. */
function cookieOf(headers: Headers): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A network from which no other test signs in. */
let networks = 0;
function elsewhere() {
  networks += 1;
  return { ...OWN, 'X-Forwarded-For': `198.51.${networks >> 8}.${networks & 255}` };
}

function signIn(email: string, password: string, headers: Readonly<Record<string, string>> = elsewhere()) {
  return send('POST', '/console/session', { json: { email, password }, headers });
}

describe('the first operator', () => {
  it('is created by the link of the first start, as an admin who is signed in', async () => {
    expect((await send('GET', '/console/sign-in-methods')).data).toMatchObject({ needsFirstOperator: true });
    const { token: earlier } = await createSignInLink(api.store, null);
    const { token } = await createSignInLink(api.store, null);
    const old = { token: earlier, email: 'maria@northwind.example', name: 'Maria', password: PASSWORD };
    const outdated = await send('POST', '/console/first-sign-in', { json: old });
    expect([outdated.status, outdated.message]).toEqual([401, expect.stringContaining('the last `npm start` printed')]);
    const incomplete = await send('POST', '/console/first-sign-in', { json: { token, password: PASSWORD } });
    expect([incomplete.status, incomplete.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    const json = { token, email: 'maria@northwind.example', name: 'Maria', password: PASSWORD };
    const { status, data, headers } = await send('POST', '/console/first-sign-in', { json });
    expect([status, data.operator]).toEqual([201, expect.objectContaining({ role: 'admin', isInvited: false })]);
    maria = cookieOf(headers);
    expect((await send('GET', '/console/session', { headers: { Cookie: maria } })).data.operator).toEqual(
      data.operator,
    );
    expect((await send('GET', '/console/sign-in-methods')).data).toMatchObject({ needsFirstOperator: false });
  });

  it('is created once: neither the link nor another one works again', async () => {
    const { token } = await createSignInLink(api.store, null);
    const json = { token, email: 'eve@northwind.example', name: 'Eve', password: PASSWORD };
    for (const _attempt of [1, 2]) {
      const { status, code } = await send('POST', '/console/first-sign-in', { json });
      expect([status, code]).toEqual([401, 'SERVICE_UNAUTHORIZED']);
    }
  });
});

describe('a password', () => {
  it('starts a session, with a cookie that scripts and other sites cannot use', async () => {
    const { status, headers, data } = await signIn('Maria@Northwind.example', PASSWORD);
    expect([status, data.session]).toEqual([201, expect.objectContaining({ method: 'password', isCurrent: true })]);
    expect(headers.get('set-cookie')).toMatch(/^console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    expect(data.applications).toContainEqual({ id: api.connection.applicationId, name: expect.any(String) });
  });

  it('is refused in the same words whatever is wrong', async () => {
    const refusals = [
      await signIn('maria@northwind.example', 'wrong'),
      await signIn('unknown@northwind.example', 'wrong'),
      await signIn('maria@northwind.example', `${PASSWORD} `),
    ];
    for (const { status, code, message } of refusals)
      expect([status, code, message]).toEqual([
        401,
        'SERVICE_UNAUTHORIZED',
        'The email address or the password is wrong.',
      ]);
  });

  it('can be guessed five times from one network, which does not lock out other networks', async () => {
    const headers = elsewhere();
    const guesses = [];
    for (let guess = 0; guess < 7; guess += 1)
      guesses.push((await signIn('maria@northwind.example', 'guess', headers)).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await signIn('maria@northwind.example', PASSWORD)).status).toBe(201);
    expect((await signIn('someone@northwind.example', 'guess', headers)).status).toBe(401);
  });

  it('cannot be guessed more often by concurrent requests', async () => {
    const headers = elsewhere();
    const all = Array.from({ length: 20 }, () => signIn('maria@northwind.example', 'guess', headers));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(5);
    expect(statuses.filter((status) => status === 429).length).toBe(15);
  });

  it('can be guessed 30 times from one network, whatever the email addresses', async () => {
    const count = (n: number, network: string) => countSignIn(api.store, `guess-${n}@northwind.example`, network);
    const waits: number[] = [];
    for (let n = 0; n < 31; n += 1) waits.push(await count(n, '203.0.113.7'));
    expect(waits.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 0));
    expect(waits[30]).toBeGreaterThan(0);
    expect(await count(0, '203.0.113.8')).toBe(0);
  });

  it('that is changed ends the one-time link of its operator', async () => {
    const { id, headers } = await api.operator();
    const { token } = await createSignInLink(api.store, id);
    const json = { newPassword: PASSWORD };
    expect((await send('PUT', '/console/password', { json, headers })).status).toBe(204);
    const used = await send('POST', '/console/first-sign-in', { json: { token, password: PASSWORD } });
    expect(used.status).toBe(401);
  });

  it('is changed with the current one, which ends all other sessions', async () => {
    const [one, other] = [
      await signIn('maria@northwind.example', PASSWORD),
      await signIn('maria@northwind.example', PASSWORD),
    ];
    const headers = { Cookie: cookieOf(one.headers) };
    const change = (currentPassword: string, newPassword: string) =>
      send('PUT', '/console/password', { json: { currentPassword, newPassword }, headers });
    expect((await change('wrong', 'a longer new password')).code).toBe('SERVICE_FORBIDDEN');
    expect((await change(PASSWORD, 'short')).code).toBe('SERVICE_INVALID_BODY');
    expect((await change(PASSWORD, 'another password of mine')).status).toBe(204);
    expect((await send('GET', '/console/session', { headers })).status).toBe(200);
    expect((await send('GET', '/console/session', { headers: { Cookie: cookieOf(other.headers) } })).status).toBe(401);
    expect((await signIn('maria@northwind.example', PASSWORD)).status).toBe(401);
    expect((await change('another password of mine', PASSWORD)).status).toBe(204);
    maria = cookieOf(one.headers);
  });
});

describe('a session', () => {
  it('gets a new secret at each sign-in, and the one that the browser had before ends', async () => {
    const planted = cookieOf((await signIn('maria@northwind.example', PASSWORD)).headers);
    const { headers } = await signIn('maria@northwind.example', PASSWORD, { ...elsewhere(), Cookie: planted });
    expect(cookieOf(headers)).not.toBe(planted);
    expect((await send('GET', '/console/session', { headers: { Cookie: planted } })).status).toBe(401);
    const invented = `console=${'a'.repeat(43)}`;
    const next = await signIn('maria@northwind.example', PASSWORD, { ...elsewhere(), Cookie: invented });
    expect(cookieOf(next.headers)).not.toBe(invented);
  });

  it('changes nothing for pages of other sites', async () => {
    const { sessionId, headers } = await api.operator();
    const { Cookie = '' } = headers;
    const forged: readonly Readonly<Record<string, string>>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${new URL(api.store.publicUrl).origin}.evil.example` },
      {},
    ];
    for (const from of forged) {
      const sent = { headers: { Cookie, ...from } };
      const { status, code } = await sendRaw('DELETE', `/console/sessions/${sessionId}`, sent);
      expect([from, status, code]).toEqual([from, 403, 'SERVICE_FORBIDDEN']);
      const json = { email: 'eve@northwind.example', password: PASSWORD };
      expect((await sendRaw('POST', '/console/session', { headers: from, json })).status).toBe(403);
    }
    const { origin } = new URL(api.store.publicUrl);
    expect(
      (await sendRaw('DELETE', `/console/sessions/${sessionId}`, { headers: { Cookie, Origin: origin } })).status,
    ).toBe(204);
  });

  it('is never read by pages of other origins', async () => {
    const { headers } = await send('GET', '/console/session', {
      headers: { Cookie: maria, Origin: 'https://evil.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is ambiguous with two cookies, of which one may be planted by a neighboring host', async () => {
    const Cookie = `${maria}; console=${'b'.repeat(43)}`;
    expect((await send('GET', '/console/session', { headers: { Cookie } })).status).toBe(401);
  });

  it('ends by signing out, and at an admin by id; other operators end only their own', async () => {
    const [admin, viewer] = [await api.operator('admin'), await api.operator('viewer')];
    const listed = async ({ headers }: TestOperator) =>
      (await send('GET', '/console/sessions', { headers })).data.map(({ id }: { id: string }) => id);
    expect(await listed(viewer)).toEqual([viewer.sessionId]);
    expect(await listed(admin)).toEqual(expect.arrayContaining([admin.sessionId, viewer.sessionId]));
    const end = (by: TestOperator, of: TestOperator) =>
      send('DELETE', `/console/sessions/${of.sessionId}`, { headers: by.headers });
    expect((await end(viewer, admin)).status).toBe(404);
    expect((await end(admin, viewer)).status).toBe(204);
    expect((await send('GET', '/console/session', { headers: viewer.headers })).status).toBe(401);
    const out = await send('DELETE', '/console/session', { headers: admin.headers });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await send('GET', '/console/session', { headers: admin.headers })).status).toBe(401);
  });

  it('ends when it is not used for 12 hours, and after 7 days', async () => {
    for (const [column, age] of [
      ['lastUsedAt', '13 hours'],
      ['expiresAt', '1 second'],
    ] as const) {
      const { headers, sessionId } = await api.operator();
      await database.query(
        `update unified.console_sessions set "${column}" = now() - interval '${age}' where id = '${sessionId}'`,
      );
      expect((await send('GET', '/console/session', { headers })).status).toBe(401);
    }
  });
});

describe('a token of a session', () => {
  const MANAGE = { applicationId: '' };
  beforeAll(() => {
    MANAGE.applicationId = api.connection.applicationId;
  });
  const issued = async ({ headers }: TestOperator, path: string, json: object) =>
    (await send('POST', `/console/${path}`, { json, headers })).data.token as string;
  const call = (method: string, path: string, token: string, json?: unknown) =>
    sendRaw(method, path, { token, json, headers: {} });

  it('manages an application, with the operator as the actor in the audit log', async () => {
    const operator = await api.operator('operator');
    const token = await issued(operator, 'management-token', MANAGE);
    expect((await call('GET', '/application', token)).data).toMatchObject({ id: MANAGE.applicationId });
    const { connectionId: id } = api.connection;
    expect((await call('PUT', `/connections/${id}/solutions`, token, { solutions: ['console'] })).status).toBe(200);
    const { data } = await call('GET', '/audit?per_page=2', token);
    expect(data).toMatchObject([
      { actorType: 'operator', actor: operator.id, action: 'connection.set_solutions' },
      { actorType: 'operator', actor: operator.id, action: 'console_token.create' },
    ]);
    expect(JSON.stringify(data)).not.toContain(token);
  });

  it('reads changes of operators and their sessions for an admin only', async () => {
    await signIn('maria@northwind.example', PASSWORD);
    const sessions = async (role: 'operator' | 'admin') => {
      const token = await issued(await api.operator(role), 'management-token', MANAGE);
      return (await call('GET', '/audit?action=console_session.create', token)).data.length as number;
    };
    expect(await sessions('operator')).toBe(0);
    expect(await sessions('admin')).toBeGreaterThan(0);
  });

  it('issues tokens that call the connected system for an admin only', async () => {
    const path = `/connections/${api.connection.connectionId}/token`;
    const json = { name: 'Direct', scopes: ['passthrough'] };
    const status = async (role: 'operator' | 'admin') =>
      (await call('POST', path, await issued(await api.operator(role), 'management-token', MANAGE), json)).status;
    expect([await status('operator'), await status('admin')]).toEqual([403, 201]);
  });

  it('reads and writes the data of a connection, for a viewer only reads', async () => {
    const json = { connectionId: api.connection.connectionId };
    const [reading, writing] = [
      await issued(await api.operator('viewer'), 'connection-tokens', json),
      await issued(await api.operator('operator'), 'connection-tokens', json),
    ];
    for (const token of [reading, writing]) expect((await call('GET', '/vendors', token)).status).toBe(200);
    expect((await call('POST', '/vendors', reading, { name: 'A' })).code).toBe('SERVICE_FORBIDDEN');
    expect((await call('POST', '/vendors', writing, { name: 'A' })).code).not.toBe('SERVICE_FORBIDDEN');
  });

  it('is not among the tokens of the connection', async () => {
    const admin = await api.operator();
    const token = await issued(admin, 'management-token', MANAGE);
    await issued(admin, 'connection-tokens', { connectionId: api.connection.connectionId });
    const { data } = await call('GET', `/connections/${api.connection.connectionId}/tokens`, token);
    expect(data.map(({ name }: { name: string }) => name)).not.toContain('Console');
  });

  it('is refused for an unknown application or connection', async () => {
    const { headers } = await api.operator();
    const unknown = '0199d2a4-0000-7000-8000-000000000000';
    for (const [path, json] of [
      ['management-token', { applicationId: unknown }],
      ['connection-tokens', { connectionId: unknown }],
    ] as const)
      expect((await send('POST', `/console/${path}`, { json, headers })).code).toBe('SERVICE_INVALID_BODY');
  });

  it.each(['sign-out', 'end of the session by an admin', 'deactivation', 'deletion', 'expiry'])(
    'ends with %s',
    async (how) => {
      const [admin, operator] = [await api.operator(), await api.operator('operator')];
      const management = await issued(operator, 'management-token', MANAGE);
      const data = await issued(operator, 'connection-tokens', { connectionId: api.connection.connectionId });
      const by = { headers: admin.headers };
      if (how === 'sign-out') await send('DELETE', '/console/session', { headers: operator.headers });
      if (how === 'end of the session by an admin') await send('DELETE', `/console/sessions/${operator.sessionId}`, by);
      if (how === 'deactivation')
        await send('PATCH', `/console/operators/${operator.id}`, { ...by, json: { isActive: false } });
      if (how === 'deletion') await send('DELETE', `/console/operators/${operator.id}`, by);
      if (how === 'expiry')
        for (const table of ['console_tokens', 'connection_tokens'])
          await database.query(
            `update unified.${table} set "expiresAt" = now() where "sessionId" = '${operator.sessionId}'`,
          );
      expect((await call('GET', '/application', management)).status).toBe(401);
      expect((await call('GET', '/vendors', data)).status).toBe(401);
    },
  );

  it('loses what another role does not allow within the time for which tokens are cached', async () => {
    const [admin, operator] = [await api.operator(), await api.operator('operator')];
    const token = await issued(operator, 'management-token', MANAGE);
    expect((await call('GET', '/application', token)).status).toBe(200);
    await send('PATCH', `/console/operators/${operator.id}`, { headers: admin.headers, json: { role: 'viewer' } });
    await expect.poll(async () => (await call('GET', '/application', token)).status, { timeout: 20_000 }).toBe(401);
  });

  it('embeds an authorization page in the console, which no redirect URI names; a client cannot', async () => {
    const { origin } = new URL(api.store.publicUrl);
    const json = { endCustomerId: '0199d2a4-0000-7000-8000-000000000001', origin };
    const token = await issued(await api.operator('operator'), 'management-token', MANAGE);
    const { status, data } = await call('POST', '/embed/sessions', token, json);
    expect([status, data.origin]).toEqual([201, origin]);
    const page = await fetch(api.baseUrl + data.url.slice(api.store.publicUrl.length).split('#')[0]);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining(`frame-ancestors ${origin}`),
    ]);
    await page.arrayBuffer();
    const client = await api.signIn(api.connection.applicationId);
    expect((await call('POST', '/embed/sessions', client.token, json)).code).toBe('SERVICE_INVALID_BODY');
  });

  it('is counted apart from the requests of the application', async () => {
    const operator = await api.operator();
    const token = await issued(operator, 'management-token', MANAGE);
    const { headers } = await call('GET', '/application', token);
    expect(headers.get('x-ratelimit-limit')).toBe('600');
  });
});

it('a cookie over HTTPS has the prefix that keeps other hosts from setting it', async () => {
  const secure = await startApi({ publicUrl: 'https://erp.example' });
  const { token } = await createSignInLink(secure.store, null);
  const json = { token, email: 'maria@northwind.example', name: 'Maria', password: PASSWORD };
  const { headers } = await checkedFetch(`${secure.baseUrl}/v4/console/first-sign-in`, {
    method: 'POST',
    json,
    headers: OWN,
  });
  expect(headers.get('set-cookie')).toMatch(/^__Host-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; /);
  await secure.stop();
});
