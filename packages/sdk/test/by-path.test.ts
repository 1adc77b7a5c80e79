import { describe, expect, it } from 'vitest';
import { type ClientOptions, createClient } from '../src/index.ts';
import { type AnsweringServer, answering } from './answering-server.ts';
import { failure, page, vendor } from './records.ts';
import { testClient } from './test-client.ts';

/** The client without its types, for values that programs in JavaScript pass. */
type Untyped = Record<
  'GET' | 'POST' | 'PATCH' | 'DELETE',
  (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>
>;

function untyped(server: AnsweringServer, options: Partial<ClientOptions> = {}): Untyped {
  return testClient(server.url, options).client as unknown as Untyped;
}

describe('the address of a call by path', () => {
  it.each([
    ['spaces and slashes', 'a b/c', '/v4/vendors/a%20b%2Fc'],
    ['letters of other scripts', 'Größe ✓', '/v4/vendors/Gr%C3%B6%C3%9Fe%20%E2%9C%93'],
    ['characters of addresses', '?a=1&b#c%', '/v4/vendors/%3Fa%3D1%26b%23c%25'],
    ['braces', '{id}', '/v4/vendors/%7Bid%7D'],
  ])('has %s in its values', async (_, id, path) => {
    const server = await answering({ json: { data: vendor('1') } });
    await testClient(server.url).client.GET('/vendors/{id}', { params: { path: { id } } });
    expect(server.arrived[0]?.path).toBe(path);
  });

  it.each(['', '.', '..'])('is never that of another resource: a value "%s" is refused', async (id) => {
    const server = await answering({ status: 204 });
    const { client } = testClient(server.url);
    const calls = [
      client.GET('/vendors/{id}', { params: { path: { id } } }),
      client.vendors.get(id),
      client.vendors.update(id, {}),
      client.workOrders.delete(id),
      client.workOrders.start(id),
      client.attachments.download(id),
      client.writes.wait(id),
      client.raw.rows(id),
    ];
    const refused = { status: 'rejected', reason: new TypeError(`"${id}" is not an id.`) };
    expect(await Promise.allSettled(calls)).toEqual(calls.map(() => refused));
    expect(server.arrived).toEqual([]);
  });

  it.each([undefined, null])('is never that of another resource: an id that is %s is refused', async (id) => {
    const server = await answering({ status: 204 });
    const { client } = testClient(server.url);
    const missing = id as unknown as string;
    const calls = [client.vendors.get(missing), client.vendors.update(missing, {}), client.writes.wait(missing)];
    const refused = { status: 'rejected', reason: new TypeError(`"${id}" is not an id.`) };
    expect(await Promise.allSettled(calls)).toEqual(calls.map(() => refused));
    expect(server.arrived).toEqual([]);
  });

  it('has names of parameters that cannot add others', async () => {
    const server = await answering({ json: page([]) });
    await testClient(server.url).client.vendors.list({ ['a&per_page' as 'page']: 500 });
    expect([...(server.arrived[0]?.query ?? [])]).toEqual([['a&per_page', '500']]);
  });

  it.each([301, 302, 303, 307, 308])(
    'is not that of another host, to which it is redirected with %i',
    async (status) => {
      const other = await answering({ json: { data: vendor('1') } });
      const server = await answering({ status, headers: { location: `${other.url}/v4/vendors` } });
      const { client } = testClient(server.url);
      await expect(client.vendors.get('1')).rejects.toMatchObject({ name: 'ServiceError', status });
      await expect(client.vendors.create({ name: 'ACME' })).rejects.toMatchObject({ name: 'ServiceError', status });
      expect(server.arrived).toHaveLength(2);
      expect(other.arrived).toEqual([]);
    },
  );

  it('has several values', async () => {
    const server = await answering({ json: { data: [] } });
    const path = { clientId: 'c/1', secretId: 's 2' };
    await testClient(server.url).client.GET('/clients/{clientId}/secrets/{secretId}', { params: { path } });
    expect(server.arrived[0]?.path).toBe('/v4/clients/c%2F1/secrets/s%202');
  });

  it('never has the text of a missing value', async () => {
    const server = await answering({ status: 404 });
    await untyped(server).DELETE('/vendors/{id}', { params: { path: { id: undefined } } });
    await untyped(server).DELETE('/vendors/{id}');
    expect(server.arrived.map(({ path }) => path)).toEqual(Array(2).fill('/v4/vendors/%7Bid%7D'));
  });

  it('has no version segment at the root of the server', async () => {
    const server = await answering({ json: {} });
    const { client } = testClient(server.url);
    await client.GET('/oauth/jwks.json');
    await client.legacy.GET('/api/system/platforms');
    await client.GET('/mcp/platforms');
    expect(server.arrived.map(({ path }) => path)).toEqual([
      '/oauth/jwks.json',
      '/api/system/platforms',
      '/v4/mcp/platforms',
    ]);
  });
});

describe('the query of a call by path', () => {
  it('has lists separated by commas, and a parameter for each condition', async () => {
    const server = await answering(page([]));
    const { client } = testClient(server.url);
    const filter = { 'name:contains': 'a&b=c ü', isActive: 'true' };
    await client.GET('/vendors', { params: { query: { filter, per_page: 5, with_total: false, sort: '-code,id' } } });
    await client.GET('/changes', { params: { query: { entity: ['Vendor', 'Item'] } } });
    expect(server.arrived.map(({ query }) => Object.fromEntries(query))).toEqual([
      {
        'filter[name:contains]': 'a&b=c ü',
        'filter[isActive]': 'true',
        per_page: '5',
        with_total: 'false',
        sort: '-code,id',
      },
      { entity: 'Vendor,Item' },
    ]);
  });

  it('has no parameters for null, undefined and empty lists', async () => {
    const server = await answering(page([]));
    const query = { cursor: null, page: undefined, entity: [], per_page: 0, sort: '', filter: {} };
    await untyped(server).GET('/changes', { params: { query } });
    expect([...(server.arrived[0]?.query ?? [])]).toEqual([
      ['per_page', '0'],
      ['sort', ''],
    ]);
  });

  it('has one condition for a custom field with characters of addresses in its name', async () => {
    const server = await answering(page([]));
    const filter = { customFields: { 'R&D=1#2': 'red' } };
    await testClient(server.url).client.vendors.list({ filter });
    expect([...(server.arrived[0]?.query ?? [])]).toEqual([['filter[customFields.R&D=1#2]', 'red']]);
  });
});

describe('the body of a call by path', () => {
  it('is JSON, including null and an empty object', async () => {
    const server = await answering({ json: {} });
    for (const body of [{ name: 'ACME' }, {}, null, []]) await untyped(server).POST('/vendors', { body });
    expect(server.arrived.map(({ body }) => body)).toEqual([{ name: 'ACME' }, {}, null, []]);
    expect(server.arrived.map(({ headers }) => headers['content-type'])).toEqual(Array(4).fill('application/json'));
  });

  it('is absent, with its media type, if none is given', async () => {
    const server = await answering({ json: {} });
    const path = { id: '1' };
    await testClient(server.url).client.POST('/work-orders/{id}/actions/start', { params: { path } });
    expect(server.arrived[0]?.body).toBeUndefined();
    expect(server.arrived[0]?.headers['content-type']).toBeUndefined();
  });

  it('is a form with the boundary that the runtime chooses', async () => {
    const server = await answering({ json: {} });
    const body = new FormData();
    body.append('attachment', '{"kind":"image"}');
    body.append('file', new Blob(['bytes'], { type: 'text/plain' }), 'note.txt');
    await untyped(server).POST('/attachments', { body });
    const [request] = server.arrived;
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(.+)$/.exec(request?.headers['content-type'] ?? '') ?? [];
    expect(request?.body).toContain(`--${boundary}`);
    expect(request?.body).toContain('filename="note.txt"');
  });

  it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'])(
    'has form fields if the caller names their media type: %s',
    async (type) => {
      const server = await answering({ json: {} });
      await untyped(server).POST('/oauth/token', {
        headers: { 'Content-Type': type },
        body: { grant_type: 'client_credentials', client_id: 'a&b', scope: undefined, client_secret: null },
      });
      expect(server.arrived[0]?.body).toBe('grant_type=client_credentials&client_id=a%26b');
      expect(server.arrived[0]?.headers['content-type']).toBe(type);
    },
  );

  it('may be form fields that the caller has encoded', async () => {
    const server = await answering({ json: {} });
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a&b' });
    await testClient(server.url).client.POST('/oauth/token', { body });
    expect(server.arrived[0]?.body).toBe('grant_type=client_credentials&client_id=a%26b');
    expect(server.arrived[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded\b/);
  });
});

describe('the headers of a call by path', () => {
  it.each([
    ['an object', { 'X-Request-Id': 'r1' }],
    ['an instance of Headers', new Headers({ 'X-Request-Id': 'r1' })],
    ['pairs', [['X-Request-Id', 'r1']]],
  ])('may be %s', async (_, headers) => {
    const server = await answering(page([]));
    await untyped(server).GET('/vendors', { headers });
    expect(server.arrived[0]?.headers).toMatchObject({ 'x-request-id': 'r1', authorization: 'Bearer token-1' });
  });

  it('may have numbers and lists as values; null and undefined mean none', async () => {
    const server = await answering({ json: {} });
    const headers = { 'X-Number': 5, 'X-List': ['a', 'b'], 'X-Null': null, 'X-Undefined': undefined };
    await untyped(server).POST('/vendors', { body: {}, headers });
    await untyped(server).POST('/vendors', { body: {}, headers: { 'Content-Type': null } });
    expect(server.arrived[0]?.headers).toMatchObject({ 'x-number': '5', 'x-list': 'a, b' });
    expect(Object.keys(server.arrived[0]?.headers ?? {})).not.toContain('x-null');
    expect(Object.keys(server.arrived[0]?.headers ?? {})).not.toContain('x-undefined');
    expect(server.arrived[1]?.headers['content-type']).not.toBe('application/json');
  });

  it('of the operation are parameters', async () => {
    const server = await answering({ json: {} });
    const header = { 'Idempotency-Key': 'k1', Prefer: 'wait=5' };
    await testClient(server.url).client.POST('/vendors', {
      body: { name: 'ACME' },
      params: { header },
      headers: { Prefer: 'wait=9', 'X-Own': 'x' },
    });
    expect(server.arrived[0]?.headers).toMatchObject({ 'idempotency-key': 'k1', prefer: 'wait=5', 'x-own': 'x' });
  });
});

describe('the result of a call by path', () => {
  it.each([
    ['204', { status: 204 }],
    ['a length of 0', { status: 202, headers: { 'Content-Length': '0' } }],
    ['an empty body without a length', { status: 200, headers: { 'Transfer-Encoding': 'chunked' } }],
  ])('has neither data nor an error after %s', async (_, reply) => {
    const server = await answering(reply);
    const { data, error, response } = await untyped(server).GET('/vendors');
    expect([data, error, response.status]).toEqual([undefined, undefined, reply.status]);
  });

  it('has the error that the service sends', async () => {
    const server = await answering(failure(404, 'SERVICE_NOT_FOUND'));
    const { data, error, response } = await untyped(server).GET('/vendors');
    expect([data, error, response.status]).toEqual([
      undefined,
      expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }),
      404,
    ]);
  });

  it.each([
    ['a page from a proxy', { status: 403, text: '<html>Forbidden</html>' }, '<html>Forbidden</html>'],
    ['JSON of another kind', { status: 403, json: ['no'] }, ['no']],
    ['an object from a proxy', { status: 403, json: { error: 'no' } }, { error: 'no' }],
    ['an empty object', { status: 403, json: {} }, {}],
    ['nothing', { status: 403, headers: { 'Content-Length': '0' } }, undefined],
  ])('has an error with a code if the response is %s', async (_, reply, details) => {
    const server = await answering(reply);
    const { data, error } = await untyped(server).GET('/vendors');
    const message = `The response 403 of ${server.url}/v4/vendors is not from the service. Check \`baseUrl\`.`;
    expect([data, error]).toEqual([undefined, { code: 'CLIENT_UNREADABLE', message, details }]);
  });

  it.each([
    ['OAuth', { error: 'invalid_grant', error_description: 'The code has expired.' }],
    ['JSON-RPC', { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } }],
  ])('has the error as the standard defines it: %s', async (_, json) => {
    const server = await answering({ status: 400, json });
    expect((await untyped(server).POST('/oauth/token')).error).toEqual(json);
  });

  it('has neither data nor an error if the response is unchanged', async () => {
    const server = await answering({ status: 304 });
    const result = await untyped(server).GET('/vendors', { headers: { 'If-None-Match': '"1"' } });
    expect([result.data, result.error, result.response.status]).toEqual([undefined, undefined, 304]);
  });

  it('rejects with CLIENT_UNREADABLE if data is not JSON', async () => {
    const server = await answering({ text: 'id,name\n' });
    const failed = untyped(server).GET('/vendors');
    await expect(failed).rejects.toMatchObject({ code: 'CLIENT_UNREADABLE', cause: expect.any(SyntaxError) });
  });

  it('is read in the form of `parseAs`', async () => {
    const server = await answering({ text: 'id,name\n', headers: { 'Content-Type': 'text/csv' } });
    const { client } = testClient(server.url);
    const text = await client.GET('/vendors', { parseAs: 'text' });
    const blob = await client.GET('/vendors', { parseAs: 'blob' });
    const bytes = await client.GET('/vendors', { parseAs: 'arrayBuffer' });
    const stream = await client.GET('/vendors', { parseAs: 'stream' });
    expect(text.data?.length).toBe(8);
    expect(blob.data?.type).toBe('text/csv');
    expect(bytes.data?.byteLength).toBe(8);
    expect(await new Response(stream.data).text()).toBe('id,name\n');
  });

  it('has an error that is JSON, whatever `parseAs` is', async () => {
    const server = await answering(failure(404, 'SERVICE_NOT_FOUND'));
    const { error } = await testClient(server.url).client.GET('/vendors', { parseAs: 'stream' });
    expect(error?.code).toBe('SERVICE_NOT_FOUND');
  });
});

describe('the signal of a call by path', () => {
  it('rejects with its reason, before and during the call', async () => {
    const server = await answering({ silent: true });
    const { client } = testClient(server.url);
    const reason = new Error('left the page');
    await expect(client.GET('/vendors', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const leaving = new AbortController();
    const call = client.GET('/vendors', { signal: leaving.signal });
    await server.arrival(1);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(server.arrived).toHaveLength(1);
  });
});

it('passes other options of `fetch` on', async () => {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    return Response.json({});
  };
  const client = createClient({ baseUrl: 'http://localhost:4000', token: 'token', fetch });
  await client.GET('/vendors', { redirect: 'manual', credentials: 'include' });
  expect(sent[0]).toMatchObject({ method: 'GET', redirect: 'manual', credentials: 'include' });
});
