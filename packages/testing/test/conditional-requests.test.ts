import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

interface Body {
  readonly code?: string;
  readonly message?: string;
  readonly status?: string;
  readonly writeId: string;
  readonly data: { readonly id: string; readonly terms: string };
}

const WAIT = { Prefer: 'wait=30' };
const LATER = { Prefer: 'respond-async' };
const LIST = '/v4/vendors?fields=terms';

let api: TestApi;
let system: FaultySystem;
let token: string;
let vendor: string;

beforeAll(async () => {
  api = await startApi({ systems, policies: fastRetries });
  system = await startFaultySystem();
  ({ token } = await api.connect({ platform: 'faulty', settings: { url: system.url, timeoutMs: 20_000 } }));
  const { body } = await send('POST', '/v4/vendors', { name: 'ACME', terms: 'Net 30' }, WAIT);
  vendor = `/v4/vendors/${body.data.id}`;
}, 120_000);
afterAll(async () => {
  await api.stop();
  await system.close();
});

function send(method: string, path: string, json?: object, headers: Readonly<Record<string, string>> = {}) {
  return api.fetch<Body>(path, { method, token, headers, ...(json && { json }) });
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => send('GET', path, undefined, headers);

async function tagOf(path: string): Promise<string> {
  return (await get(path)).headers.get('ETag') ?? '';
}

/** Whether the client's copy with this tag is current. */
async function isUnchanged(path: string, tag: string): Promise<boolean> {
  return (await get(path, { 'If-None-Match': tag })).status === 304;
}

const patch = (terms: string, headers: Readonly<Record<string, string>> = {}) =>
  send('PATCH', vendor, { terms }, { ...WAIT, ...headers });

describe.each([
  ['a list', () => LIST],
  ['a record', () => vendor],
  ['an expanded record', () => `${vendor}?expand=currency`],
])('%s', (_name, path) => {
  test('is 304 without a body until it changes', async () => {
    const tag = await tagOf(path());
    const { status, headers, body } = await get(path(), { 'If-None-Match': `"other", ${tag}` });
    expect([status, body, headers.get('ETag'), headers.get('Cache-Control')]).toEqual([
      304,
      undefined,
      tag,
      'private, no-cache',
    ]);
    expect(headers.get('Vary')).toBe('Accept-Encoding');
    await patch(`Net ${Math.random()}`);
    expect(await isUnchanged(path(), tag)).toBe(false);
  });

  test('is returned for tags of anything else, and for what is not a tag', async () => {
    const tag = await tagOf(path());
    const opaque = tag.replace(/^W\//, '');
    const others = [
      '"other"',
      'W/"other"',
      opaque.slice(1, -1),
      '"x,*,y"',
      'x'.repeat(10_000),
      '"t", '.repeat(3_000),
      '',
    ];
    for (const other of others) expect(await isUnchanged(path(), other)).toBe(false);
    for (const same of ['*', opaque, `W/${opaque}`, `${'"t", '.repeat(3_000)}${tag}`])
      expect(await isUnchanged(path(), same)).toBe(true);
  });
});

test('another query and another connection have other tags', async () => {
  const tags = [LIST, '/v4/vendors', `${LIST}&per_page=7`, `${LIST}&expand=currency`, vendor, `${vendor}?fields=name`];
  const all = await Promise.all(tags.map(tagOf));
  const other = await api.fetch('/v4/vendors');
  expect(new Set([...all, other.headers.get('ETag')]).size).toBe(tags.length + 1);
  expect(await isUnchanged('/v4/vendors', other.headers.get('ETag') ?? '')).toBe(false);
});

test('a list of a connection without any change has another tag after the first one', async () => {
  const other = await startFaultySystem();
  onTestFinished(() => other.close());
  const connected = await api.connect({ platform: 'faulty', settings: { url: other.url, timeoutMs: 20_000 } });
  const list = (headers = {}) => api.fetch<{ data: unknown[] }>(LIST, { token: connected.token, headers });
  const empty = await list();
  const tag = { 'If-None-Match': empty.headers.get('ETag') ?? '' };
  expect([empty.body.data.length, (await list(tag)).status]).toEqual([0, 304]);
  await api.fetch('/v4/vendors', { method: 'POST', token: connected.token, json: { name: 'ACME' }, headers: WAIT });
  const { status, body } = await list(tag);
  expect([status, body.data.length]).toEqual([200, 1]);
});

test('headers with tags have at most 16,000 characters', async () => {
  const statuses = async (length: number) => {
    const tags = `"${'x'.repeat(length - 2)}"`;
    const read = await get(LIST, { 'If-None-Match': tags });
    const written = await patch('Net 9', { 'If-Match': tags });
    return [read, written].map(({ status, body }) => [status, (body as { code?: string } | undefined)?.code]);
  };
  const tooLong = [431, 'SERVICE_HEADERS_TOO_LARGE'];
  expect(await statuses(16_000)).toEqual([
    [200, undefined],
    [412, 'SERVICE_PRECONDITION_FAILED'],
  ]);
  expect(await statuses(16_001)).toEqual([tooLong, tooLong]);
});

test('a refused list is refused whatever the client has', async () => {
  expect((await get('/v4/vendors?filter[colour]=red', { 'If-None-Match': '*' })).status).toBe(400);
  expect((await get('/v4/vendors?cursor=nonsense', { 'If-None-Match': '*' })).status).toBe(400);
});

describe('If-Match', () => {
  test('with the current tag the record changes, and the response has its new tag', async () => {
    const changed = await patch('Net 14', { 'If-Match': await tagOf(`${vendor}?expand=currency`) });
    expect([changed.status, changed.body.data.terms]).toEqual([200, 'Net 14']);
    expect(changed.headers.get('ETag')).toBe(await tagOf(vendor));
    expect((await patch('Net 15', { 'If-Match': `"${'x'.repeat(5)}", ${changed.headers.get('ETag')}` })).status).toBe(
      200,
    );
    expect((await patch('Net 16', { 'If-Match': '*' })).status).toBe(200);
  });

  test('a tag of a compressed response is as good', async () => {
    const tag = (await tagOf(vendor)).replace(/"$/, '-gzip"');
    expect((await patch('Net 17', { 'If-Match': tag })).status).toBe(200);
  });

  test('with an outdated or weak tag nothing is queued', async () => {
    const tag = await tagOf(vendor);
    await patch('Net 18');
    for (const other of [tag, `W/${await tagOf(vendor)}`, `"${'x'.repeat(10_000)}"`]) {
      const { status, headers, body } = await patch('Net 99', { 'If-Match': other });
      expect([status, body.code, headers.get('Write-Id')]).toEqual([412, 'SERVICE_PRECONDITION_FAILED', null]);
    }
    expect((await get(vendor)).body.data.terms).toBe('Net 18');
  });

  test('a tag without quotes is refused as malformed, since the record has not changed', async () => {
    const tag = (await tagOf(vendor)).replaceAll('"', '');
    for (const malformed of [tag, 'nonsense', 'x'.repeat(10_000), `"a" ${tag}`, ',']) {
      const { status, headers, body } = await patch('Net 98', { 'If-Match': malformed });
      expect([status, body.code, headers.get('Write-Id')]).toEqual([400, 'SERVICE_INVALID_PARAMETER', null]);
      expect(body.message).toContain('with its quotes');
    }
  });

  test('of two accepted writes with the same tag, the second fails', async () => {
    const tag = await tagOf(vendor);
    const headers = { ...LATER, 'If-Match': tag };
    system.admit(0);
    const [one, other] = await Promise.all(
      ['Net 21', 'Net 22'].map((terms) => send('PATCH', vendor, { terms }, headers)),
    );
    expect([one?.status, other?.status]).toEqual([202, 202]);
    system.admit(Number.POSITIVE_INFINITY);
    const outcome = async (writeId = '') =>
      vi.waitFor(async () => {
        const { body } = await get(`/v4/writes/${writeId}`);
        if (body.status === 'pending' || body.status === 'running') throw new Error(`The write is ${body.status}.`);
        return body.status;
      }, 60_000);
    const statuses = await Promise.all([one, other].map((each) => outcome(each?.body.writeId)));
    expect(statuses.toSorted()).toEqual(['failed', 'succeeded']);
  });

  test('a change in the connected system since the last synchronization is found before the write is sent', async () => {
    const tag = await tagOf(vendor);
    for (const { id } of [...system.rows.values()]) system.put({ id, terms: 'Prepaid' });
    const { status, body } = await patch('Net 60', { 'If-Match': tag });
    expect([status, body.code]).toEqual([412, 'SERVICE_PRECONDITION_FAILED']);
    expect((await get(vendor)).body.data.terms).toBe('Prepaid');
  });
});

test('without read replicas, responses have no position, and reads accept the position of any service', async () => {
  const changed = await patch('Net 14');
  expect([changed.status, changed.headers.get('data-position')]).toEqual([200, null]);
  expect((await get(LIST, { 'Data-Position': 'FFFFFFFFFFFFFFFF' })).status).toBe(200);
  expect((await get(LIST, { 'Data-Position': 'newest' })).body.code).toBe('SERVICE_INVALID_PARAMETER');
});
