import { entities } from '@unified/contract';
import { saveRecords } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { logLate, noticeEarly } from '../../store/test/late-changes.ts';

interface ChangePage {
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string };
  readonly data: readonly { readonly seq: number; readonly entity: string }[];
}

/** Makes sure that a connection that is deactivated is refused immediately. */
const tokenCache = { get: async () => undefined, set: async () => {} };

let api: TestApi;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi({ tokenCache });
});
beforeEach(async () => {
  connection = await api.connect();
});
afterAll(() => api.stop());

const get = (query: string, { fetch, token } = { fetch: api.fetch, token: connection.token }) =>
  fetch<ChangePage>(`/v4/changes?${query}`, { token });
const save = (entity: 'Vendor' | 'Currency', _idValue: string) =>
  saveRecords(connection.scope, entities[entity], [
    { _source: 't', _idValue, values: { code: _idValue, name: _idValue }, references: {} },
  ]);

/** Sends a request that waits: it is still open when a later request has ended. */
async function waiting(query: string): Promise<{ readonly response: ReturnType<typeof get> }> {
  let isOver = false;
  const response = get(query).finally(() => {
    isOver = true;
  });
  response.catch(() => {});
  await get('cursor=latest');
  expect(isOver).toBe(false);
  return { response };
}

it('a request that waits returns the next change, wherever it is logged', async () => {
  const { response } = await waiting('wait=30');
  await save('Vendor', '1');
  expect((await response).body).toMatchObject({ meta: { next_cursor: '1', has_more: false }, data: [{ seq: 1 }] });
});

it('a request does not wait if there are changes after its cursor', async () => {
  await save('Vendor', '1');
  expect((await get('wait=30')).body.data).toHaveLength(1);
});

it('a request that waits in vain returns an empty page', async () => {
  await save('Vendor', '1');
  expect((await get('wait=1&cursor=latest')).body).toMatchObject({ meta: { next_cursor: '1' }, data: [] });
});

it('changes that are not selected do not end a wait, and are not read again', async () => {
  const { response } = await waiting('wait=30&entity=Currency');
  await save('Vendor', '1');
  await save('Currency', 'EUR');
  await save('Vendor', '2');
  const { data, meta } = (await response).body;
  expect(data.map(({ seq }) => seq)).toEqual([2]);
  expect((await get(`cursor=${meta.next_cursor}&entity=Currency`)).body.data).toEqual([]);
});

it('a change that becomes visible after its notification ends a wait', { timeout: 20_000 }, async () => {
  await save('Vendor', '1');
  const { connectionId } = connection.scope;
  const { response } = await waiting('wait=30&cursor=1');
  const late = await logLate(api.url, connectionId);
  await noticeEarly(api.url, connectionId);
  await late.show();
  expect((await response).body).toMatchObject({ meta: { next_cursor: '2' }, data: [{ seq: 2 }] });
});

it('many requests that wait leave memory for the responses to others', async () => {
  const pending = Array.from({ length: 30 }, () => get('wait=30&per_page=500'));
  expect((await api.fetch('/v4/vendors?per_page=500', { token: connection.token })).status).toBe(200);
  await save('Vendor', '1');
  for (const { status, body } of await Promise.all(pending)) expect([status, body.data.length]).toEqual([200, 1]);
});

it('a wait ends without changes once the connection is deactivated', async () => {
  const { response } = await waiting('wait=30');
  await connection.deactivate();
  await save('Vendor', '1');
  expect(await response).toMatchObject({ status: 403, body: { code: 'SERVICE_CONNECTION_INACTIVE' } });
});

it.each(['31', '-1', '1.5', 'long'])('a wait of %s is refused', async (seconds) => {
  expect(await get(`wait=${seconds}`)).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_PARAMETER' } });
});

it('a server that closes responds to the requests that wait', async () => {
  const closing = await startApi();
  const { token } = closing.connection;
  const response = get('wait=30', { fetch: closing.fetch, token });
  await get('', { fetch: closing.fetch, token });
  await closing.stop();
  expect(await response).toMatchObject({ status: 200, body: { meta: { next_cursor: '0' }, data: [] } });
});
