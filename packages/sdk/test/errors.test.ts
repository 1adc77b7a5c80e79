import { errorTable } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { createClient, ServiceError } from '../src/index.ts';
import { answering } from './answering-server.ts';
import { holdTimeouts } from './held-timeouts.ts';
import { vendor } from './records.ts';
import { testClient } from './test-client.ts';

describe('an error', () => {
  it('has the code, message and details of the response', async () => {
    const details = [{ path: 'body/colour' }];
    const server = await answering({
      status: 400,
      json: { code: 'SERVICE_INVALID_BODY', message: 'Unknown property', details },
      headers: { 'X-Request-Id': 'r1' },
    });
    const error = await testClient(server.url)
      .client.vendors.create({ name: 'ACME' }, { idempotencyKey: 'k1' })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message }).toEqual({
      name: 'ServiceError',
      code: 'SERVICE_INVALID_BODY',
      status: 400,
      message: 'Unknown property',
      details,
      requestId: 'r1',
      retryable: false,
      retryAfterMs: undefined,
      writeId: undefined,
      idempotencyKey: 'k1',
    });
  });

  it.each([
    ['there is no response', { silent: true } as const],
    ['the service is unavailable', { status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'Away' } }],
  ])('has the generated key of a write if %s, so that it can be sent again', async (_, reply) => {
    const timeouts = holdTimeouts();
    const server = await answering(reply);
    const { client } = testClient(server.url, { retries: 0, timeoutMs: 50 });
    const failing = client.vendors.create({ name: 'ACME' }).catch((reason) => reason);
    await server.arrival(1);
    if ('silent' in reply) timeouts.pass(50);
    const error = await failing;
    expect(error).toMatchObject({ retryable: true, idempotencyKey: expect.stringMatching(/./) });
    expect(server.arrived[0]?.headers['idempotency-key']).toBe(error.idempotencyKey);
  });

  it('has the id of the write record in the response', async () => {
    const server = await answering({
      status: 422,
      json: { code: 'SERVICE_REJECTED', message: 'Name is taken' },
      headers: { 'Write-Id': 'w9' },
    });
    await expect(testClient(server.url).client.vendors.create({ name: 'ACME' })).rejects.toMatchObject({
      writeId: 'w9',
    });
  });

  it.each(Object.entries(errorTable))(
    'is retryable if and only if the contract says it is: %s',
    async (code, { status, retryable }) => {
      const server = await answering({ status, json: { code, message: 'No' } });
      const failed = testClient(server.url, { retries: 0 }).client.vendors.get('1');
      await expect(failed).rejects.toMatchObject({ code, status, retryable });
    },
  );

  it('accepts codes of later releases', async () => {
    const server = await answering({ status: 418, json: { code: 'SERVICE_TEAPOT', message: 'Short and stout' } });
    const failed = testClient(server.url).client.vendors.get('1');
    await expect(failed).rejects.toMatchObject({ code: 'SERVICE_TEAPOT', status: 418, retryable: false });
  });

  it.each([
    ['a page from a proxy', { status: 403, text: '<html>Forbidden</html>' }, '<html>Forbidden</html>'],
    ['JSON of another kind', { status: 403, json: ['no'] }, ['no']],
    ['nothing', { status: 403 }, undefined],
  ])('is CLIENT_UNREADABLE if the response is %s', async (_, reply, details) => {
    const server = await answering(reply);
    const error = await testClient(server.url)
      .client.vendors.get('1')
      .catch((reason) => reason);
    const message = `The response 403 of ${server.url}/v4/vendors/1 is not from the service. Check \`baseUrl\`.`;
    expect(error).toMatchObject({ code: 'CLIENT_UNREADABLE', status: 403, message });
    expect(error.details || undefined).toEqual(details);
  });

  it('is CLIENT_UNREADABLE if a successful response is not JSON', async () => {
    const server = await answering({ text: '<html>Welcome to the hotel</html>' });
    await expect(testClient(server.url).client.vendors.get('1')).rejects.toMatchObject({
      code: 'CLIENT_UNREADABLE',
      status: 200,
      message: expect.stringContaining('Check `baseUrl`.'),
    });
  });

  it('is returned, not thrown, by path', async () => {
    const server = await answering({ status: 404, json: { code: 'SERVICE_NOT_FOUND', message: 'No such vendor' } });
    const { error, data } = await testClient(server.url).client.GET('/vendors/{id}', { params: { path: { id: '1' } } });
    expect({ error, data }).toEqual({
      error: { code: 'SERVICE_NOT_FOUND', message: 'No such vendor' },
      data: undefined,
    });
  });
});

describe('a response from a later release', () => {
  it('is returned with values and fields that this release does not know', async () => {
    const order = { ...vendor('1'), statusCategory: 'teleported', colour: 'red' };
    const server = await answering({ json: { data: order } });
    const answered = await testClient(server.url).client.workOrders.get('1');
    expect(answered).toEqual(order);
    const category: string | null | undefined = answered.statusCategory;
    expect(category).toBe('teleported');
  });
});

describe('the address of the server', () => {
  it('may end with a slash', async () => {
    const server = await answering({ json: { data: vendor('1') } });
    await testClient(`${server.url}/`).client.vendors.get('1');
    expect(server.arrived[0]?.path).toBe('/v4/vendors/1');
  });

  it.each([
    [undefined, 'baseUrl is undefined, not a string.'],
    ['', 'baseUrl is empty.'],
    ['localhost:4000', 'baseUrl "localhost:4000" does not begin with http:// or https://.'],
    ['ftp://localhost', 'baseUrl "ftp://localhost" does not begin with http:// or https://.'],
  ])('cannot be %j', (baseUrl, fault) => {
    const message = `${fault} Set it to the root of the server, such as https://api.example.com.`;
    expect(() => createClient({ baseUrl: baseUrl as string, token: 'token' })).toThrow(message);
  });

  it('is requested by a call without options, and so is a missing token', () => {
    const untyped = createClient as unknown as (options?: object) => unknown;
    expect(() => untyped()).toThrow('baseUrl is undefined, not a string.');
    expect(() => untyped({ baseUrl: 'http://localhost:4000' })).toThrow('token is undefined. Set it to the token');
    expect(() => untyped({ baseUrl: '/', token: '' })).toThrow('token is empty. Set it to the token of a connection');
  });
});
