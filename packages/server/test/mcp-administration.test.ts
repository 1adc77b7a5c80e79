import { clientDocument } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { addRedirectUri, endSetupLink, useSetupLink } from '@unified/store';
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
  readonly mcpRole: Item;
  readonly meta: { readonly next_cursor: string | null };
  readonly code: string;
  readonly message: string;
}

addSandboxPlatform();

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

let api: TestApi;
let app: TestApplication;

beforeAll(async () => {
  api = await startApi({ rateLimits: { token: 1_000_000 } });
  app = await api.signIn(api.connection.applicationId);
});
afterAll(() => api.stop());

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });
const get = (path: string) => send('GET', path);

async function newCustomer(given: object = {}): Promise<string> {
  const { body } = await send('POST', '/end-customers', { name: 'Northwind', ...given });
  return `/end-customers/${body.data.id}`;
}
const newRole = async (customer: string, given: object) =>
  (await send('POST', `${customer}/roles`, given)).body.mcpRole;
const newUser = async (customer: string, given: object = {}) =>
  (await send('POST', `${customer}/users`, { email: 'eva@northwind.example', ...given })).body.data;

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(api.url);
  await client.connect();
  onTestFinished(() => client.end());
  return (await client.query(text)).rows;
}

it('the commands of the guide set up a user with a token', async () => {
  const guide = String(clientDocument().info.description);
  const commands = [...guide.matchAll(/^(?:(\w+)=\$\()?send "([^"]*)" '([^']*)'/gm)];
  expect(commands).toHaveLength(4);
  const ids: Record<string, string> = {};
  for (const [, variable, path = '', json = ''] of commands) {
    const filled = path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? '');
    const { status, body } = await send('POST', `/end-customers${filled}`, JSON.parse(json));
    expect([status, body]).toEqual([201, expect.anything()]);
    if (variable !== undefined) ids[variable] = body.data.id;
  }
});

describe('end customers', () => {
  it('are created, listed in pages, changed and deleted with everything below them', async () => {
    const path = await newCustomer({ externalId: 'cust-1' });
    const other = await newCustomer();
    const first = await get('/end-customers?per_page=1');
    expect(first.body.data).toHaveLength(1);
    const { data } = (await get(`/end-customers?cursor=${first.body.meta.next_cursor}`)).body;
    expect(data.map(({ id }) => `/end-customers/${id}`)).toContain(other);
    const changed = await send('PUT', path, { externalId: null });
    expect(changed.body.data).toMatchObject({ name: 'Northwind', externalId: null });
    await newUser(path);
    expect((await send('DELETE', path)).status).toBe(204);
    expect([(await get(path)).status, (await get(`${path}/users`)).status]).toEqual([404, 404]);
  });

  it('have an externalId that is unique within the application', async () => {
    await newCustomer({ externalId: 'taken' });
    const again = await send('POST', '/end-customers', { name: 'Other', externalId: 'taken' });
    expect([again.status, again.body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
    const { token } = await api.signIn();
    expect((await send('POST', '/end-customers', { name: 'Other', externalId: 'taken' }, { token })).status).toBe(201);
  });

  it('are created once per idempotency key', async () => {
    const keyed = { headers: { 'Idempotency-Key': 'customer 1' } };
    const sent = () => send('POST', '/end-customers', { name: 'Once' }, keyed);
    expect((await sent()).body).toEqual((await sent()).body);
  });

  it('are not those of another application', async () => {
    const { endCustomerId } = await api.mcpUser();
    const { token, applicationId, clientId } = await api.signIn();
    await addRedirectUri(api.store.application(applicationId), clientId, 'https://portal.northwind.example/callback');
    const refusal = {
      code: 'SERVICE_INVALID_BODY',
      details: [{ path: 'body/endCustomerId', message: 'There is no end customer with this id.' }],
    };
    expect((await send('POST', '/embed/sessions', { endCustomerId }, { token })).body).toMatchObject(refusal);
    const connection = {
      platform: 'sandbox',
      settings: { url: 'postgres://user:password@127.0.0.1:1/none' },
      endCustomerId,
    };
    expect((await send('POST', '/connections', connection, { token })).body).toMatchObject(refusal);
    expect((await send('POST', '/embed/sessions', { endCustomerId: UNKNOWN }, { token })).status).toBe(201);
  });

  it('lose their connections when they are deleted', async () => {
    const { endCustomerId, applicationId } = await api.mcpUser({ settings: {} });
    const { token } = await api.signIn(applicationId);
    expect((await send('DELETE', `/end-customers/${endCustomerId}`, undefined, { token })).status).toBe(204);
    expect((await send('GET', '/connections', undefined, { token })).body.data).toEqual([]);
  });
});

describe('roles', () => {
  it('have a slug from their name, presets, and the number of their users', async () => {
    const customer = await newCustomer();
    const role = await newRole(customer, {
      name: 'Purchasing North',
      platforms: [{ platform: 'tryton', preset: 'read_only' }],
    });
    expect(role).toMatchObject({ slug: 'purchasing_north', isDefault: false, userCount: 0, clientId: app.clientId });
    await newUser(customer, { roleId: role.id });
    expect((await get(`${customer}/roles/${role.id}`)).body.mcpRole).toMatchObject({ userCount: 1 });
    const { mcpRole } = (await send('PUT', `${customer}/roles/${role.id}`, { description: 'Buys' })).body;
    expect(mcpRole).toMatchObject({ description: 'Buys', platforms: [{ platform: 'tryton', preset: 'read_only' }] });
  });

  it('have a slug that is unique within the end customer', async () => {
    const customer = await newCustomer();
    await newRole(customer, { name: 'Clerk' });
    expect((await send('POST', `${customer}/roles`, { name: 'clerk' })).body.code).toBe('SERVICE_ALREADY_EXISTS');
    expect((await send('POST', `${await newCustomer()}/roles`, { name: 'clerk' })).status).toBe(201);
  });

  it('replace one another as the default, which users without a role have', async () => {
    const customer = await newCustomer();
    const first = await newRole(customer, { name: 'First', isDefault: true });
    await newUser(customer);
    const second = await newRole(customer, { name: 'Second', isDefault: true });
    const { data } = (await get(`${customer}/roles`)).body;
    expect(data.map(({ id, isDefault, userCount }) => [id, isDefault, userCount])).toEqual([
      [first.id, false, 0],
      [second.id, true, 1],
    ]);
  });

  it('leave their users with the default role when they are deleted', async () => {
    const customer = await newCustomer();
    const role = await newRole(customer, { name: 'Gone' });
    const user = await newUser(customer, { roleId: role.id });
    expect((await send('DELETE', `${customer}/roles/${role.id}`)).status).toBe(204);
    expect((await get(`${customer}/users/${user.id}`)).body.data.roleId).toBeNull();
  });

  it.each([
    [{ platforms: [{ platform: 'nowhere', preset: 'full' }] }, 'There is no platform "nowhere"'],
    [
      {
        platforms: [
          { platform: 'tryton', preset: 'full' },
          { platform: 'tryton', preset: 'read_only' },
        ],
      },
      'listed twice',
    ],
    [{ platforms: [{ platform: 'tryton', preset: 'everything' }] }, 'read_only'],
    [{ maskedFields: ['nationalIdNumbr'] }, 'No entity has the field'],
    [{ maskedFields: ['Vendor.birthDate'] }, 'No entity has the field'],
  ])('are refused with %j', async (given, message) => {
    const { status, body } = await send('POST', `${await newCustomer()}/roles`, { name: 'Wrong', ...given });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('users', () => {
  it('have an email address that is unique within the end customer, whatever its case', async () => {
    const customer = await newCustomer();
    await newUser(customer);
    const again = await send('POST', `${customer}/users`, { email: 'EVA@northwind.example' });
    expect([again.status, again.body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
  });

  it('cannot have a role of another end customer', async () => {
    const role = await newRole(await newCustomer(), { name: 'Foreign' });
    const sent = { email: 'eva@northwind.example', roleId: role.id };
    expect((await send('POST', `${await newCustomer()}/users`, sent)).body.code).toBe('SERVICE_INVALID_BODY');
  });
});

describe('personal access tokens', () => {
  const asUser = (token: string) => send('GET', '/mcp/platforms', undefined, { token });

  it('are shown once, stored as hashes, and stop working when they are revoked', async () => {
    const customer = await newCustomer();
    const path = `${customer}/users/${(await newUser(customer)).id}/tokens`;
    const { status, body } = await send('POST', path, { name: 'Laptop', expiresInDays: 90 });
    const token = String(body.data.token);
    expect([status, token]).toEqual([201, expect.stringMatching(/^pat_[\w-]{43}$/)]);
    const listed = await get(path);
    expect(listed.body.data).toMatchObject([{ name: 'Laptop', hint: token.slice(-4), lastUsedAt: null }]);
    expect(JSON.stringify([listed.body, await rows('select * from unified.personal_access_tokens')])).not.toContain(
      token,
    );
    expect((await asUser(token)).status).toBe(200);
    expect((await get(path)).body.data[0]?.lastUsedAt).not.toBeNull();
    expect((await send('DELETE', `${path}/${body.data.id}`)).status).toBe(204);
    await expect.poll(async () => (await asUser(token)).status, { timeout: 20_000 }).toBe(401);
  });

  it('are refused while their user is not active', async () => {
    const { token, endCustomerId, userId, applicationId } = await api.mcpUser();
    const { token: admin } = await api.signIn(applicationId);
    await send('PUT', `/end-customers/${endCustomerId}/users/${userId}`, { isActive: false }, { token: admin });
    expect((await asUser(token)).status).toBe(401);
  });
});

describe('the settings of an end customer', () => {
  it('show all platforms until they are set', async () => {
    const customer = await newCustomer();
    expect((await get(`${customer}/platform-visibility`)).body.data).toEqual({ platforms: null });
    expect((await send('PUT', `${customer}/platform-visibility`, { platforms: ['tryton'] })).status).toBe(200);
    expect((await get(`${customer}/platform-visibility`)).body.data).toEqual({ platforms: ['tryton'] });
  });

  it('have guardrails, which are replaced as a whole', async () => {
    const customer = await newCustomer();
    const path = `${customer}/guardrails`;
    expect((await get(path)).body.data).toEqual({ callsPerHour: null, requiresConfirmation: false, maskedFields: [] });
    await send('PUT', path, { callsPerHour: 5, maskedFields: ['Employee.birthDate'] });
    await send('PUT', path, { requiresConfirmation: true });
    expect((await get(path)).body.data).toEqual({ callsPerHour: null, requiresConfirmation: true, maskedFields: [] });
  });

  it('have a tool policy', async () => {
    const path = `${await newCustomer()}/tool-policy`;
    expect((await get(path)).body.data).toEqual({ rules: [], updatedAt: null });
    const rules = [{ tool: 'delete_*', effect: 'deny', name: 'Nothing is deleted' }];
    expect((await send('PUT', path, { rules })).body.data).toMatchObject({ rules, updatedAt: expect.any(String) });
  });

  const above = { argument: 'body.total', operator: 'above' };
  it.each([
    [[{ tool: 'creat_*', effect: 'deny' }], 'No tool matches'],
    [[{ tool: '*', platform: 'nowhere', effect: 'deny' }], 'There is no platform'],
    [[{ tool: '*', roles: ['unknown'], effect: 'deny' }], 'has no role'],
    [[{ tool: '*', effect: 'deny', approvals: 2 }], 'Only a rule with the effect ask'],
    [[{ tool: '*', effect: 'ask', when: [above] }], 'above needs value'],
    [[{ tool: '*', effect: 'ask', when: [{ ...above, value: 1, values: ['a'] }] }], 'takes no values'],
    [[{ tool: '*', effect: 'ask', when: [{ argument: 'id', operator: 'in' }] }], 'in needs values'],
    [
      [{ tool: '*', effect: 'ask', hours: { timeZone: 'Mars/Base', days: ['mon'], from: '08:00', to: '09:00' } }],
      'time zone',
    ],
    [
      [{ tool: '*', effect: 'ask', hours: { timeZone: 'UTC', days: ['mon'], from: '18:00', to: '08:00' } }],
      'after the beginning',
    ],
    [
      [
        { tool: 'create_vendor', effect: 'allow' },
        { tool: 'create_*', effect: 'deny' },
      ],
      'can never apply, because rule 2',
    ],
    [
      [
        { tool: 'create_*', effect: 'allow' },
        { tool: 'create_*', effect: 'deny' },
      ],
      'can never apply',
    ],
  ])('refuse the rules %j', async (rules, message) => {
    const { status, body } = await send('PUT', `${await newCustomer()}/tool-policy`, { rules });
    expect([status, body.code, body.message]).toEqual([400, 'SERVICE_INVALID_BODY', expect.stringContaining(message)]);
  });
});

describe('setup links', () => {
  const page = (url: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(url));
    return fetch(api.baseUrl + pathname, { redirect: 'manual', ...init });
  };

  it('open the authorization page of their platform, for a browser that sends a form', async () => {
    const path = `${await newCustomer()}/setup-links`;
    const { body } = await send('POST', path, { platform: 'tryton' });
    const { url } = body.data;
    const first = await page(url);
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('<button')]);
    const opened = await page(url, { method: 'POST' });
    const session = opened.headers.get('location') ?? '';
    expect([opened.status, session]).toEqual([303, expect.stringMatching(/\/oauth\/authorize\/[0-9a-f-]{36}$/)]);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = await fetch(api.baseUrl + session, { headers: { Cookie: cookie } });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('Tryton')]);
  });

  it('are listed without their addresses, and stored as hashes', async () => {
    const path = `${await newCustomer()}/setup-links`;
    const { body } = await send('POST', path, { platform: 'tryton', expiresInHours: 1 });
    expect((await get(path)).body.data).toMatchObject([
      { id: body.data.id, url: null, usedAt: null, connectionId: null },
    ]);
    const token = String(body.data.url).split('/').at(-1) ?? '';
    expect(JSON.stringify(await rows('select * from unified.setup_links'))).not.toContain(token);
  });

  it('are used up once, and can be used again if the connection could not be stored', async () => {
    const path = `${await newCustomer()}/setup-links`;
    const { id } = (await send('POST', path, { platform: 'tryton' })).body.data;
    const uses = await Promise.all([useSetupLink(api.store, id), useSetupLink(api.store, id)]);
    expect(uses.toSorted()).toEqual([false, true]);
    await endSetupLink(api.store, id, null);
    expect((await get(path)).body.data).toMatchObject([{ id, usedAt: null, connectionId: null }]);
    expect(await useSetupLink(api.store, id)).toBe(true);
    await endSetupLink(api.store, id, api.connection.connectionId);
    expect((await get(path)).body.data).toMatchObject([{ id, connectionId: api.connection.connectionId }]);
    expect(await useSetupLink(api.store, id)).toBe(false);
  });

  it('can no longer be opened when they are revoked, and neither can their sessions', async () => {
    const path = `${await newCustomer()}/setup-links`;
    const { body } = await send('POST', path, { platform: 'tryton' });
    const opened = await page(body.data.url, { method: 'POST' });
    const headers = { Cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect((await send('DELETE', `${path}/${body.data.id}`)).status).toBe(204);
    expect([(await page(body.data.url)).status, (await page(body.data.url, { method: 'POST' })).status]).toEqual([
      410, 410,
    ]);
    expect((await fetch(api.baseUrl + opened.headers.get('location'), { headers })).status).toBe(410);
    expect((await send('DELETE', `${path}/${body.data.id}`)).status).toBe(404);
  });

  it('cannot be guessed', async () => {
    expect((await page(`http://localhost/oauth/setup/set_${'a'.repeat(43)}`)).status).toBe(410);
  });
});

it('nothing is found below an unknown end customer', async () => {
  for (const part of ['', '/roles', '/users', '/platform-visibility', '/credentials', '/setup-links', '/tool-policy'])
    expect((await get(`/end-customers/${UNKNOWN}${part}`)).status).toBe(404);
});
