import { type Operation, operations, templateOf } from '@unified/contract';
import { type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Body {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly code: string;
  readonly message: string;
}

const END = Date.parse('2026-12-01T00:00:00Z');
const SUNSET = 'Tue, 01 Dec 2026 00:00:00 GMT';
const ending = operations.filter(({ tag }) => tag === 'Compatibility');
const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

let now = END - 1;
let api: TestApi;
let app: TestApplication;

beforeAll(async () => {
  api = await startApi({ now: () => now });
  app = await api.signIn(api.connection.applicationId);
});
afterAll(() => api.stop());

const send = (path: string, { token = app.token, ...sent }: Sent & { token?: string | null } = {}) =>
  api.fetch<Body>(path, { ...sent, token });

/** Sends a request of an operation with an empty body. */
const call = (operation: Operation) =>
  send(templateOf(operation), {
    method: operation.method.toUpperCase(),
    ...(operation.method !== 'get' && { json: {} }),
  });

describe('until the end of 30 November 2026', () => {
  beforeAll(() => {
    now = END - 1;
  });

  it('the platforms and connections are those of the current addresses', async () => {
    const pairs = async (path: string) => (await send(path)).body.data.map(({ id, name }) => [id, name]);
    expect(await pairs('/api/system/platforms')).toEqual(await pairs('/v4/platforms'));
    await api.connect({ applicationId: app.applicationId });
    const ids = async (path: string) => (await send(path)).body.data.map(({ id, status }) => [id, status]);
    expect(await ids('/api/system/connections')).toHaveLength(2);
    expect(await ids('/api/system/connections')).toEqual(await ids('/v4/connections'));
  });

  it('connections of other applications are not listed', async () => {
    const { token } = await api.signIn();
    expect((await send('/api/system/connections', { token })).body.data).toEqual([]);
  });

  it('a connection is checked like one that is created at the current address', async () => {
    const post = (json: object) => send('/api/system/connections', { method: 'POST', json });
    const { status, body } = await post({ platform: 'trytn', settings: {} });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(body.message).toContain('There is no platform "trytn".');
    expect((await post({ platform: 'tryton', settings: {}, name: 'Mine' })).body.code).toBe('SERVICE_INVALID_BODY');
  });

  it('a session is one that createEmbedSession creates, once per key', async () => {
    const path = `/v4/clients/${app.clientId}/redirect-uris`;
    await send(path, { method: 'POST', json: { uri: 'https://portal.northwind.example/callback' } });
    const sent = { method: 'POST', json: { endCustomerId: UNKNOWN }, headers: { 'Idempotency-Key': 'session' } };
    const [first, again] = [await send('/v1/embed/session', sent), await send('/v1/embed/session', sent)];
    expect([first.status, again.body]).toEqual([201, first.body]);
    expect(first.body.data).toEqual({ url: expect.stringMatching(/\/oauth\/embed\/[\w-]+\?origin=[^#]+#ses_/) });
  });

  it('a request without an access token is refused', async () => {
    expect((await send('/api/system/platforms', { token: null })).body.code).toBe('SERVICE_UNAUTHORIZED');
    expect((await send('/api/system/platforms', { token: api.connection.token })).status).toBe(401);
  });

  it.each(ending)('$id states its end and its replacement, in errors as well', async (operation) => {
    const { status, headers } = await call(operation);
    expect(status).toBeLessThan(410);
    expect(headers.get('deprecation')).toBe('@1795132800');
    expect(headers.get('sunset')).toBe(SUNSET);
    expect(headers.get('link')).toMatch(/^<\/v4\/(platforms|connections|embed\/sessions)>; rel="successor-version"$/);
  });
});

describe('from 1 December 2026 00:00 UTC on', () => {
  beforeAll(() => {
    now = END;
  });

  it.each(ending)('$id returns 410, and what replaces it', async (operation) => {
    const { status, headers, body } = await call(operation);
    expect([status, body.code]).toEqual([410, 'SERVICE_GONE']);
    expect(body.message).toBe(`This address ended on ${SUNSET}. Use /v4${operation.deprecation?.successor}.`);
    expect(headers.get('sunset')).toBe(SUNSET);
    expect(headers.get('link')).toContain(`</v4${operation.deprecation?.successor}>`);
  });

  it('a request without credentials returns 410 as well', async () => {
    expect((await send('/api/system/platforms', { token: null })).status).toBe(410);
  });

  it('other deprecated operations keep working', async () => {
    const { status, headers } = await send(`/v4/items/${UNKNOWN}`, { token: api.connection.token });
    expect([status, headers.get('sunset')]).toEqual([404, null]);
  });
});
