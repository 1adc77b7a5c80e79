import { describe, expect, it } from 'vitest';
import { createClient, ServiceError } from '../src/index.ts';
import { transport } from '../src/transport.ts';
import { answering, type Reply } from './answering-server.ts';
import { holdTimeouts } from './held-timeouts.ts';
import { failure, page, vendor } from './records.ts';
import { testClient } from './test-client.ts';

const created = { status: 201, json: { data: vendor('1') } };

describe('a request that fails temporarily', () => {
  it('is repeated after 1, 2, 4 and 8 seconds, then fails', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'));
    const { client, waits } = testClient(server.url);
    await expect(client.vendors.get('1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(server.arrived).toHaveLength(5);
    expect(waits.map(Math.floor)).toEqual([1, 2, 4, expect.toSatisfy((wait) => wait >= 8 && wait <= 10)]);
  });

  it('succeeds as soon as the failure ends', async () => {
    const server = await answering(
      failure(503, 'SERVICE_SYSTEM_UNAVAILABLE'),
      failure(500, 'SERVICE_INTERNAL'),
      page([]),
    );
    const { client, waits } = testClient(server.url);
    await expect(client.vendors.list()).resolves.toMatchObject({ data: [] });
    expect(waits).toHaveLength(2);
  });

  it('waits at least as long as Retry-After', async () => {
    const server = await answering(failure(429, 'SERVICE_RATE_LIMITED', { 'Retry-After': '37' }), page([]));
    const { client, waits } = testClient(server.url);
    await client.vendors.list();
    expect(waits).toEqual([expect.toSatisfy((wait) => wait >= 37 && wait <= 47)]);
  });

  it('fails immediately if Retry-After is longer than timeoutMs', async () => {
    const server = await answering(failure(429, 'SERVICE_RATE_LIMITED', { 'Retry-After': '61' }));
    const { client, waits } = testClient(server.url);
    await expect(client.vendors.list()).rejects.toMatchObject({
      code: 'SERVICE_RATE_LIMITED',
      retryable: true,
      retryAfterMs: 61_000,
    });
    expect(waits).toEqual([]);
  });

  it('is repeated as often as `retries` allows', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'));
    await expect(testClient(server.url, { retries: 0 }).client.vendors.get('1')).rejects.toBeInstanceOf(ServiceError);
    expect(server.arrived).toHaveLength(1);
  });

  it('is repeated by path as well', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'), page([vendor('1')]));
    const { data } = await testClient(server.url).client.GET('/vendors');
    expect(data?.data[0]?.id).toBe('1');
  });
});

describe('a request that cannot succeed', () => {
  it.each([
    [400, 'SERVICE_INVALID_BODY'],
    [404, 'SERVICE_NOT_FOUND'],
    [409, 'SERVICE_INVALID_TRANSITION'],
    [422, 'SERVICE_REJECTED'],
    [429, 'SERVICE_MCP_QUOTA_EXCEEDED'],
    [424, 'SERVICE_SYSTEM_UNAUTHORIZED'],
  ])('is not repeated: %i %s', async (status, code) => {
    const server = await answering(failure(status, code, { 'Retry-After': '1' }));
    const { client } = testClient(server.url);
    await expect(client.vendors.create({ name: 'ACME' })).rejects.toMatchObject({ code, status, retryable: false });
    expect(server.arrived).toHaveLength(1);
  });
});

describe('a write', () => {
  it('keeps its idempotency key and body in all attempts', async () => {
    const server = await answering(
      { status: 502, text: '<html>Bad gateway</html>' },
      { status: 504, text: '' },
      failure(502, 'SERVICE_OUTCOME_UNKNOWN'),
      { status: 201, json: { data: vendor('1') }, cut: true },
      created,
    );
    await testClient(server.url).client.vendors.create({ name: 'ACME' });
    const keys = server.arrived.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(5);
    expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));
    expect(server.arrived.map(({ body }) => body)).toEqual(Array(5).fill({ name: 'ACME' }));
  });

  it('has its own key', async () => {
    const server = await answering(created);
    const { client } = testClient(server.url);
    await client.vendors.create({ name: 'ACME' });
    await client.vendors.create({ name: 'ACME' });
    await client.POST('/vendors', { body: { name: 'ACME' } });
    expect(new Set(server.arrived.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it('uses the given key', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'), created);
    await testClient(server.url).client.vendors.create({ name: 'ACME' }, { idempotencyKey: 'order 7' });
    expect(server.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual(['order 7', 'order 7']);
  });
});

describe('a POST that accepts no idempotency key', () => {
  const post = async (...replies: Reply[]) => {
    const server = await answering(...replies);
    const send = transport({ token: 'token', delay: async () => {} }, ['/tools/:/execute']);
    const response = await send(new Request(`${server.url}/v4/tools/echo/execute`, { method: 'POST', body: '{}' }));
    return { status: response.status, tries: server.arrived.length };
  };

  it('is not repeated if it may have had an effect', async () => {
    await expect(post(failure(503, 'SERVICE_UNAVAILABLE'))).resolves.toEqual({ status: 503, tries: 1 });
    await expect(post({ json: {}, cut: true, text: '{"half":' })).rejects.toMatchObject({ code: 'CLIENT_UNREACHABLE' });
  });

  it('is repeated after a refusal by the rate limit', async () => {
    await expect(post(failure(429, 'SERVICE_RATE_LIMITED'), { json: {} })).resolves.toEqual({ status: 200, tries: 2 });
  });
});

describe('a server that does not respond', () => {
  it('is retried after a broken connection', async () => {
    const server = await answering({ json: { data: vendor('1') }, cut: true }, { json: { data: vendor('1') } });
    await expect(testClient(server.url).client.vendors.get('1')).resolves.toMatchObject({ id: '1' });
  });

  it('results in CLIENT_UNREACHABLE after all attempts', async () => {
    const { client, waits } = testClient('http://127.0.0.1:1');
    const failed = client.vendors.get('1');
    await expect(failed).rejects.toMatchObject({ code: 'CLIENT_UNREACHABLE', status: 0, retryable: true });
    await expect(failed).rejects.toHaveProperty('cause', expect.any(TypeError));
    const message = 'GET http://127.0.0.1:1/v4/vendors/1 got no response in 5 attempts: bad port. Check `baseUrl`';
    await expect(failed).rejects.toThrow(message);
    expect(waits).toHaveLength(4);
  });

  it('is not tried again if the host does not exist or does not speak TLS, and the reason is in the message', async () => {
    const server = await answering(page([]));
    const unknown = testClient('http://unknown.invalid');
    await expect(unknown.client.vendors.list()).rejects.toThrow(/in 1 attempt: .*ENOTFOUND unknown\.invalid/);
    const plain = testClient(server.url.replace('http:', 'https:'));
    await expect(plain.client.vendors.list()).rejects.toThrow(/in 1 attempt: .*(SSL|packet)/i);
    expect([unknown.waits, plain.waits]).toEqual([[], []]);
  });

  it('is not reported for a request that cannot be created', async () => {
    const { client, waits } = testClient('http://127.0.0.1:1', { token: 'a\nb' });
    await expect(client.vendors.get('1')).rejects.toBeInstanceOf(TypeError);
    expect(waits).toEqual([]);
  });

  it('results in CLIENT_TIMEOUT if it stays silent', async () => {
    const timeouts = holdTimeouts();
    const server = await answering({ silent: true });
    const { client } = testClient(server.url, { timeoutMs: 40, retries: 1 });
    const ended = expect(client.vendors.get('1')).rejects.toMatchObject({
      code: 'CLIENT_TIMEOUT',
      message: `GET ${server.url}/v4/vendors/1 received no response within 40 ms.`,
      retryable: true,
    });
    for (const tries of [1, 2]) {
      await server.arrival(tries);
      timeouts.pass(40);
    }
    await ended;
    expect(server.arrived).toHaveLength(2);
  });
});

describe('a call that is aborted', () => {
  it('rejects with the reason while the server is silent', async () => {
    const server = await answering({ silent: true });
    const stop = new AbortController();
    const call = testClient(server.url, { retries: 0 }).client.vendors.list({ signal: stop.signal });
    await server.arrival(1);
    stop.abort(new Error('the user left'));
    await expect(call).rejects.toThrow('the user left');
    expect(server.arrived).toHaveLength(1);
  });

  it('rejects with the reason immediately while it waits for the next attempt', async () => {
    // If the client waited, the next attempt would come long after the timeout of this test.
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '3000' }));
    const stop = new AbortController();
    const waiting = async (request: Request) => {
      const response = await fetch(request);
      setTimeout(() => stop.abort(new Error('the user left')), 20);
      return response;
    };
    const client = createClient({ baseUrl: server.url, token: 'token', fetch: waiting, timeoutMs: 3_600_000 });
    await expect(client.vendors.create({ name: 'ACME' }, { signal: stop.signal })).rejects.toThrow('the user left');
    expect(server.arrived).toHaveLength(1);
  });

  it('sends nothing if it was aborted before', async () => {
    const server = await answering(page([]));
    const call = testClient(server.url).client.vendors.list({ signal: AbortSignal.abort(new Error('too late')) });
    await expect(call).rejects.toThrow('too late');
    expect(server.arrived).toHaveLength(0);
  });
});
