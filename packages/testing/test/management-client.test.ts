import type * as Management from '@unified/sdk/management';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, expect, expectTypeOf, test, vi } from 'vitest';
import { buildUnlessThere } from './sdk-client.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let createManagementClient: typeof Management.createManagementClient;
let api: TestApi;
let app: TestApplication;

beforeAll(async () => {
  await buildUnlessThere();
  ({ createManagementClient } = await import('@unified/sdk/management'));
  api = await startApi();
  app = await api.signIn(api.connection.applicationId);
});
afterAll(() => api.stop());

/** A client, and the paths that it has requested. */
function started(clientSecret = app.clientSecret) {
  const paths: string[] = [];
  const send = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return fetch(request);
  };
  const { clientId } = app;
  return { paths, client: createManagementClient({ baseUrl: api.baseUrl, clientId, clientSecret, fetch: send }) };
}

test('calls share one token, by collection and by path', async () => {
  const { client, paths } = started();
  const [connections, { data }] = await Promise.all([client.connections.list(), client.GET('/clients')]);
  expect(connections.data.map(({ id }) => id)).toEqual([api.connection.connectionId]);
  expect(data?.data.map(({ id }) => id)).toEqual([app.clientId]);
  expect(paths.filter((path) => path === '/link/token')).toHaveLength(1);
});

test('objects of an application are created and read', async () => {
  const { client } = started();
  const params = { path: { id: api.connection.connectionId } };
  const { data } = await client.POST('/connections/{id}/data-mappings', { params, body: { entity: 'Vendor' } });
  expect(data?.data).toMatchObject({ entity: 'Vendor', cardinality: 'one_to_one' });
  expectTypeOf(data?.data.pairs).toEqualTypeOf<number | undefined>();
  // @ts-expect-error The cardinality is not one of the document.
  await client.POST('/connections/{id}/data-mappings', { params, body: { entity: 'Item', cardinality: 'some' } });
});

test('a settings form is saved and selected for a connection', async () => {
  const { client } = started();
  const formId = 'shipping-defaults';
  const saved = await client.PUT('/embed/settings-forms/{formId}', {
    params: { path: { formId } },
    body: { title: 'Shipping', schema: { type: 'object', properties: { warehouse: { type: 'string' } } } },
  });
  expectTypeOf(saved.data?.data.schema.properties.warehouse?.title).toEqualTypeOf<string | undefined>();
  const params = { path: { id: api.connection.connectionId } };
  const { data } = await client.PUT('/connections/{id}/forms', { params, body: { forms: [formId] } });
  expect(data?.data.forms).toEqual([formId]);
  const listed = await client.GET('/connections', { params: { query: { solution: 'none' } } });
  expect(listed.data?.data).toEqual([]);
});

test('a token that is refused is renewed once, and the request is repeated', async () => {
  const sent: string[] = [];
  const { clientId, clientSecret } = app;
  const client = createManagementClient({
    ...{ baseUrl: api.baseUrl, clientId, clientSecret },
    fetch: (request) => {
      sent.push(new URL(request.url).pathname);
      if (sent.length === 2) request.headers.set('Authorization', 'Bearer unknown');
      return fetch(request);
    },
  });
  expect((await client.connections.list()).data).toHaveLength(1);
  expect(sent).toEqual(['/link/token', '/v4/connections', '/link/token', '/v4/connections']);
});

test('a wrong secret is refused with the error of the service, and not retried', async () => {
  const { client, paths } = started('scs_wrong');
  const refused = await client.connections.list().catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'ServiceError', code: 'SERVICE_INVALID_CLIENT', status: 403 });
  expect(paths).toEqual(['/link/token']);
});

test('credentials that are missing are refused before a request', () => {
  expect(() => createManagementClient({ baseUrl: api.baseUrl, clientId: '', clientSecret: 's' })).toThrow(
    'clientId is empty. Set it.',
  );
});
