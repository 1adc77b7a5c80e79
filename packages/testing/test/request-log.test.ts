import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Entry {
  readonly id: string;
  readonly requestId: string;
  readonly operation: string;
}
interface Body {
  readonly data: Entry & readonly Entry[];
  readonly meta: { readonly next_cursor: string | null };
}

let api: TestApi;
let app: TestApplication;

beforeAll(async () => {
  api = await startApi({ requestLog: { everyMs: 1 } });
  app = await api.signIn(api.connection.applicationId);
});
afterAll(() => api.stop());

const logs = async (query = '', token = app.token) => (await api.fetch<Body>(`/v4/logs?${query}`, { token })).body;

/** The entry of a request, once it is stored. */
async function entryOf(requestId: string, token = app.token): Promise<Entry> {
  return vi.waitFor(async () => {
    const entry = (await logs('', token)).data.find((each) => each.requestId === requestId);
    if (!entry) throw new Error('The request is not stored yet.');
    return entry;
  }, 20_000);
}

const named = (requestId: string) => ({ headers: { 'X-Request-Id': requestId } });

it('lists every request of an application and its connections, without query and body', async () => {
  const { connectionId } = api.connection;
  await api.fetch('/v4/vendors?filter[name]=secret', named('listed'));
  expect(await entryOf('listed')).toEqual({
    ...{ id: expect.any(String), at: expect.any(String), requestId: 'listed', connectionId, operation: 'listVendors' },
    tokenId: expect.any(String),
    ...{ method: 'GET', path: '/v4/vendors', status: 200, milliseconds: expect.any(Number), code: null },
  });
  await api.fetch('/v4/vendors?per_page=none', named('refused'));
  expect(await entryOf('refused')).toMatchObject({ status: 400, code: 'SERVICE_INVALID_PARAMETER' });
  await api.fetch('/v4/connections', { ...named('managed'), token: app.token });
  expect(await entryOf('managed')).toMatchObject({ operation: 'listConnections', connectionId: null, tokenId: null });
});

it('names the token of each request, whose last use is listed', async () => {
  const { connectionId } = api.connection;
  const path = `/v4/connections/${connectionId}`;
  const json = { name: 'Reporting' };
  const issued = await api.fetch<{ data: { id: string; token: string } }>(`${path}/token`, {
    ...{ method: 'POST', token: app.token, json },
  });
  const { id, token } = issued.body.data;
  const before = Date.now();
  await api.fetch('/v4/vendors', { ...named('by-token'), token });
  expect(await entryOf('by-token')).toMatchObject({ connectionId, tokenId: id });
  const { body } = await api.fetch<{ data: { id: string; lastUsedAt: string | null }[] }>(`${path}/tokens`, {
    token: app.token,
  });
  const used = Date.parse(body.data.find((each) => each.id === id)?.lastUsedAt ?? '');
  expect(used).toBeGreaterThanOrEqual(before);
  expect(used).toBeLessThanOrEqual(Date.now());
});

it('finds requests by connection, operation, status and time, and one by its id', async () => {
  const other = await api.connect({ applicationId: app.applicationId });
  await api.fetch('/v4/items', { ...named('other'), token: other.token });
  await api.fetch('/v4/items?per_page=0', { ...named('invalid'), token: other.token });
  const invalid = await entryOf('invalid');
  const found = async (query: string) => (await logs(query)).data.map(({ requestId }) => requestId);
  expect(await found(`connectionId=${other.connectionId}`)).toEqual(['invalid', 'other']);
  expect(await found(`connectionId=${other.connectionId}&status=400`)).toEqual(['invalid']);
  expect(await found('operation=listItems&status=200')).toEqual(['other']);
  expect(await found('since=2099-01-01T00:00:00Z')).toEqual([]);
  expect(await found('until=2000-01-01T00:00:00Z')).toEqual([]);
  const first = await logs('operation=listItems&per_page=1');
  const second = await logs(`operation=listItems&per_page=1&cursor=${first.meta.next_cursor}`);
  expect([...first.data, ...second.data].map(({ requestId }) => requestId)).toEqual(['invalid', 'other']);
  expect((await api.fetch<Body>(`/v4/logs/${invalid.id}`, { token: app.token })).body.data).toEqual(invalid);
});

it('shows an application only its own requests', async () => {
  await api.fetch('/v4/vendors', named('own'));
  const { id } = await entryOf('own');
  const stranger = await api.signIn();
  expect((await logs('', stranger.token)).data.map(({ requestId }) => requestId)).not.toContain('own');
  expect((await api.fetch(`/v4/logs/${id}`, { token: stranger.token })).status).toBe(404);
});
