import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { type Received, startWebhookReceiver } from '@unified/engine/testing/webhook-receiver';
import { unwrap } from '@unified/sdk/webhooks';
import { checkEvent, type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}
interface Body {
  readonly data: Item & readonly Item[] & { readonly endpoint: Item; readonly secret: string };
  readonly meta: { readonly next_cursor: string | null };
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

let api: TestApi;
let app: TestApplication;
let other: TestApplication;
let system: FaultySystem;

beforeAll(async () => {
  system = await startFaultySystem();
  api = await startApi({ systems });
  app = await api.signIn();
  other = await api.signIn();
});
afterAll(async () => {
  await api.stop();
  await system.close();
});
afterEach(() => vi.unstubAllEnvs());

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });
const get = (path: string) => send('GET', path);

const connect = () =>
  api.connect({ applicationId: app.applicationId, platform: 'faulty', settings: { url: system.url } });

/** Registers an endpoint and returns its path, with its id and secret. */
async function register(url: string, events: readonly string[], more: object = {}) {
  const { status, body } = await send('POST', '/webhook-endpoints', { url, events, ...more });
  expect([status, body.message]).toEqual([201, undefined]);
  const { endpoint, secret } = body.data;
  return { id: endpoint.id, secret, path: `/webhook-endpoints/${endpoint.id}` };
}

/** Waits for this many events, and checks each of them against the document. */
async function until(received: readonly Received[], count: number): Promise<void> {
  await expect.poll(() => received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  for (const { body } of received) checkEvent(body);
}

const typesOf = (received: readonly Received[]) => received.map(({ event }) => event.type);

describe('webhook endpoints', () => {
  it('are registered with a secret that no other response contains, changed and deleted', async () => {
    const given = { url: 'https://example.com/hooks', events: ['record.updated', 'record.updated'] };
    const made = await send('POST', '/webhook-endpoints', given, { headers: { 'Idempotency-Key': 'register 1' } });
    const { endpoint, secret } = made.body.data;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(endpoint).toMatchObject({ events: ['record.updated'], payload: 'thin', isActive: true, entities: [] });
    const again = await send('POST', '/webhook-endpoints', given, { headers: { 'Idempotency-Key': 'register 1' } });
    expect(again.body).toEqual(made.body);
    const path = `/webhook-endpoints/${endpoint.id}`;
    expect((await get(path)).body.data).toEqual(endpoint);
    expect((await get('/webhook-endpoints')).body.data).toContainEqual(endpoint);
    const changed = await send('PATCH', path, { isActive: false, payload: 'full', entities: ['Vendor'] });
    const expected = { isActive: false, inactiveReason: 'requested', payload: 'full', entities: ['Vendor'] };
    expect(changed.body.data).toMatchObject({ ...expected, events: ['record.updated'] });
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
    const { body } = await get(`/audit?target=${endpoint.id}`);
    const actions = ['delete', 'update', 'read_secret', 'create'].map((each) => `webhook_endpoint.${each}`);
    expect(body.data.map(({ action }) => action)).toEqual(actions);
    expect(JSON.stringify(body)).not.toContain(secret.slice(6));
  });

  it('belong to one application', async () => {
    const { path } = await register('https://example.com/hooks', []);
    const { token } = other;
    const requests = [
      send('GET', path, undefined, { token }),
      send('PATCH', path, { isActive: false }, { token }),
      send('DELETE', path, undefined, { token }),
      send('GET', `${path}/deliveries`, undefined, { token }),
      send('POST', `${path}/actions/replay`, { since: '2026-11-20T00:00:00Z' }, { token }),
      send('POST', `${path}/actions/rotate-secret`, undefined, { token }),
      send('POST', `${path}/actions/test`, undefined, { token }),
    ];
    for (const { status, body } of await Promise.all(requests))
      expect([status, body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    const { body } = await send('GET', '/webhook-endpoints', undefined, { token });
    expect(body.data).toEqual([]);
    const foreign = { url: 'https://example.com', events: [], connectionIds: [api.connection.connectionId] };
    const refused = await send('POST', '/webhook-endpoints', foreign);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('body/connectionIds')]);
  });

  it.each([
    ['http://example.com/hooks', 'https'],
    ['https://user:secret@example.com/', 'body/url'],
    ['https://127.0.0.1/', 'public'],
    ['https://2130706433/', 'public'],
    ['https://0x7f.1/', 'public'],
    ['https://0177.0.0.1/', 'public'],
    ['https://[::1]/', 'public'],
    ['https://[::ffff:127.0.0.1]/', 'public'],
    ['https://[::ffff:7f00:1]/', 'public'],
    ['https://[64:ff9b::7f00:1]/', 'public'],
    ['https://169.254.169.254/latest/meta-data', 'public'],
    ['https://10.0.0.1/', 'public'],
    ['https://100.64.0.1/', 'public'],
    ['https://0.0.0.0/', 'public'],
    ['https://[fe80::1]/', 'public'],
    ['https://[fd00::1]/', 'public'],
  ])('cannot have the address %s', async (url, reason) => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    const { status, body } = await send('POST', '/webhook-endpoints', { url, events: [] });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(body.message).toContain(reason);
  });

  it('are not called at a name that has an address in the network of the service', async () => {
    const receiver = await startWebhookReceiver();
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    const url = receiver.url.replace('127.0.0.1', 'localhost').replace('http:', 'https:');
    const { path } = await register(url, []);
    const { body } = await send('POST', `${path}/actions/test`);
    expect(body.data).toMatchObject({ status: 'failed', responseStatus: null });
    expect(body.data.error).toBe(
      'The host does not exist or is not public. The operator of the service can allow others with ALLOW_PRIVATE_HOSTS.',
    );
    expect(receiver.received).toEqual([]);
  });

  it('are limited to 100 per application', async () => {
    const many = await api.signIn();
    const { token } = many;
    const one = () => send('POST', '/webhook-endpoints', { url: 'https://example.com', events: [] }, { token });
    const made = await Promise.all(Array.from({ length: 101 }, one));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(made.find(({ status }) => status !== 201)?.body.message).toContain('100 webhook endpoints');
  });
});

describe('a test event', () => {
  it('is signed, and its delivery shows the response', async () => {
    const receiver = await startWebhookReceiver();
    receiver.reply = () => (response) => response.writeHead(200).end('fine');
    const { path, secret, id } = await register(receiver.url, []);
    const { body } = await send('POST', `${path}/actions/test`);
    await until(receiver.received, 1);
    const [received] = receiver.received;
    expect(await unwrap(received?.headers ?? {}, received?.body ?? '', secret)).toMatchObject({
      type: 'webhook_endpoint.test',
      data: { endpointId: id, url: receiver.url },
    });
    const shown = {
      status: 'delivered',
      eventId: received?.id,
      responseStatus: 200,
      responseBody: 'fine',
      attempts: 1,
    };
    expect(body.data).toMatchObject({
      ...shown,
      payload: received?.event,
      history: [{ number: 1, url: receiver.url }],
    });
    expect((await get(`${path}/deliveries/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it('that is not accepted leaves the endpoint as it is', async () => {
    const receiver = await startWebhookReceiver();
    receiver.reply = () => 410;
    const { path } = await register(receiver.url, []);
    const { body } = await send('POST', `${path}/actions/test`);
    expect(body.data).toMatchObject({ status: 'failed', responseStatus: 410 });
    expect((await get(path)).body.data).toMatchObject({ isActive: true, failingSince: null });
  });
});

describe('events', () => {
  it('of writes and records are sent to endpoints of their kind, entity and connection', async () => {
    const { connectionId, token } = await connect();
    const [all, orders, elsewhere] = await Promise.all([1, 2, 3].map(() => startWebhookReceiver()));
    if (!all || !orders || !elsewhere) throw new Error('There are three.');
    const kinds = ['record.created', 'record.updated', 'write.succeeded', 'write.failed', 'write.unknown'];
    const { secret } = await register(all.url, kinds, { connectionIds: [connectionId], payload: 'full' });
    await register(orders.url, kinds, { entities: ['PurchaseOrder'] });
    const another = await connect();
    await register(elsewhere.url, kinds, { connectionIds: [another.connectionId] });
    const create = (name: string) => api.fetch('/v4/vendors', { method: 'POST', token, json: { name } });
    expect((await create('ACME')).status).toBe(201);
    await until(all.received, 2);
    expect(typesOf(all.received).sort()).toEqual(['record.created', 'write.succeeded']);
    const record = all.received.find(({ event }) => event.type === 'record.created');
    const event = await unwrap(record?.headers ?? {}, record?.body ?? '', secret);
    if (event.type !== 'record.created') throw new Error(event.type);
    expect(event.data.change.record).toMatchObject({ name: 'ACME' });
    system.faults.write.push('no');
    expect((await create('Refused')).status).toBe(422);
    await until(all.received, 3);
    expect(all.received[2]?.event).toMatchObject({
      type: 'write.failed',
      data: { entity: 'Vendor', status: 'failed' },
    });
    system.faults.write.push('lost');
    expect((await create('Lost')).status).toBe(201);
    await until(all.received, 6);
    const outcomes = typesOf(all.received.slice(3)).filter((type) => type.startsWith('write.'));
    expect(outcomes).toEqual(['write.unknown', 'write.succeeded']);
    expect([orders.received, elsewhere.received]).toEqual([[], []]);
  });

  it('of connections are sent as their state changes', async () => {
    const receiver = await startWebhookReceiver();
    const kinds = ['created', 'activated', 'deactivated', 'deleted'].map((kind) => `connection.${kind}`);
    await register(receiver.url, kinds);
    const { connectionId } = await connect();
    await send('PUT', `/connections/${connectionId}/active`, { isActive: false });
    await send('PUT', `/connections/${connectionId}/active`, { isActive: true });
    await send('DELETE', `/connections/${connectionId}`);
    await until(receiver.received, 4);
    expect(receiver.received.map(({ event }) => [event.type, event.data.status])).toEqual([
      ['connection.created', 'active'],
      ['connection.deactivated', 'inactive'],
      ['connection.activated', 'active'],
      ['connection.deleted', 'deleted'],
    ]);
  });
});

describe('a replay', () => {
  it('resends a delivery, a period, and changes after a cursor, with the same ids', async () => {
    const { connectionId, token } = await connect();
    const receiver = await startWebhookReceiver();
    const { path } = await register(receiver.url, ['record.created'], { connectionIds: [connectionId] });
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const name of ['A', 'B']) await api.fetch('/v4/vendors', { method: 'POST', token, json: { name } });
    await until(receiver.received, 2);
    const ids = receiver.received.map(({ id }) => id);
    const replay = async (json: object) => (await send('POST', `${path}/actions/replay`, json)).body.data;
    const delivered = async () => (await get(`${path}/deliveries?status=delivered`)).body.data;
    // An event that was received, but whose response is not stored yet, still waits, so a replay would not send it again.
    const settled = (count: number) =>
      expect.poll(async () => (await delivered()).length, { interval: 10, timeout: 30_000 }).toBe(count);
    await settled(2);
    const [last] = await delivered();
    expect(await replay({ deliveryId: last?.id })).toEqual({ events: 1 });
    await settled(3);
    expect(await replay({ connectionId, cursor: '0' })).toEqual({ events: 2 });
    await settled(5);
    expect(await replay({ since })).toEqual({ events: 2 });
    await settled(7);
    expect(receiver.received.map(({ id }) => id)).toEqual([...ids, ids[1], ...ids, ...ids]);
    const { body } = await get(`${path}/deliveries?eventId=${ids[1]}&event=record.created&per_page=2`);
    expect(body.data).toHaveLength(2);
    const next = await get(`${path}/deliveries?eventId=${ids[1]}&per_page=2&cursor=${body.meta.next_cursor}`);
    expect(next.body.data).toHaveLength(2);
  });

  it.each([
    [{ deliveryId: UNKNOWN }, 404],
    [{ connectionId: UNKNOWN, cursor: '1' }, 404],
    [{ cursor: '1' }, 400],
    [{ since: '2026-11-20T00:00:00Z', deliveryId: UNKNOWN }, 400],
    [{ until: '2026-11-20T00:00:00Z' }, 400],
    [{ since: '2026-02-30T00:00:00Z' }, 400],
    [{}, 400],
  ])('of %o is refused', async (json, expected) => {
    const { path } = await register('https://example.com/hooks', []);
    expect((await send('POST', `${path}/actions/replay`, json)).status).toBe(expected);
  });

  it('after a cursor that the log never returned is refused', async () => {
    const { connectionId } = await connect();
    const { path } = await register('https://example.com/hooks', []);
    const { status, body } = await send('POST', `${path}/actions/replay`, { connectionId, cursor: '99' });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
  });
});

it('a rotation returns the new secret, and shows until when the previous one is used', async () => {
  const { path, secret } = await register('https://example.com/hooks', []);
  const rotated = await send('POST', `${path}/actions/rotate-secret`);
  expect(rotated.body.data.secret).not.toBe(secret);
  const until = Date.parse(String(rotated.body.data.endpoint.previousSecretExpiresAt));
  expect(Math.round((until - Date.now()) / 3_600_000)).toBe(24);
  const ended = await send('POST', `${path}/actions/rotate-secret`, { overlapHours: 0 });
  expect(ended.body.data.endpoint.previousSecretExpiresAt).toBeNull();
});
