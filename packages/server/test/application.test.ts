import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Body {
  readonly data: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** An application with a connection; `send` calls the Management API, `read` reads the data of the connection. */
async function application() {
  const { token, applicationId } = await api.signIn();
  const connection = await api.connect({ applicationId });
  return {
    applicationId,
    send: (json?: object) => api.fetch<Body>('/v4/application', { token, ...(json && { method: 'PATCH', json }) }),
    read: (path: string) => api.fetch<Body>(path, { token: connection.token }),
  };
}

it('an application reads and changes its own settings', async () => {
  const { applicationId, send } = await application();
  const { status, body } = await send();
  expect([status, body.data]).toEqual([200, expect.objectContaining({ id: applicationId, apiVersion: 'v4' })]);
  const changed = await send({ apiVersion: 'v3' });
  expect(changed.body.data).toMatchObject({ id: applicationId, apiVersion: 'v3' });
  expect(String(changed.body.data.updatedAt) > String(body.data.updatedAt)).toBe(true);
  expect((await send({})).body.data).toMatchObject({ apiVersion: 'v3' });
  for (const json of [{ apiVersion: 'v2' }, { name: 'Other' }])
    expect((await send(json)).body.code).toBe('SERVICE_INVALID_BODY');
});

it('an application with version 4 is referred to it', async () => {
  const { read } = await application();
  const { status, body } = await read('/v3/vendors?per_page=1');
  expect([status, body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
  expect(body.message).toBe('The application has not selected v3 in its settings. Did you mean "/v4/vendors"?');
  expect(body.details).toEqual([{ didYouMean: '/v4/vendors' }]);
});

it('an application that selects version 3 has both versions, and no other application has it', async () => {
  const [selecting, other] = [await application(), await application()];
  await selecting.send({ apiVersion: 'v3' });
  for (const version of ['/v3', '/v4']) expect((await selecting.read(`${version}/vendors`)).status).toBe(200);
  expect((await other.read('/v3/vendors')).status).toBe(404);
});

it('an address that exists only in version 4 is named', async () => {
  const { read } = await application();
  const { body } = await read('/v3/changes');
  expect(body.message).toBe('There is nothing at this address. Did you mean "/v4/changes"?');
});
