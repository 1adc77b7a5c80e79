import { addRedirectUri, createApplication, openEmbedSession, saveEmbedSettings } from '@unified/store';
import { type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Body {
  readonly data: Readonly<Record<string, string>>;
  readonly code: string;
  readonly message: string;
}

const ORIGIN = 'https://portal.northwind.example';
const CUSTOMER = '0199d2a4-7b10-7c21-8a55-90c1d2e3f4a5';
const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

let api: TestApi;
let app: TestApplication;

beforeAll(async () => {
  api = await startApi({ rateLimits: { token: 1_000_000 } });
  app = await newApplication(`${ORIGIN}/callback`, 'http://localhost:3000/callback');
});
afterAll(() => api.stop());

/** An application whose client has these redirect URIs. */
async function newApplication(...uris: readonly string[]): Promise<TestApplication> {
  const { id } = await createApplication(api.store, 'Northwind');
  for (const uri of uris) await addRedirectUri(api.store.application(id), id, uri);
  return api.signIn(id);
}

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });
const create = (given: object = {}, { token } = app) =>
  send('POST', '/embed/sessions', { endCustomerId: CUSTOMER, ...given }, { token });

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(api.url);
  await client.connect();
  onTestFinished(() => client.end());
  return (await client.query(text)).rows;
}

describe('an embed session', () => {
  it('has an address with a token, which is stored as a hash, for an hour', async () => {
    const { status, body } = await create();
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        url: expect.stringMatching(
          new RegExp(
            `^${api.store.publicUrl}/oauth/embed/${body.data.id}\\?origin=https%3A%2F%2Fportal.northwind.example#ses_[\\w-]{43}$`,
          ),
        ),
        origin: ORIGIN,
        expiresAt: expect.any(String),
      },
    ]);
    const minutes = (Date.parse(body.data.expiresAt ?? '') - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(60);
    const stored = JSON.stringify(await rows('select * from unified.embed_sessions'));
    expect(stored).toContain(body.data.id);
    expect(stored).not.toContain(new URL(body.data.url ?? '').hash.slice(1));
  });

  it('is created once per idempotency key', async () => {
    const keyed = { headers: { 'Idempotency-Key': 'embed 1' } };
    const sent = { endCustomerId: CUSTOMER };
    const [first, again] = [
      await send('POST', '/embed/sessions', sent, keyed),
      await send('POST', '/embed/sessions', sent, keyed),
    ];
    expect(again.body).toEqual(first.body);
  });

  it('is for the origin of any redirect URI of the client', async () => {
    expect((await create({ origin: 'http://localhost:3000' })).body.data.origin).toBe('http://localhost:3000');
  });

  it.each([
    'https://portal.northwind.example.evil.example',
    'https://evil-portal.northwind.example',
    'https://northwind.example',
    'http://portal.northwind.example',
    'https://portal.northwind.example:8443',
    'http://localhost',
    'http://localhost:3001',
    'https://PORTAL.northwind.example',
    'https://portal.northwind.example/',
    'https://user@portal.northwind.example',
    'https://*.northwind.example',
    'https://*',
    'null',
    '*',
    "'self'",
    'https://portal.northwind.example https://evil.example',
    'https://portal.northwind.example;',
  ])('is refused for another origin: %s', async (origin) => {
    const { status, body } = await create({ origin });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
  });

  it.each(['https://*.evil.example/cb', 'https://a;b/cb', 'http://[::1]:3000/cb'])(
    'needs a redirect URI whose origin a browser can compare, unlike that of %s',
    async (uri) => {
      const { body } = await create({}, await newApplication(uri));
      expect(body.message).toContain('The client has no redirect URI whose origin can embed pages.');
    },
  );

  it('offers platforms that exist', async () => {
    expect((await create({ platforms: ['tryton'] })).status).toBe(201);
    expect((await create({ platforms: ['tryton', 'nothing'] })).body.message).toContain('no platform "nothing"');
    expect((await create({ platforms: [] })).status).toBe(400);
  });

  it('renews a connection of the application, unless it belongs to another end customer', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    expect((await create({ connectionId })).status).toBe(201);
    const other = await newApplication(`${ORIGIN}/callback`);
    expect((await create({ connectionId }, other)).body).toEqual((await create({ connectionId: UNKNOWN }, other)).body);
    await rows(`update unified.connections set "endCustomerId" = '${CUSTOMER}' where id = '${connectionId}'`);
    expect((await create({ connectionId })).status).toBe(201);
    expect((await create({ connectionId, endCustomerId: UNKNOWN })).body.code).toBe('SERVICE_INVALID_BODY');
    expect((await send('GET', `/connections/${connectionId}`)).body.data.endCustomerId).toBe(CUSTOMER);
  });
});

describe('the limits of embed sessions', () => {
  it('are 600 per application and hour', async () => {
    const own = await newApplication(`${ORIGIN}/callback`);
    const fill = (age: string, count: number) =>
      rows(`insert into unified.embed_sessions (id, "clientId", "endCustomerId", origin, token, "createdAt", "expiresAt")
        select gen_random_uuid(), '${own.clientId}', '${CUSTOMER}', '${ORIGIN}', 'x', now() - interval '${age}', now()
          from generate_series(1, ${count})`);
    await fill('61 minutes', 5);
    await fill('59 minutes', 599);
    const both = await Promise.all([create({}, own), create({}, own)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 429]);
    const refused = await create({}, own);
    expect(refused.body.code).toBe('SERVICE_RATE_LIMITED');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds > 0 && seconds <= 60).toBe(true);
    expect((await create()).status).toBe(201);
  });

  it('are 10 attempts to open one', async () => {
    const sessionFor = async () => {
      const { id = '', url } = (await create()).body.data;
      const token = new URL(url ?? '').hash.slice(1);
      return (sent = token) => openEmbedSession(api.store, { id, token: sent, browser: 'b', content: '{}' });
    };
    const [one, other] = [await sessionFor(), await sessionFor()];
    for (let n = 0; n < 9; n += 1) expect(await one('ses_wrong')).toBe(false);
    expect(await one()).toBe(true);
    for (let n = 0; n < 10; n += 1) expect(await other('ses_wrong')).toBe(false);
    expect(await other()).toBe(false);
  });

  it('count no attempts once they are opened, ended or expired', async () => {
    const { id = '', url } = (await create()).body.data;
    const open = (token: string) => openEmbedSession(api.store, { id, token, browser: 'b', content: '{}' });
    const attempts = async () => (await rows(`select attempts from unified.embed_sessions where id = '${id}'`))[0];
    expect(await open('ses_wrong')).toBe(false);
    expect(await open(new URL(url ?? '').hash.slice(1))).toBe(true);
    expect(await open('ses_wrong')).toBe(false);
    expect(await attempts()).toEqual({ attempts: 1 });
    for (const state of [`"endedAt" = now()`, `"expiresAt" = now()`]) {
      await rows(`update unified.embed_sessions set "openedAt" = null, ${state} where id = '${id}'`);
      expect(await open('ses_wrong')).toBe(false);
    }
    expect(await attempts()).toEqual({ attempts: 1 });
  });
});

describe('the kill switch', () => {
  it('is set with a reason, and cleared', async () => {
    const { token } = await newApplication(`${ORIGIN}/callback`);
    const set = (json: object) => send('PUT', '/embed/kill-switch', json, { token });
    const closed = await set({ isActive: true, reason: 'Maintenance' });
    expect(closed.body.data).toEqual({ isActive: true, reason: 'Maintenance', changedAt: expect.any(String) });
    expect((await set({ isActive: false })).body.data).toMatchObject({ isActive: false, reason: null });
  });

  it('ends the sessions of its application only', async () => {
    const other = await newApplication(`${ORIGIN}/callback`);
    const [own, theirs] = [(await create()).body.data.id, (await create({}, other)).body.data.id];
    await send('PUT', '/embed/kill-switch', { isActive: true });
    await send('PUT', '/embed/kill-switch', { isActive: false });
    const ended = await rows(`select id from unified.embed_sessions where "endedAt" is not null`);
    expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining([own]));
    expect(ended.map(({ id }) => id)).not.toContain(theirs);
  });
});

describe('disconnecting', () => {
  it('deactivates the connection, and ends the sessions that renew it', async () => {
    const { connectionId, token } = await api.connect({ applicationId: app.applicationId });
    const { id } = (await create({ connectionId })).body.data;
    const unrelated = (await create()).body.data.id;
    const { status, body } = await send('POST', `/connections/${connectionId}/embed/disconnect`);
    expect([status, body.data]).toEqual([200, { connectionId, disconnectedAt: expect.any(String) }]);
    expect((await api.fetch<Body>('/v4/vendors', { token })).body.code).toBe('SERVICE_CONNECTION_INACTIVE');
    const ended = await rows(`select id from unified.embed_sessions where "endedAt" is not null`);
    expect(ended.map((each) => each.id)).toContain(id);
    expect(ended.map((each) => each.id)).not.toContain(unrelated);
    expect(await rows(`select action from unified.audit_entries where target = '${connectionId}'`)).toEqual([
      { action: 'connection.deactivate' },
      { action: 'connection.disconnect' },
    ]);
  });

  it('is carried out once per idempotency key', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    const path = `/connections/${connectionId}/embed/disconnect`;
    const keyed = { headers: { 'Idempotency-Key': 'disconnect 1' } };
    const first = await send('POST', path, undefined, keyed);
    await send('PUT', `/connections/${connectionId}/active`, { isActive: true });
    const again = await send('POST', path, undefined, keyed);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await send('GET', `/connections/${connectionId}`)).body.data.status).toBe('active');
  });
});

describe('the settings of a connection', () => {
  it('are empty, saved, replaced, and no longer there after the connection is deleted', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    const path = `/connections/${connectionId}/embed/settings`;
    expect((await send('GET', path)).body.data).toEqual({ values: {}, updatedAt: null });
    await form(connectionId, []);
    const values = { 'shipping-defaults.warehouse': 'HAM', 'shipping-defaults.days': 3 };
    const saved = await send('PUT', path, { values });
    expect(saved.body.data).toEqual({ values, updatedAt: expect.any(String) });
    expect((await send('GET', path)).body).toEqual(saved.body);
    expect((await send('PUT', path, { values: {} })).body.data).toMatchObject({ values: {} });
    await send('DELETE', `/connections/${connectionId}`);
    expect([(await send('GET', path)).status, (await send('PUT', path, { values })).status]).toEqual([404, 404]);
  });

  it('are those that its forms allow, as on the page', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    const path = `/connections/${connectionId}/embed/settings`;
    const put = (values: object) => send('PUT', path, { values });
    expect((await put({ 'shipping-defaults.days': 3 })).body.message).toContain('the connection has no forms');
    await form(connectionId, ['warehouse']);
    for (const [values, name] of [
      [{ 'shipping-defaults.days': 3 }, 'shipping-defaults.warehouse'],
      [{ 'shipping-defaults.warehouse': 'BER' }, 'shipping-defaults.warehouse'],
      [{ 'shipping-defaults.warehouse': 'HAM', 'shipping-defaults.days': '3' }, 'shipping-defaults.days'],
      [{ 'shipping-defaults.warehouse': 'HAM', 'shipping-defaults.days': 31 }, 'shipping-defaults.days'],
      [{ 'shipping-defaults.warehouse': 'HAM', 'a.b': { c: [null] } }, 'a.b'],
      [{ 'shipping-defaults.warehouse': 'HAM', __proto__x: 1 }, '__proto__x'],
    ] as const) {
      const { status, body } = await put(values);
      expect([status, body.code, body.message]).toEqual([
        ...[400, 'SERVICE_INVALID_BODY', expect.stringContaining(`body/values/${name}: `)],
      ]);
    }
    expect((await send('GET', path)).body.data.values).toEqual({});
    const former = { 'former.field': { any: 1 }, 'shipping-defaults.warehouse': 'HAM' };
    await saveEmbedSettings(api.store.application(app.applicationId), connectionId, former);
    expect((await put(former)).status).toBe(200);
    expect((await put({ ...former, 'former.field': 2 })).status).toBe(400);
  });

  /** Gives a connection the form with a warehouse and days. */
  async function form(connectionId: string, required: readonly string[]) {
    const properties = {
      warehouse: { type: 'string', enum: ['HAM', 'MUC'] },
      days: { type: 'integer', minimum: 0, maximum: 30 },
    };
    const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
    await send('PUT', '/embed/settings-forms/shipping-defaults', { title: 'Shipping', schema });
    await send('PUT', `/connections/${connectionId}/forms`, { forms: ['shipping-defaults'] });
  }
});
