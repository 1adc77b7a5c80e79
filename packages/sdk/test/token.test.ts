import { describe, expect, it } from 'vitest';
import { type AnsweringServer, type Arrived, answering, type Reply } from './answering-server.ts';
import { failure, page } from './records.ts';
import { testClient } from './test-client.ts';

const refused = failure(401, 'SERVICE_UNAUTHORIZED');

function onlyWith(token: string): (request: Arrived) => Reply {
  return ({ headers }) => (headers.authorization === `Bearer ${token}` ? page([]) : refused);
}

function tokens({ arrived }: AnsweringServer): (string | undefined)[] {
  return arrived.map(({ headers }) => headers.authorization);
}

describe('the token', () => {
  it('is requested once and cached', async () => {
    const server = await answering(page([]));
    let asked = 0;
    const { client } = testClient(server.url, { token: async () => `token-${++asked}` });
    await client.vendors.list();
    await client.vendors.list();
    expect(tokens(server)).toEqual(['Bearer token-1', 'Bearer token-1']);
  });

  it('is renewed on 401, and the request is repeated immediately', async () => {
    const server = await answering(onlyWith('token-2'));
    let asked = 0;
    const { client, waits } = testClient(server.url, { token: async () => `token-${++asked}` });
    await expect(client.vendors.list()).resolves.toMatchObject({ data: [] });
    expect(tokens(server)).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(waits).toEqual([]);
  });

  it('is renewed once for concurrent requests', async () => {
    const server = await answering(onlyWith('token-2'));
    let asked = 0;
    const { client } = testClient(server.url, { token: async () => `token-${++asked}` });
    await Promise.all([client.vendors.list(), client.accounts.list(), client.units.list()]);
    expect(asked).toBe(2);
  });

  it('is not renewed twice for one request', async () => {
    const server = await answering(refused);
    let asked = 0;
    const { client } = testClient(server.url, { token: () => `token-${++asked}` });
    await expect(client.vendors.list()).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED', status: 401 });
    expect(tokens(server)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('is not renewed a second time after another failure', async () => {
    const server = await answering(refused, failure(503, 'SERVICE_UNAVAILABLE'), refused, page([]));
    const { client } = testClient(server.url, { token: async () => 'token' });
    await expect(client.vendors.list()).rejects.toMatchObject({ status: 401 });
    expect(server.arrived).toHaveLength(3);
  });

  it('cannot be renewed if it is a string', async () => {
    const server = await answering(refused);
    await expect(testClient(server.url).client.vendors.list()).rejects.toMatchObject({ status: 401 });
    expect(server.arrived).toHaveLength(1);
  });

  it('keeps the idempotency key of the write that it was renewed for', async () => {
    const server = await answering(refused, { status: 201, json: { data: { id: '1' } } });
    await testClient(server.url, { token: async () => 'token' }).client.vendors.create({ name: 'ACME' });
    const [first, second] = server.arrived;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toEqual({ name: 'ACME' });
  });

  it('is requested again after it could not be obtained', async () => {
    const server = await answering(page([]));
    let asked = 0;
    const token = async () => {
      if (++asked === 1) throw new Error('no token today');
      return 'token';
    };
    const { client } = testClient(server.url, { token });
    await expect(client.vendors.list()).rejects.toThrow('no token today');
    await expect(client.vendors.list()).resolves.toMatchObject({ data: [] });
  });
});
