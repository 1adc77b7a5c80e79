import { deleteRedirectUri, listRedirectUris, pageOfAudit, saveEmbedSettings, setClientSetting } from '@unified/store';
import type { TestApi, TestApplication } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageBrowser, type ShownPage, tokenIn } from './page-browser.ts';
import { startPageServer } from './page-server.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const ORIGIN = 'https://portal.northwind.example';
const CUSTOMER = '0199d2a4-7b10-7c21-8a55-90c1d2e3f4a5';

let server: Awaited<ReturnType<typeof startPageServer>>;
let api: TestApi;
let system: { readonly url: string };
let application: TestApplication;

beforeAll(async () => {
  server = await startPageServer(`${ORIGIN}/callback`);
  ({ api, system } = server);
  application = await newApplication();
});
afterAll(() => server.stop());

const newApplication = () => server.newApplication();

interface Body {
  readonly data: Readonly<Record<string, string>>;
  readonly code: string;
}

const manage = (method: string, path: string, json?: unknown, { token } = application) =>
  api.fetch<Body>(`/v4${path}`, { method, token, ...(json !== undefined && { json }) });

async function statement(text: string): Promise<void> {
  const client = new pg.Client(api.url);
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A session that has not been opened yet: its path and its token. */
async function created(given: object = {}, by = application) {
  const { body } = await manage('POST', '/embed/sessions', { endCustomerId: CUSTOMER, ...given }, by);
  const { pathname, hash } = new URL(body.data.url ?? '');
  return { path: pathname, token: hash.slice(1), id: body.data.id ?? '' };
}

/** A session whose page has been opened. */
async function opened(given: object = {}, by = application) {
  const browser = new PageBrowser(api.baseUrl);
  const { path, token, id } = await created(given, by);
  const page = await browser.submit(`${path}/open`, { token });
  const form = { token: tokenIn(page) };
  return {
    browser,
    path,
    id,
    oneTime: token,
    page,
    form,
    act: (name: string, fields = {}) => browser.submit(`${path}/${name}`, { ...form, ...fields }),
  };
}
type OpenedSession = Awaited<ReturnType<typeof opened>>;

/** What a page reports to the surrounding page, and the origin of that page. */
function reported({ text }: ShownPage): { readonly to: string | undefined; readonly message: unknown } {
  const [, message = 'null'] = /data-message="([^"]*)"/.exec(text) ?? [];
  return { to: /data-embedder="([^"]*)"/.exec(text)?.[1], message: JSON.parse(message.replaceAll('&quot;', '"')) };
}

const embedders = ({ headers }: ShownPage) =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];

/** Enters the settings of the sandbox company. Returns the page after the check has ended. */
async function signIn({ act, browser, path, form }: OpenedSession): Promise<ShownPage> {
  await act('platform', { platform: 'sandbox' });
  await browser.enter(path, form, { url: system.url, schema: 'erp' });
  return vi.waitFor(
    async () => {
      const page = await act('show');
      if (page.text.includes('data-changing')) throw new Error('the check has not ended');
      return page;
    },
    { timeout: 100_000, interval: 200 },
  );
}

describe('an embedded page', () => {
  it('connects a system for the end customer, and reports the connection to the origin of the session', async () => {
    const session = await opened();
    expect(session.page.text).toContain('Which system do you use?');
    expect(reported(session.page)).toEqual({ to: ORIGIN, message: { event: 'ready' } });
    expect((await signIn(session)).text).toContain('Allow Northwind to use Sandbox company?');
    const last = await session.act('allow');
    const connectionId = expect.any(String);
    expect(reported(last)).toEqual({ to: ORIGIN, message: { event: 'success', connectionId } });
    const { message } = reported(last) as { message: { connectionId: string } };
    const connection = (await manage('GET', `/connections/${message.connectionId}`)).body.data;
    expect(connection).toMatchObject({ platform: 'sandbox', status: 'active', endCustomerId: CUSTOMER });
    expect((await session.act('show')).status).toBe(410);
    const issued = await manage('POST', `/connections/${message.connectionId}/token`, {});
    expect((await api.fetch('/v4/vendors', { token: issued.body.data.token ?? '' })).status).toBe(200);
    await manage('POST', `/connections/${message.connectionId}/embed/disconnect`);
    const code = async () => (await api.fetch<Body>('/v4/vendors', { token: issued.body.data.token ?? '' })).body.code;
    await expect.poll(code).toBe('SERVICE_CONNECTION_INACTIVE');
  });

  it('needs no cookie, and its address contains no secret', async () => {
    const session = await opened();
    const form = await session.act('platform', { platform: 'tryton' });
    expect(form.text).toContain('Sign in to Tryton');
    expect(form.location).toBe('');
    expect([...session.browser.cookies]).toEqual([]);
    const secrets = [session.oneTime, session.form.token];
    for (const secret of secrets) expect(server.logged.join('')).not.toContain(secret);
    for (const [, target = ''] of form.text.matchAll(/(?:action|href|src)="([^"]*)"/g))
      for (const secret of secrets) expect(target).not.toContain(secret);
  });

  it('can be cancelled', async () => {
    const { act } = await opened();
    expect(reported(await act('cancel'))).toEqual({ to: ORIGIN, message: { event: 'exit', reason: 'cancelled' } });
    expect((await act('show')).status).toBe(410);
  });

  it('offers only the platforms of the session', async () => {
    const one = await opened({ platforms: ['tryton'] });
    expect(one.page.text).toContain('Sign in to Tryton');
    const two = await opened({ platforms: ['tryton', 'sandbox'] });
    expect(two.page.text).toMatch(/value="sandbox"[\s\S]*value="tryton"/);
    expect((await one.act('platform', { platform: 'sandbox' })).text).toContain('Sign in to Tryton');
    expect((await two.act('show', { search: 'company' })).text).not.toContain('value="tryton"');
  });

  it('renews a connection, and assigns it to the end customer if it belongs to none', async () => {
    const settings = { url: system.url, schema: 'erp' };
    const { connectionId } = await api.connect({
      applicationId: application.applicationId,
      platform: 'sandbox',
      settings,
    });
    const session = await opened({ connectionId });
    expect(session.page.text).toContain('must be renewed');
    await signIn(session);
    expect(reported(await session.act('allow')).message).toMatchObject({ event: 'success', connectionId });
    const { body } = await manage('GET', `/connections/${connectionId}`);
    expect(body.data).toMatchObject({ endCustomerId: CUSTOMER });
  });

  it('asks for the values of the settings forms of the connection that it renews, and saves them', async () => {
    const { applicationId } = application;
    const connected = { applicationId, platform: 'sandbox', settings: { url: system.url, schema: 'erp' } };
    const { connectionId } = await api.connect(connected);
    const properties = {
      warehouse: { type: 'string', title: 'Warehouse', enum: ['HAM', 'MUC'] },
      days: { type: 'integer', title: 'Days', minimum: 0, default: 3 },
      note: { type: 'string', title: 'Note' },
    };
    const schema = { type: 'object', properties, required: ['warehouse'] };
    await manage('PUT', '/embed/settings-forms/shipping', { title: 'Shipping <defaults>', schema });
    await manage('PUT', `/connections/${connectionId}/forms`, { forms: ['shipping'] });
    const saved = `/connections/${connectionId}/embed/settings`;
    const scope = api.store.application(applicationId);
    await saveEmbedSettings(scope, connectionId, { 'former.field': 1, 'shipping.note': 'Ramp 2' });
    const session = await opened({ connectionId });
    const { text } = await signIn(session);
    expect(text).toContain('Shipping &lt;defaults&gt;');
    expect(text).toMatch(/name="settings\.shipping\.days"[^>]* value="3"/);
    const [, check = ''] = /name="check" value="([^"]*)"/.exec(text) ?? [];
    const wrong = await session.act('allow', { check, 'settings.shipping.days': '-1' });
    expect([wrong.status, wrong.text.match(/aria-invalid="true"/g)]).toEqual([
      422,
      Array(2).fill('aria-invalid="true"'),
    ]);
    expect((await manage('GET', saved)).body.data.values).toEqual({ 'former.field': 1, 'shipping.note': 'Ramp 2' });
    const given = { 'settings.shipping.warehouse': 'MUC', 'settings.shipping.days': '2', other: 'x' };
    const page = await session.act('allow', { check, ...given });
    expect(reported(page).message).toMatchObject({ event: 'success', connectionId });
    const values = { 'former.field': 1, 'shipping.warehouse': 'MUC', 'shipping.days': 2 };
    // A field that the end user has cleared has no value.
    expect((await manage('GET', saved)).body.data.values).toEqual(values);
    const [entry] = await pageOfAudit(scope, { action: 'embed_settings.save', limit: 1 });
    expect(entry).toMatchObject({
      ...{ actorType: 'end_user', actor: application.clientId, target: connectionId, operation: 'authorize' },
      ...{ requestId: expect.any(String), address: expect.any(String), after: { fields: Object.keys(values) } },
    });
    const again = await opened({ connectionId });
    await signIn(again);
    expect(reported(await again.act('allow', given)).message).toMatchObject({ event: 'success', connectionId });
    const entries = await pageOfAudit(scope, { target: connectionId, limit: 100 });
    expect(entries.map(({ action }) => action)).toEqual([
      ...['connection.renew', 'embed_settings.save', 'connection.renew', 'connection.set_forms'],
    ]);
  });

  it('speaks the language that the end user chooses', async () => {
    expect((await (await opened()).act('language', { language: 'de' })).text).toContain(
      'Welches System verwenden Sie?',
    );
  });

  it('shows the logo of the application', async () => {
    const own = await newApplication();
    const value = {
      productName: null,
      logoUrl: 'https://127.0.0.1:1/logo.png',
      primaryColor: null,
      supportUrl: null,
      termsUrl: null,
    };
    await setClientSetting(api.store.application(own.applicationId), own.clientId, { name: 'whitelabel', value });
    const { page, path, browser } = await opened({}, own);
    expect(page.text).toContain(`src="${path}/logo"`);
    expect((await browser.send(`${path}/logo`)).status).toBe(404);
  });
});

describe('the frame of an embedded page', () => {
  it('is allowed only for the origin of the session, in every response', async () => {
    const { browser, path, page, act } = await opened({}, application);
    const fresh = await created();
    const pages = [
      page,
      await browser.send(fresh.path),
      await act('edit'),
      await act('cancel'),
      await act('show'),
      await browser.send(path),
    ];
    for (const each of pages) {
      expect(embedders(each)).toBe(ORIGIN);
      expect(each.headers.get('x-frame-options')).toBeNull();
      expect(each.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('is refused everywhere once the origin is no longer registered', async () => {
    const own = await newApplication();
    const session = await opened({}, own);
    const fresh = await created({}, own);
    const scope = api.store.application(own.applicationId);
    for (const { id } of (await listRedirectUris(scope, own.clientId)) ?? [])
      await deleteRedirectUri(scope, own.clientId, id);
    const pages = [
      await session.act('show'),
      await session.browser.send(fresh.path),
      await session.browser.submit(`${fresh.path}/open`, fresh),
    ];
    for (const page of pages) {
      expect([page.status, embedders(page)]).toEqual([404, "'none'"]);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it.each(['document', 'embed', 'object', 'empty'])('is needed: the page is refused as %s', async (destination) => {
    const { path } = await created();
    const browser = new PageBrowser(api.baseUrl);
    browser.headers['sec-fetch-dest'] = destination;
    const page = await browser.send(path);
    expect([page.status, embedders(page)]).toEqual([403, "'none'"]);
  });

  it('is not available to other pages of the service', async () => {
    const { browser, path, id, form } = await opened();
    browser.cookies.set('authorization', form.token);
    for (const each of [
      await browser.send(`/oauth/authorize/${id}`),
      await browser.submit(`/oauth/authorize/${id}/cancel`, form),
    ])
      expect([each.status, embedders(each)]).toEqual([403, "'none'"]);
    browser.cookies.delete('authorization');
    expect((await browser.submit(`${path}/show`, form)).status).toBe(200);
    const unknown = await browser.send('/oauth/embed/0199d2a4-0000-7000-8000-000000000000');
    expect([unknown.status, embedders(unknown)]).toEqual([404, "'none'"]);
  });
});

describe('a token of a session', () => {
  it('is used once, however many requests send it at the same time', async () => {
    const { path, token } = await created();
    const browser = new PageBrowser(api.baseUrl);
    const pages = await Promise.all(Array.from({ length: 10 }, () => browser.submit(`${path}/open`, { token })));
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(410)]);
    expect(reported(await browser.send(path))).toEqual({ to: ORIGIN, message: { event: 'ended' } });
  });

  it.each([
    ['no token', ''],
    ['a wrong token', `ses_${'x'.repeat(43)}`],
    ['a NUL byte', 'ses_\0'],
  ])('is needed: %s opens nothing', async (_name, token) => {
    const { path, token: right } = await created();
    const browser = new PageBrowser(api.baseUrl);
    expect((await browser.submit(`${path}/open`, { token })).status).toBeGreaterThanOrEqual(400);
    expect((await browser.submit(`${path}/open`, { token: right })).status).toBe(200);
  });

  it('opens no other session, of the same application or of another one', async () => {
    const other = await newApplication();
    const [own, second, foreign] = [await created(), await created(), await created({}, other)];
    const browser = new PageBrowser(api.baseUrl);
    for (const { path } of [second, foreign])
      expect((await browser.submit(`${path}/open`, { token: own.token })).status).toBe(410);
    for (const { path, token } of [own, second, foreign])
      expect((await browser.submit(`${path}/open`, { token })).status).toBe(200);
  });

  it('is not the secret of the page, and the secret of one page is not that of another', async () => {
    const [first, second] = [await opened(), await opened()];
    for (const token of [first.oneTime, second.form.token, ''])
      for (const action of ['show', 'progress', 'cancel', 'platform'])
        expect((await first.browser.submit(`${first.path}/${action}`, { token })).status).toBe(410);
    expect((await first.act('show')).status).toBe(200);
  });

  it('expires', async () => {
    const { path, token, id } = await created();
    await statement(`update unified.embed_sessions set "expiresAt" = now() where id = '${id}'`);
    const browser = new PageBrowser(api.baseUrl);
    expect((await browser.submit(`${path}/open`, { token })).status).toBe(410);
  });
});

describe('a form of an embedded page', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['the page around it', { origin: ORIGIN }],
    ['an origin with the same beginning', { origin: 'http://localhost:4000.evil.example' }],
  ])('is not accepted from %s', async (_name, headers) => {
    const { browser, path, form } = await opened();
    const fresh = await created();
    Object.assign(browser.headers, headers);
    expect((await browser.submit(`${path}/cancel`, form)).status).toBe(403);
    expect((await browser.submit(`${fresh.path}/open`, fresh)).status).toBe(403);
    for (const name of Object.keys(headers)) delete browser.headers[name];
    expect((await browser.submit(`${path}/show`, form)).status).toBe(200);
    expect((await browser.submit(`${fresh.path}/open`, fresh)).status).toBe(200);
  });

  it('is accepted only by POST, and only for known actions', async () => {
    const { browser, path, act } = await opened();
    expect((await act('constructor')).status).toBe(404);
    expect((await browser.send(`${path}/show`)).status).toBe(405);
    expect((await browser.send(path, { method: 'DELETE' })).status).toBe(405);
  });
});

describe('the kill switch', () => {
  it('ends open pages and tokens immediately and for good, shows its reason, and allows new ones when it is cleared', async () => {
    const own = await newApplication();
    const [session, fresh, theirs] = [await opened({}, own), await created({}, own), await opened()];
    await manage('PUT', '/embed/kill-switch', { isActive: true, reason: 'Back at <noon>' }, own);
    const during = await created({}, own);
    const refused = async () => [
      await session.act('show'),
      await session.act('progress'),
      await session.act('allow'),
      await session.browser.submit(`${fresh.path}/open`, fresh),
    ];
    for (const page of [
      ...(await refused()),
      await session.browser.send(during.path),
      await session.browser.submit(`${during.path}/open`, during),
    ]) {
      expect([page.status, reported(page)]).toEqual([410, { to: ORIGIN, message: { event: 'ended' } }]);
      expect(page.text).toContain('Back at &lt;noon&gt;');
    }
    expect((await theirs.act('show')).status).toBe(200);
    await manage('PUT', '/embed/kill-switch', { isActive: false }, own);
    for (const page of await refused()) {
      expect(page.status).toBe(410);
      expect(page.text).toContain('This page has expired');
    }
    expect((await session.browser.submit(`${during.path}/open`, during)).status).toBe(200);
  });

  it('misses no session that is opened at the same time', async () => {
    const own = await newApplication();
    const sessions = await Promise.all(Array.from({ length: 10 }, () => created({}, own)));
    const browser = new PageBrowser(api.baseUrl);
    const [pages] = await Promise.all([
      Promise.all(sessions.map(({ path, token }) => browser.submit(`${path}/open`, { token }))),
      manage('PUT', '/embed/kill-switch', { isActive: true }, own),
    ]);
    const later = await Promise.all(
      pages.map((page, at) => browser.submit(`${sessions[at]?.path}/show`, { token: tokenIn(page) })),
    );
    expect(later.map(({ status }) => status)).toEqual(Array(10).fill(410));
  });
});

it('disconnecting ends the open page that renews the connection', async () => {
  const settings = { url: system.url, schema: 'erp' };
  const { connectionId } = await api.connect({
    applicationId: application.applicationId,
    platform: 'sandbox',
    settings,
  });
  const [session, fresh] = [await opened({ connectionId }), await created({ connectionId })];
  await manage('POST', `/connections/${connectionId}/embed/disconnect`);
  expect((await session.act('show')).status).toBe(410);
  expect((await session.browser.submit(`${fresh.path}/open`, fresh)).status).toBe(410);
});
