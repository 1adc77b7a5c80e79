import { type Operation, operations, templateOf } from '@unified/contract';
import { type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}
interface Body {
  readonly data: Item & readonly Item[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
  readonly code: string;
  readonly message: string;
}

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';
const REDIRECT = 'https://portal.northwind.example/callback';

let api: TestApi;
let app: TestApplication;
let other: TestApplication;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 1_000_000, token: 1_000_000 } });
  app = await api.signIn(api.connection.applicationId);
  other = await api.signIn();
});
afterAll(() => api.stop());

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });
const get = (path: string) => send('GET', path);

async function rows(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(api.url);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

const clientPath = (rest = '') => `/clients/${app.clientId}${rest}`;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

const withoutValue = ({ token: _, ...rest }: Partial<Item> = {}) => rest;

describe('clients', () => {
  it('are registered, listed, changed and found by their exact address', async () => {
    const made = await send('POST', '/clients', { name: 'Portal', email: 'dev@northwind.example' });
    expect([made.status, made.body.data]).toEqual([
      201,
      expect.objectContaining({ name: 'Portal', email: 'dev@northwind.example', logoUrl: null }),
    ]);
    const path = `/clients/${made.body.data.id}`;
    const logoUrl = 'https://northwind.example/logo.svg';
    expect((await send('PATCH', path, { logoUrl })).body.data).toMatchObject({ name: 'Portal', logoUrl });
    expect((await send('PATCH', path, { logoUrl: null })).body.data).toMatchObject({ logoUrl: null });
    expect((await get(path)).body.data.id).toBe(made.body.data.id);
    const found = await get('/clients?email=Dev@northwind.example');
    expect(found.body.data.map(({ id }) => id)).toEqual([made.body.data.id]);
    expect((await get('/clients?email=dev@northwind')).status).toBe(400);
    expect((await get('/clients?email=nobody@northwind.example')).body.data).toEqual([]);
  });

  it('are listed in pages', async () => {
    for (const n of [1, 2]) await send('POST', '/clients', { name: `C${n}`, email: `c${n}@northwind.example` });
    const first = await get('/clients?per_page=1');
    expect(first.body.data.map(({ id }) => id)).toEqual([app.clientId]);
    const second = await get(`/clients?per_page=1&cursor=${first.body.meta.next_cursor}`);
    expect(second.body.data[0]?.id).not.toBe(app.clientId);
    expect((await get('/clients?cursor=nonsense')).body.code).toBe('SERVICE_INVALID_CURSOR');
  });

  it('have an address that is free within the application', async () => {
    const taken = { name: 'Taken', email: 'taken@northwind.example' };
    const { data } = (await send('POST', '/clients', taken)).body;
    expect((await send('POST', '/clients', taken)).body.code).toBe('SERVICE_ALREADY_EXISTS');
    expect((await send('PATCH', `/clients/${app.clientId}`, { email: taken.email })).status).toBe(409);
    expect((await send('POST', '/clients', taken, { token: other.token })).status).toBe(201);
    expect((await send('PATCH', `/clients/${data.id}`, { email: taken.email.toUpperCase() })).status).toBe(200);
  });

  it.each(['id', 'applicationId', 'secret', 'createdAt'])('cannot be given %s', async (name) => {
    const sent = { name: 'Mass', email: 'mass@northwind.example', [name]: UNKNOWN };
    expect((await send('POST', '/clients', sent)).status).toBe(400);
    expect((await send('PATCH', clientPath(), { [name]: UNKNOWN })).status).toBe(400);
  });
});

describe('secrets', () => {
  it('are generated, listed without values, read, and revoked', async () => {
    const made = await send('POST', clientPath('/secrets'), { name: 'Production' });
    expect([made.status, made.body.data.secret]).toEqual([201, expect.stringMatching(/^scs_/)]);
    const path = clientPath(`/secrets/${made.body.data.id}`);
    expect((await get(path)).body.data).toEqual(made.body.data);
    const listed = await get(clientPath('/secrets'));
    expect(listed.body.data.at(-1)).toMatchObject({ name: 'Production', revokedAt: null });
    expect(JSON.stringify(listed.body)).not.toContain(made.body.data.secret);
    expect((await send('DELETE', path)).status).toBe(204);
    expect([(await get(path)).status, (await send('DELETE', path)).status]).toEqual([404, 404]);
  });

  it('can expire at a time with any offset', async () => {
    const { status, body } = await send('POST', clientPath('/secrets'), { expiresAt: '2099-12-30T18:43:31-21:13' });
    expect([status, Date.parse(String(body.data.expiresAt))]).toEqual([201, Date.parse('2099-12-31T15:56:31Z')]);
  });

  it('leave an entry in the audit log when they are read', async () => {
    const { data } = (await send('POST', clientPath('/secrets'))).body;
    await get(clientPath(`/secrets/${data.id}`));
    const text = 'select actor, action from unified.audit_entries where target = $1 order by id';
    expect(await rows(text, [data.id])).toEqual([
      { actor: app.clientId, action: 'secret.create' },
      { actor: app.clientId, action: 'secret.read' },
    ]);
  });
});

describe('redirect URIs', () => {
  it('are added, listed, replaced and deleted', async () => {
    const made = await send('POST', clientPath('/redirect-uris'), { uri: REDIRECT });
    expect([made.status, made.body.data.uri]).toEqual([201, REDIRECT]);
    expect((await send('POST', clientPath('/redirect-uris'), { uri: REDIRECT })).status).toBe(409);
    const path = clientPath(`/redirect-uris/${made.body.data.id}`);
    const next = `${REDIRECT}?tenant=1`;
    expect((await send('PUT', path, { uri: next })).body.data.uri).toBe(next);
    expect((await get(clientPath('/redirect-uris'))).body.data.map(({ uri }) => uri)).toEqual([next]);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(clientPath('/redirect-uris'))).body.data).toEqual([]);
  });

  it.each(['http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]:1/cb'])('may be %s', async (uri) => {
    expect((await send('POST', clientPath('/redirect-uris'), { uri })).body.data.uri).toBe(uri);
  });

  it.each([
    'http://portal.northwind.example/cb',
    'http://localhost.evil.example/cb',
    `${REDIRECT}#fragment`,
    `${REDIRECT}#`,
    'https://user:pass@portal.northwind.example/cb',
    'javascript:alert(1)',
    'myapp://callback',
    '/callback',
    'https://*.northwind.example/cb',
    'https://a;script-src/cb',
    'https://a,b/cb',
    "https://'self'/cb",
    'https://a%3Bb/cb',
    'https://a_b.example/cb',
    `${REDIRECT}?code=1&state=fixed`,
    `${REDIRECT}?tenant=1&iss=x`,
    `${REDIRECT}?%65rror=x`,
    `${REDIRECT}?error_description`,
  ])('cannot be %s', async (uri) => {
    expect((await send('POST', clientPath('/redirect-uris'), { uri })).body.code).toBe('SERVICE_INVALID_BODY');
  });
});

describe('settings of a client', () => {
  it('determine the authorization page, and can be cleared', async () => {
    const path = clientPath('/whitelabel');
    const none = { productName: null, logoUrl: null, primaryColor: null, supportUrl: null, termsUrl: null };
    expect((await get(path)).body.data).toEqual({ ...none, updatedAt: null });
    const set = await send('PUT', path, { productName: 'Portal', primaryColor: '#0a5c8f' });
    expect(set.body.data).toMatchObject({ productName: 'Portal', primaryColor: '#0a5c8f', termsUrl: null });
    expect((await send('PUT', path, { productName: 'Other' })).body.data).toMatchObject({ primaryColor: null });
    expect((await send('PUT', path, { primaryColor: 'red;}' })).status).toBe(400);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).body.data).toEqual({ ...none, updatedAt: null });
  });

  it('determine for how long requests are logged', async () => {
    const path = clientPath('/log-retention');
    expect((await get(path)).body.data).toEqual({ days: 30, updatedAt: null });
    expect((await send('PUT', path, { days: 7 })).body.data).toMatchObject({ days: 7, updatedAt: expect.any(String) });
    expect((await get(path)).body.data).toMatchObject({ days: 7 });
    for (const days of [0, 366, 1.5]) expect((await send('PUT', path, { days })).status).toBe(400);
  });
});

describe('support requests', () => {
  it('are created and listed, newest first', async () => {
    const connectionId = api.connection.connectionId;
    for (const subject of ['First', 'Second']) {
      const sent = { subject, body: 'Since this morning.', connectionId };
      expect((await send('POST', '/support-requests', sent)).body.data).toMatchObject({ subject, status: 'open' });
    }
    const { data } = (await get('/support-requests')).body;
    expect(data.map(({ subject }) => subject)).toEqual(['Second', 'First']);
  });

  it('cannot name a connection of another application', async () => {
    const sent = { subject: 'S', body: 'B', connectionId: api.connection.connectionId };
    expect((await send('POST', '/support-requests', sent, { token: other.token })).body.code).toBe(
      'SERVICE_INVALID_BODY',
    );
  });
});

describe('platforms', () => {
  it('are listed with their settings and entities', async () => {
    const { data } = (await get('/platforms')).body;
    expect(data.find(({ id }) => id === 'tryton')).toMatchObject({
      name: 'Tryton',
      settings: { type: 'object' },
      entities: expect.arrayContaining(['Vendor']),
    });
    expect((await get('/platforms/tryton')).body.data.id).toBe('tryton');
    expect((await get('/platforms/nothing')).status).toBe(404);
  });
});

describe('connections', () => {
  const connect = async () => (await api.connect({ applicationId: app.applicationId })).connectionId;

  it('are listed by status and platform, without those of other applications', async () => {
    const inactive = await api.connect({ applicationId: app.applicationId, platform: 'tryton' });
    await inactive.deactivate();
    const ids = async (query: string) => (await get(`/connections${query}`)).body.data.map(({ id }) => id);
    expect(await ids('?status=inactive&platform=tryton')).toEqual([inactive.connectionId]);
    expect(await ids('?status=active')).toContain(api.connection.connectionId);
    expect((await send('GET', '/connections', undefined, { token: other.token })).body.data).toEqual([]);
  });

  it('are shown without secret settings', async () => {
    const settings = { url: 'https://erp.northwind.example', database: 'erp', user: 'api', password: 'hunter2' };
    const { connectionId } = await api.connect({ applicationId: app.applicationId, platform: 'tryton', settings });
    const { data } = (await get(`/connections/${connectionId}`)).body;
    expect(data).toMatchObject({ status: 'active', settings: { database: 'erp' }, deletedAt: null });
    expect(JSON.stringify(data)).not.toContain('hunter2');
  });

  it('keep texts of the application by name', async () => {
    const path = `/connections/${await connect()}`;
    const set = async (metadata: object) => (await send('PATCH', path, { metadata })).body;
    expect((await get(path)).body.data.metadata).toEqual({});
    expect((await set({ tenant: 'northwind', plan: 'basic' })).data.metadata).toEqual({
      tenant: 'northwind',
      plan: 'basic',
    });
    expect((await set({ plan: 'gold', tenant: null, none: null })).data.metadata).toEqual({ plan: 'gold' });
    const listed = (await get('/connections')).body.data.find(({ metadata }) =>
      Object.hasOwn(metadata as object, 'plan'),
    );
    expect(listed?.metadata).toEqual({ plan: 'gold' });
    const recorded =
      'select action, before, after from unified.audit_entries where target = $1 order by id desc limit 1';
    expect(await rows(recorded, [listed?.id])).toEqual([
      {
        action: 'connection.update',
        before: expect.objectContaining({ metadata: { plan: 'basic', tenant: 'northwind' } }),
        after: expect.objectContaining({ metadata: { plan: 'gold' } }),
      },
    ]);
  });

  it('have at most 50 texts of 500 characters, with names of 40', async () => {
    const path = `/connections/${await connect()}`;
    const patch = (metadata: object) => send('PATCH', path, { metadata });
    const named = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`n${n + from}`, 'x']));
    expect((await patch({ ['n'.repeat(40)]: '\u{1F600}'.repeat(500) })).status).toBe(200);
    const refused = [{ ['n'.repeat(41)]: 'x' }, { '': 'x' }, { n: 'x'.repeat(501) }, { n: 1 }, named(0, 51)];
    for (const metadata of refused) expect((await patch(metadata)).body.code).toBe('SERVICE_INVALID_BODY');
    expect((await patch(named(0, 49))).status).toBe(200);
    const { status, body } = await patch(named(49, 50));
    expect([status, body.code, body.message]).toEqual([
      400,
      'SERVICE_INVALID_BODY',
      expect.stringContaining('51 entries'),
    ]);
    expect(Object.keys((await get(path)).body.data.metadata as object)).toHaveLength(50);
    expect((await patch({ ...named(49, 50), n0: null })).status).toBe(200);
  });

  it('are synchronized by a schedule that can be changed', async () => {
    const path = `/connections/${await connect()}`;
    const set = (syncSchedule: object) => send('PATCH', path, { syncSchedule });
    expect((await get(path)).body.data.syncSchedule).toEqual({ everyMinutes: 15, fullEveryHours: 24 });
    expect((await set({ everyMinutes: 5 })).body.data.syncSchedule).toEqual({ everyMinutes: 5, fullEveryHours: 24 });
    expect((await set({ fullEveryHours: 744 })).body.data.syncSchedule).toEqual({
      everyMinutes: 5,
      fullEveryHours: 744,
    });
    const refused = [
      { everyMinutes: 0 },
      { everyMinutes: 1441 },
      { fullEveryHours: 745 },
      { everyMinutes: null },
      { every: 1 },
    ];
    for (const each of refused) expect((await set(each)).body.code).toBe('SERVICE_INVALID_BODY');
    expect((await get(path)).body.data.syncSchedule).toEqual({ everyMinutes: 5, fullEveryHours: 744 });
  });

  it('are shown and listed with the last error of their system', async () => {
    const { connectionId: id } = await api.connect({ applicationId: app.applicationId, platform: 'tryton' });
    const refused = `insert into unified.sync_streams (connection_id, stream, error, "errorCode", "failingSince")
      values ($1, 'party.party', 'Login failed', 'SERVICE_SYSTEM_UNAUTHORIZED', '2026-11-20T09:30:00Z')`;
    const fine = { status: 'ok', code: null, message: null, since: null, lastSyncAt: null, pausedUntil: null };
    expect((await get(`/connections/${id}`)).body.data.health).toEqual(fine);
    await rows(refused, [id]);
    const health = {
      ...{ status: 'needs_reauth', code: 'SERVICE_SYSTEM_UNAUTHORIZED', message: 'Login failed' },
      ...{ since: '2026-11-20T09:30:00.000Z', lastSyncAt: null, pausedUntil: null },
    };
    expect((await get(`/connections/${id}`)).body.data.health).toEqual(health);
    const listed = (await get('/connections?platform=tryton')).body.data;
    expect(listed.find((each) => each.id === id)?.health).toEqual(health);
    expect(listed.filter((each) => each.id !== id).map((each) => each.health)).toContainEqual(fine);
  });

  it('are shown without settings if the key of the settings is lost', async () => {
    const settings = { url: 'https://erp.northwind.example', database: 'erp', user: 'api', password: 'hunter2' };
    const { connectionId } = await api.connect({ applicationId: app.applicationId, platform: 'tryton', settings });
    const client = new pg.Client(api.url);
    await client.connect();
    await client.query(
      `update unified.connections set settings = regexp_replace(settings, '^v1[.][^.]+', 'v1.00000000') where id = $1`,
      [connectionId],
    );
    const listed = await get('/connections?platform=tryton');
    await client.query('delete from unified.connections where id = $1', [connectionId]);
    await client.end();
    expect(listed.status).toBe(200);
    expect(listed.body.data).toContainEqual(expect.objectContaining({ id: connectionId, settings: {} }));
  });

  it('are renamed, and keep a name that is free', async () => {
    const id = await connect();
    expect((await send('PATCH', `/connections/${id}`, { name: 'ERP of Northwind' })).body.data).toMatchObject({
      name: 'ERP of Northwind',
    });
    const taken = await send('PATCH', `/connections/${await connect()}`, { name: 'ERP of Northwind' });
    expect(taken.body.code).toBe('SERVICE_ALREADY_EXISTS');
  });

  it('get tokens, which give access only to their data', async () => {
    const id = await connect();
    const issued = await send('POST', `/connections/${id}/token`, { expiresInDays: 90 });
    expect(issued.status).toBe(201);
    const { token, expiresAt } = issued.body.data as unknown as { token: string; expiresAt: string };
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(90);
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(200);
    expect((await api.fetch('/v4/connections', { token })).status).toBe(401);
    expect((await api.fetch('/v4/vendors', { token: app.token })).status).toBe(401);
    expect((await send('POST', `/connections/${id}/token`, {})).body.data.expiresAt).toBeNull();
  });

  it('list their tokens by name, and a revoked one no longer works', async () => {
    const id = await connect();
    const path = `/connections/${id}/tokens`;
    const [existing] = (await get(path)).body.data;
    const [first, second] = [
      await send('POST', `/connections/${id}/token`, { name: 'Reporting', scopes: ['read'] }),
      await send('POST', `/connections/${id}/token`, {}),
    ].map(({ body }) => body.data);
    const listed = await get(path);
    expect(listed.body.data).toEqual([
      existing,
      { ...withoutValue(first), lastUsedAt: null, name: 'Reporting', scopes: ['read'], access: null },
      { ...withoutValue(second), lastUsedAt: null, name: 'Management API', scopes: ['read', 'write'], expiresAt: null },
    ]);
    expect(JSON.stringify(listed.body)).not.toContain('sct_');
    const page = await get(`${path}?per_page=2`);
    const rest = await get(`${path}?cursor=${page.body.meta.next_cursor}`);
    const ids = [page, rest].map(({ body }) => body.data.map((each) => each.id));
    expect(ids).toEqual([[existing?.id, first?.id], [second?.id]]);
    const ended = `${path}/${first?.id}`;
    expect([(await send('DELETE', ended)).status, (await send('DELETE', ended)).status]).toEqual([204, 404]);
    const statusWith = async (token: unknown) => (await api.fetch('/v4/vendors', { token: String(token) })).status;
    expect([await statusWith(first?.token), await statusWith(second?.token)]).toEqual([401, 200]);
    expect((await get(path)).body.data.map((each) => each.id)).toEqual([existing?.id, second?.id]);
  });

  it('do not revoke the token of another connection', async () => {
    const [id, other] = [await connect(), await connect()];
    const { data } = (await send('POST', `/connections/${id}/token`, {})).body;
    expect((await send('DELETE', `/connections/${other}/tokens/${data.id}`)).status).toBe(404);
    expect((await get(`/connections/${id}/tokens`)).body.data).toHaveLength(2);
  });

  it('are deactivated and activated', async () => {
    const { connectionId: id, token } = await api.connect({ applicationId: app.applicationId });
    expect((await send('PUT', `/connections/${id}/active`, { isActive: false })).body.data.status).toBe('inactive');
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(403);
    expect((await send('PUT', `/connections/${id}/active`, { isActive: true })).body.data.status).toBe('active');
  });

  it('are deleted with their tokens, and their data is removed separately', async () => {
    const { connectionId: id, token } = await api.connect({ applicationId: app.applicationId });
    const path = `/connections/${id}`;
    const { name } = (await get(path)).body.data;
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).body.data).toMatchObject({ status: 'deleted', deletedAt: expect.any(String) });
    expect((await get('/connections')).body.data.map((each) => each.id)).not.toContain(id);
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(401);
    const refused = [
      await send('DELETE', path),
      await send('PATCH', path, { name: 'Again' }),
      await send('PUT', `${path}/active`, { isActive: true }),
      await send('POST', `${path}/token`, {}),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await send('PATCH', `/connections/${await connect()}`, { name })).status).toBe(200);
    expect((await send('DELETE', `${path}/permanent`)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  it('are restored within 30 days after they were deleted, inactive and with their ids', async () => {
    const { connectionId: id, token } = await api.connect({ applicationId: app.applicationId });
    const restore = (json?: object) => send('POST', `/connections/${id}/actions/restore`, json);
    const { name } = (await get(`/connections/${id}`)).body.data;
    expect((await restore()).body.data).toMatchObject({ id, status: 'active' });
    await send('DELETE', `/connections/${id}`);
    expect((await restore()).body.data).toMatchObject({ id, name, status: 'inactive', deletedAt: null });
    expect((await send('PUT', `/connections/${id}/active`, { isActive: true })).body.data.status).toBe('active');
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(401);
    const { body } = await send('POST', `/connections/${id}/token`, {});
    expect((await api.fetch('/v4/vendors', { token: String(body.data.token) })).status).toBe(200);
    await send('DELETE', `/connections/${id}`);
    await rows(`update unified.connections set "deletedAt" = now() - interval '30 days' where id = $1`, [id]);
    expect((await restore()).status).toBe(404);
  });

  it('are not restored with a name that is taken', async () => {
    const { connectionId: id } = await api.connect({ applicationId: app.applicationId });
    const { name } = (await get(`/connections/${id}`)).body.data;
    await send('DELETE', `/connections/${id}`);
    const { connectionId: other } = await api.connect({ applicationId: app.applicationId });
    await send('PATCH', `/connections/${other}`, { name });
    const { status, body } = await send('POST', `/connections/${id}/actions/restore`);
    expect([status, body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
    expect(body.message).toContain('Rename that connection first.');
  });

  it('are refused with settings that the platform does not allow, or that only operators may use', async () => {
    const settings = { url: 'https://erp.northwind.example', database: 'erp', user: 'api', password: 'hunter2' };
    for (const sent of [
      { platform: 'nothing', settings },
      { platform: 'tryton', settings: { ...settings, password: undefined } },
      { platform: 'tryton', settings: { ...settings, unheardOf: 1 } },
      { platform: 'tryton', settings: { ...settings, allowPrivateHosts: true } },
      { platform: 'tryton', settings: { ...settings, timeoutSeconds: 600 } },
    ]) {
      const { status, body } = await send('POST', '/connections', sent);
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    }
  });

  it('do not send stored secrets to another address', async () => {
    const settings = { url: 'http://127.0.0.1:3', database: 'erp', user: 'api', password: 'hunter2' };
    const made = { applicationId: app.applicationId, platform: 'tryton' };
    const { connectionId } = await api.connect({ ...made, settings });
    const patch = (changed: object) => send('PATCH', `/connections/${connectionId}`, { settings: changed });
    for (const changed of [
      { url: 'http://evil.example' },
      { url: 'http://127.0.0.1:4', user: 'x' },
      { database: 'y' },
      { url: `${settings.url}/?to=evil` },
    ]) {
      const { status, body } = await patch(changed);
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      const message = expect.stringContaining('identifies the system, and it changes. Send this secret again');
      expect(body).toMatchObject({ details: [{ path: 'body/settings/password', message }] });
    }
    // With the secret, or with the same address, the system is called.
    for (const changed of [
      { url: 'http://127.0.0.1:4', password: 'x' },
      { url: settings.url, user: 'other' },
      { url: `${settings.url}/` },
    ])
      expect((await patch(changed)).body.code).not.toBe('SERVICE_INVALID_BODY');
  });

  it('are not stored if the system cannot be reached', async () => {
    const settings = { url: 'http://127.0.0.1:1', database: 'erp', user: 'api', password: 'hunter2' };
    const { status, body } = await send('POST', '/connections', { platform: 'tryton', name: 'Away', settings });
    expect(body.code).toMatch(/^SERVICE_SYSTEM_/);
    expect(status).toBeGreaterThanOrEqual(403);
    expect(body.message).toMatch(/^The host refuses connections on this port\. Check the port/);
    expect((await get('/connections')).body.data.map(({ name }) => name)).not.toContain('Away');
  });

  it('are refused with the reason and the remedy, but without the message of the system', async () => {
    const own = new URL(api.url);
    const url = Object.assign(new URL(api.url), { username: 'stranger', password: 'wrong' }).href;
    const { status, body } = await send('POST', '/connections', {
      platform: 'database',
      name: 'Away',
      settings: { url },
    });
    expect([status, body.code]).toEqual([424, 'SERVICE_SYSTEM_UNAUTHORIZED']);
    expect(body.message).toMatch(/^The database refuses the user or the password\. Check both/);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`stranger|${own.hostname}`));
  });

  it('are refused alike for a name that does not exist and one in a private network', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const refused = [503, 'SERVICE_SYSTEM_UNAVAILABLE', expect.stringContaining('The system cannot be reached.')];
    for (const host of ['localhost', '127.0.0.1', 'unknown.invalid']) {
      const settings = { url: `http://${host}:1`, database: 'erp', user: 'api', password: 'hunter2' };
      const { status, body } = await send('POST', '/connections', { platform: 'tryton', name: 'Guessed', settings });
      expect([status, body.code, body.message]).toEqual(refused);
    }
  });
});

describe('an idempotency key', () => {
  it('returns the first response again, and refuses another request', async () => {
    const sent = { name: 'Keyed', email: 'keyed@northwind.example' };
    const first = await send('POST', '/clients', sent, keyed('k1'));
    const again = await send('POST', '/clients', sent, keyed('k1'));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    const different = await send('POST', '/clients', { ...sent, name: 'Other' }, keyed('k1'));
    expect([different.status, different.body.code]).toEqual([422, 'SERVICE_IDEMPOTENCY_MISMATCH']);
  });

  it('returns a secret again, which is encrypted at rest, and belongs to its application', async () => {
    const { data } = (await send('POST', clientPath('/secrets'), {}, keyed('k2'))).body;
    expect((await send('POST', clientPath('/secrets'), {}, keyed('k2'))).body.data.secret).toBe(data.secret);
    const client = new pg.Client(api.url);
    await client.connect();
    const { rows } = await client.query('select response from unified.keyed_requests');
    await client.end();
    expect(JSON.stringify(rows)).not.toContain(data.secret);
    const theirs = { name: 'Theirs', email: 'theirs@northwind.example' };
    expect((await send('POST', '/clients', theirs, { ...keyed('k2'), token: other.token })).status).toBe(201);
  });

  it('returns a secret again only to the same client, and records this', async () => {
    const { connectionId: connection } = await api.connect({ applicationId: app.applicationId });
    const made = (await send('POST', '/clients', { name: 'Second', email: 'second@northwind.example' })).body.data;
    const { secret } = (await send('POST', `/clients/${made.id}/secrets`, {})).body.data;
    const json = { grant_type: 'client_credentials', client_id: made.id, client_secret: secret };
    const { access_token: token } = (
      await api.fetch<{ access_token: string }>('/oauth/token', { method: 'POST', token: null, json })
    ).body;
    const origin = 'https://portal.northwind.example';
    await send('POST', `/clients/${app.clientId}/redirect-uris`, { uri: `${origin}/embedded` });
    for (const [path, body, kind, value] of [
      [`/connections/${connection}/token`, { name: 'Shown' }, 'token', 'token'],
      [clientPath('/secrets'), { name: 'Shown' }, 'secret', 'secret'],
      ['/embed/sessions', { endCustomerId: UNKNOWN, origin }, 'embed_session', 'url'],
    ] as const) {
      const first = await send('POST', path, body, keyed(`shown ${kind}`));
      expect(first.status).toBe(201);
      const { data } = first.body;
      const others = await send('POST', path, body, { ...keyed(`shown ${kind}`), token });
      expect([others.status, others.body.code]).toEqual([422, 'SERVICE_IDEMPOTENCY_MISMATCH']);
      expect((await send('POST', path, body, keyed(`shown ${kind}`))).body.data).toEqual(data);
      const entries = await rows(
        'select actor, action, before, after from unified.audit_entries where target = $1 order by id',
        [data.id],
      );
      expect(entries).toMatchObject([
        { actor: app.clientId, action: `${kind}.create`, before: null },
        { actor: app.clientId, action: `${kind}.read` },
      ]);
      expect(JSON.stringify(entries)).not.toContain(data[value]);
      expect(entries[1]?.before).toEqual(entries[1]?.after);
      expect(entries[1]?.after).toMatchObject(
        kind === 'token' ? { connectionId: connection } : { clientId: app.clientId },
      );
    }
  });

  it('creates once, however many requests are sent concurrently', async () => {
    const path = clientPath('/secrets');
    const before = (await get(path)).body.data.length;
    const sent = Array.from({ length: 20 }, () => send('POST', path, { name: 'Once' }, keyed('k3')));
    const ids = (await Promise.all(sent)).map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(1);
    expect((await get(path)).body.data.length).toBe(before + 1);
  });

  it('is free again after a failure', async () => {
    const path = `/clients/${UNKNOWN}/secrets`;
    expect((await send('POST', path, {}, keyed('k4'))).status).toBe(404);
    expect((await send('POST', path, {}, keyed('k4'))).status).toBe(404);
  });
});

const management = operations.filter(({ surface }) => surface === 'management');

/**
 * Operations on an existing object of an application. `saveSettingsForm` is left out, because each application has its own form
 * names.
 */
const owned = management.filter(
  ({ id, path, tag }) => path.includes('{') && tag !== 'Platforms' && id !== 'saveSettingsForm',
);
const byId = (some: readonly Operation[]) => some.map((operation) => [operation.id, operation] as const);

const address = (operation: Operation, ids: Readonly<Record<string, string>>) =>
  templateOf(operation).replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? unknown(name));
/** Values of parameters that are not UUIDs. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ formId: 'unknown', platform: 'unknown', entity: 'Vendor', revision: '1' },
};
const unknown = (parameter: string) => NAMES[parameter] ?? UNKNOWN;
const call = (operation: Operation, ids: Readonly<Record<string, string>>, token: string) =>
  api.fetch<Body>(address(operation, ids), { method: operation.method.toUpperCase(), token, ...bodyOf(operation) });

it.each(byId(management))('%s needs an access token of an application', async (_, operation) => {
  expect((await call(operation, {}, api.connection.token)).body.code).toBe('SERVICE_UNAUTHORIZED');
});

it.each(byId(owned))(
  '%s returns the same for an id of another application as for an unknown one',
  async (_, operation) => {
    const ids = await idsOf(app);
    const [foreign, unknown] = [await call(operation, ids, other.token), await call(operation, {}, other.token)];
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  },
);

const belowClients = owned.filter(({ path }) => path.split('{').length > 2);

it.each(byId(belowClients))('%s finds nothing of another client below one of its own', async (_, operation) => {
  const ids = { ...(await idsOf(app)), clientId: other.clientId };
  expect((await call(operation, ids, other.token)).status).toBe(404);
});

let existing: Promise<Readonly<Record<string, string>>> | undefined;

/** One object of each kind, by the name of the parameter that identifies it. */
function idsOf({ clientId }: TestApplication) {
  existing ??= (async () => {
    const secret = await send('POST', clientPath('/secrets'), {});
    const uri = await send('POST', clientPath('/redirect-uris'), { uri: `${REDIRECT}/existing` });
    const { connectionId: id } = await api.connect({ applicationId: app.applicationId });
    const mapping = await send('POST', `/connections/${id}/data-mappings`, { entity: 'Vendor' });
    const question = await send('POST', '/embed/support-requests', { subject: 'S', body: 'B' });
    const form = { title: 'T', schema: { type: 'object', properties: { a: { type: 'string' } } } };
    const { body } = await send('PUT', '/embed/settings-forms/existing', form);
    const token = await send('POST', `/connections/${id}/token`, {});
    const hook = { url: 'https://northwind.example/hooks', events: [] };
    const endpoint = await send('POST', '/webhook-endpoints', hook);
    const endpointId = (endpoint.body.data as unknown as { endpoint: { id: string } }).endpoint.id;
    const made = [secret, uri, mapping, question, token].map(({ body: { data } }) => data.id);
    const [secretId = '', redirectUriId = '', mappingId = '', requestId = '', tokenId = ''] = made;
    const { endCustomerId, roleId, userId } = await api.mcpUser({ applicationId: app.applicationId });
    const link = await send('POST', `/end-customers/${endCustomerId}/setup-links`, { platform: 'tryton' });
    const unknown = { serverId: UNKNOWN, authorizationId: UNKNOWN };
    const ofCustomer = { endCustomerId, roleId, userId, linkId: link.body.data.id, ...unknown };
    return {
      clientId,
      id,
      secretId,
      redirectUriId,
      mappingId,
      requestId,
      tokenId,
      endpointId,
      formId: body.data.id,
      ...ofCustomer,
    };
  })();
  return existing;
}

/** A valid body for each operation that has one. */
function bodyOf({ id }: Operation): Sent {
  const bodies: Readonly<Record<string, unknown>> = {
    registerClient: { name: 'Any', email: 'any@northwind.example' },
    updateClient: { name: 'Stolen' },
    createClientSecret: {},
    addRedirectUri: { uri: 'https://evil.example/cb' },
    replaceRedirectUri: { uri: 'https://evil.example/cb' },
    replaceWhitelabel: { productName: 'Stolen' },
    setLogRetention: { days: 1 },
    createSupportRequest: { subject: 'S', body: 'B' },
    createConnection: { platform: 'tryton', settings: {} },
    updateConnection: { name: 'Stolen' },
    setConnectionActive: { isActive: false },
    createConnectionToken: {},
    setConnectionForms: { forms: [] },
    setConnectionSolutions: { solutions: ['stolen'] },
    setConnectionFlowFolders: { folders: ['stolen'] },
    saveSettingsForm: { title: 'Stolen', schema: { type: 'object', properties: { a: { type: 'string' } } } },
    createEmbedSupportRequest: { subject: 'S', body: 'B' },
    updateEmbedSupportRequest: { status: 'closed' },
    updateApplication: {},
    compatCreateConnection: { platform: 'tryton', settings: {} },
    compatCreateEmbedSession: { endCustomerId: UNKNOWN },
    startDataMapping: { entity: 'Item' },
    setDataMappingCardinality: { cardinality: 'many_to_many' },
    createEmbedSession: { endCustomerId: UNKNOWN },
    saveEmbedSettings: { values: { 'form.field': 'Stolen' } },
    setEmbedKillSwitch: { isActive: true },
    registerWebhookEndpoint: { url: 'https://evil.example/hooks', events: [] },
    updateWebhookEndpoint: { url: 'https://evil.example/hooks' },
    replayWebhooks: { since: '2026-11-20T00:00:00Z' },
    rotateWebhookSecret: {},
    createEndCustomer: { name: 'Any' },
    updateEndCustomer: { name: 'Stolen' },
    createMcpRole: { name: 'Stolen' },
    updateMcpRole: { name: 'Stolen' },
    createMcpUser: { email: 'stolen@evil.example' },
    updateMcpUser: { email: 'stolen@evil.example' },
    createPersonalAccessToken: {},
    setPlatformVisibility: { platforms: [] },
    setCompanyCredential: { settings: {} },
    createSetupLink: { platform: 'tryton' },
    setToolPolicy: { rules: [] },
    replayToolPolicy: { rules: [] },
    setGuardrails: {},
    registerThirdPartyServer: { name: 'Stolen', url: 'https://evil.example' },
    updateThirdPartyServer: { name: 'Stolen' },
    decideAccessRequest: { decision: 'approved' },
    saveFieldMapping: { fields: { notes: 'stolen' } },
    testFetchFieldMapping: { fields: { notes: 'stolen' } },
    previewFieldMapping: { fields: { notes: 'stolen' } },
    draftFieldMapping: { table: 'stolen' },
    replaceCustomStreams: { streams: [] },
    replaceDataMappingEntries: { entries: [{ serviceId: UNKNOWN, externalValue: 'Stolen' }] },
  };
  return id in bodies ? { json: bodies[id] } : {};
}

it('no operation of another application changed anything', async () => {
  const ids = await idsOf(app);
  expect((await get(`/connections/${ids.id}`)).body.data).toMatchObject({ status: 'active' });
  expect((await get(`/connections/${ids.id}/embed/settings`)).body.data).toMatchObject({ values: {} });
  expect((await get(clientPath())).body.data.name).not.toBe('Stolen');
  expect((await get(clientPath(`/secrets/${ids.secretId}`))).status).toBe(200);
  expect((await get(`/connections/${ids.id}/solutions`)).body.data).toEqual({ solutions: [] });
  expect((await get(`/connections/${ids.id}/tokens`)).body.data.map(({ id }) => id)).toContain(ids.tokenId);
  expect((await get('/embed/settings-forms')).body.data.map(({ title }) => title)).toEqual(['T']);
  const endpoint = { url: 'https://northwind.example/hooks', previousSecretExpiresAt: null };
  expect((await get(`/webhook-endpoints/${ids.endpointId}`)).body.data).toMatchObject(endpoint);
  const users = (await get(`/end-customers/${ids.endCustomerId}/users`)).body.data;
  expect(users.map(({ id }) => id)).toEqual([ids.userId]);
  expect((await get(`/end-customers/${ids.endCustomerId}/setup-links`)).body.data).toHaveLength(1);
});
