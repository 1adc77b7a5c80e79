import { once } from 'node:events';
import { request } from 'node:http';
import { type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Pair {
  readonly serviceId: string;
  readonly externalValue: string;
}
interface Body {
  readonly data: { readonly id: string; readonly [name: string]: unknown } & readonly { readonly id: string }[];
  readonly entries: readonly Pair[];
  readonly nextAfter?: string;
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly count: number; readonly examples: readonly object[] }[];
}

let api: TestApi;
let app: TestApplication;
let other: TestApplication;

beforeAll(async () => {
  api = await startApi({ rateLimits: { token: 1_000_000 } });
  app = await api.signIn(api.connection.applicationId);
  other = await api.signIn();
});
afterAll(() => api.stop());

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });

/** Ids in ascending order. */
const record = (n: number) => `0199d2a4-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const pair = (n: number, externalValue: string): Pair => ({ serviceId: record(n), externalValue });

/** A mapping of a new connection, and calls to it. */
async function mapping(cardinality = 'one_to_one') {
  const { connectionId } = await api.connect({ applicationId: app.applicationId });
  const base = `/connections/${connectionId}/data-mappings`;
  const { data } = (await send('POST', base, { entity: 'Vendor', cardinality })).body;
  const path = `${base}/${data.id}`;
  return {
    base,
    path,
    id: data.id,
    replace: (entries: readonly object[], query = '') => send('PUT', `${path}/entries${query}`, { entries }),
    pairs: async (query = '') => (await send('GET', `${path}/entries${query}`)).body.entries,
    set: (next: string) => send('PUT', path, { cardinality: next }),
  };
}

describe('a data mapping', () => {
  it('is started, listed, read and stopped', async () => {
    const { base, path, id, replace } = await mapping();
    await replace([pair(1, 'A'), pair(2, 'B')]);
    const shown = { id, entity: 'Vendor', cardinality: 'one_to_one', pairs: 2, createdAt: expect.any(String) };
    expect((await send('GET', base)).body.data).toEqual([shown]);
    expect((await send('GET', path)).body.data).toEqual(shown);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', base)).body.data).toEqual([]);
    const gone = [send('GET', path), send('DELETE', path), send('GET', `${path}/entries`), replace([])];
    expect((await Promise.all(gone)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('exists once per entity and connection', async () => {
    const { base } = await mapping();
    expect((await send('POST', base, { entity: 'Vendor' })).body.code).toBe('SERVICE_ALREADY_EXISTS');
    expect((await send('POST', base, { entity: 'Customer' })).body.data).toMatchObject({ cardinality: 'one_to_one' });
  });

  it('is of an entity that exists; the nearest name is suggested', async () => {
    const { base } = await mapping();
    const { status, body } = await send('POST', base, { entity: 'Vendr' });
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ didYouMean: 'Vendor' })]]);
    expect((await send('POST', base, { entity: 'Person' })).status).toBe(400);
  });

  it('is started once per idempotency key', async () => {
    const { base } = await mapping();
    const keyed = { headers: { 'Idempotency-Key': 'mapping' } };
    const [first, again] = [
      await send('POST', base, { entity: 'Item' }, keyed),
      await send('POST', base, { entity: 'Item' }, keyed),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('is not found by other applications, below other connections, or below deleted ones', async () => {
    const { path, id } = await mapping();
    expect((await send('GET', path, undefined, { token: other.token })).status).toBe(404);
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    expect((await send('GET', `/connections/${connectionId}/data-mappings/${id}`)).status).toBe(404);
    await send('DELETE', path.replace(/\/data-mappings.*/, ''));
    expect((await send('GET', path)).status).toBe(404);
  });
});

describe('pairs', () => {
  it('are replaced completely, and ordered by id, then value', async () => {
    const { replace, pairs } = await mapping('many_to_many');
    await replace([pair(9, 'old')]);
    const sent = [pair(2, 'b'), pair(2, 'B'), pair(1, 'z'), pair(2, 'ä'), pair(1, 'z')];
    const expected = [pair(1, 'z'), pair(2, 'B'), pair(2, 'b'), pair(2, 'ä')];
    expect((await replace(sent)).body.entries).toEqual(expected);
    expect(await pairs()).toEqual(expected);
    expect((await replace([])).body).toEqual({ entries: [] });
  });

  it('are paged by position', async () => {
    const { path, replace } = await mapping('many_to_many');
    const all = [pair(1, '1'), pair(1, '2'), pair(1, '3'), pair(2, '0'), pair(3, '0')];
    await replace(all);
    const read: Pair[] = [];
    for (let after = ''; ; ) {
      const { body } = await send('GET', `${path}/entries?limit=2${after}`);
      read.push(...body.entries);
      if (body.nextAfter === undefined) break;
      after = `&after=${body.nextAfter}`;
    }
    expect(read).toEqual(all);
  });

  it.each(['nonsense', Buffer.from('["x","y"]').toString('base64url'), Buffer.from('7').toString('base64url')])(
    'have no position %s',
    async (after) => {
      const { path } = await mapping();
      const { status, body } = await send('GET', `${path}/entries?after=${after}`);
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
    },
  );

  it.each([
    { serviceId: 'V-1', externalValue: 'A' },
    { serviceId: record(1), externalValue: '' },
    { serviceId: record(1) },
  ])('cannot be %j', async (entry) => {
    const { replace } = await mapping();
    expect((await replace([entry])).body.code).toBe('SERVICE_INVALID_BODY');
  });

  it('of a client are separate from the shared ones', async () => {
    const { replace, pairs, path, set } = await mapping();
    const query = `?clientId=${app.clientId}`;
    await replace([pair(1, 'shared')]);
    expect((await replace([pair(2, 'shared')], query)).body.entries).toEqual([pair(2, 'shared')]);
    expect([await pairs(), await pairs(query)]).toEqual([[pair(1, 'shared')], [pair(2, 'shared')]]);
    expect((await send('GET', path)).body.data).toMatchObject({ pairs: 2 });
    expect((await set('one_to_many')).status).toBe(200);
    await replace([], query);
    expect(await pairs()).toEqual([pair(1, 'shared')]);
    const { status, body } = await replace([], `?clientId=${other.clientId}`);
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
  });

  it('can be 100,000 in one request, and no more', async () => {
    const { replace, path } = await mapping();
    const all = Array.from({ length: 100_000 }, (_, n) => pair(n, `EXT-${n}`));
    expect((await replace(all)).body.entries).toEqual(all.slice(0, 100));
    expect((await send('GET', path)).body.data).toMatchObject({ pairs: 100_000 });
    expect((await replace([...all, pair(100_000, 'more')])).body.code).toBe('SERVICE_INVALID_BODY');
    expect((await send('GET', path)).body.data).toMatchObject({ pairs: 100_000 });
  });

  it('are refused above 16 MB, and other bodies above 1 MB', async () => {
    const { path, base } = await mapping();
    const tooLong = 'x'.repeat(16_000_000);
    const large = await send('PUT', `${path}/entries`, { entries: [pair(1, tooLong)] });
    expect([large.status, large.body.code]).toEqual([413, 'SERVICE_BODY_TOO_LARGE']);
    expect((await send('POST', base, { entity: tooLong.slice(0, 1_000_000) })).status).toBe(413);
  });

  it('are received from one application at a time, and from others in the meantime', async () => {
    const [{ path }, { replace }] = [await mapping(), await mapping()];
    const mine = { method: 'PUT', token: other.token, json: { entries: [] } };
    const { connectionId } = await api.connect({ applicationId: other.applicationId });
    const base = `/v4/connections/${connectionId}/data-mappings`;
    const started = await api.fetch<Body>(base, { ...mine, method: 'POST', json: { entity: 'Vendor' } });
    const slow = request(`${api.baseUrl}/v4${path}/entries`, {
      ...{ method: 'PUT', agent: false },
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'application/json' },
    });
    onTestFinished(() => void slow.destroy());
    slow.write('{"entries":[');
    await expect.poll(async () => (await replace([])).status).toBe(503);
    const { status, headers, body } = await replace([]);
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect((await api.fetch(`${base}/${started.body.data.id}/entries`, mine)).status).toBe(200);
    slow.end(']}');
    const [response] = await once(slow, 'response');
    expect(response.resume().statusCode).toBe(200);
    expect((await replace([])).status).toBe(200);
  });

  it('of two concurrent requests are those of one of them', async () => {
    const { replace, pairs } = await mapping();
    const sets = ['a', 'b'].map((name) => Array.from({ length: 500 }, (_, n) => pair(n, `${name}${n}`)));
    const answers = await Promise.all(sets.map((set) => replace(set)));
    expect(answers.map(({ status }) => status)).toContain(200);
    const kept = (await pairs('?limit=1000')).map(({ externalValue }) => externalValue[0]);
    expect([kept.length, new Set(kept).size]).toEqual([500, 1]);
  });
});

describe('the cardinality', () => {
  const twoValues = [pair(1, 'A'), pair(1, 'B')];
  const twoRecords = [pair(1, 'A'), pair(2, 'A')];

  it.each([
    ['one_to_one', twoValues, 409],
    ['one_to_one', twoRecords, 409],
    ['one_to_many', twoValues, 200],
    ['one_to_many', twoRecords, 409],
    ['many_to_many', [...twoValues, ...twoRecords], 200],
  ])('%s is enforced (case %#)', async (cardinality, entries, status) => {
    const { replace } = await mapping(cardinality);
    expect((await replace(entries)).status).toBe(status);
  });

  it('leaves the pairs unchanged if those of a request do not fit, and names examples and their number', async () => {
    const { replace, pairs } = await mapping();
    await replace([pair(1, 'kept')]);
    const entries = Array.from({ length: 20 }, (_, n) => pair(n, `V${Math.floor(n / 2)}`));
    const { status, body } = await replace(entries);
    expect([status, body.code]).toEqual([409, 'SERVICE_MAPPING_CONFLICT']);
    expect(body.details).toMatchObject([{ path: 'body/entries', count: 10 }]);
    expect(body.details[0]?.examples).toHaveLength(5);
    expect(body.details[0]?.examples[0]).toEqual({ externalValue: 'V0', count: 2, serviceIds: [record(0), record(1)] });
    expect(await pairs()).toEqual([pair(1, 'kept')]);
  });

  it('is changed if the pairs fit', async () => {
    const { replace, set, path } = await mapping('one_to_many');
    await replace(twoValues);
    const refused = await set('one_to_one');
    expect([refused.status, refused.body.code]).toEqual([409, 'SERVICE_MAPPING_CONFLICT']);
    expect(refused.body.message).toContain(`serviceId "${record(1)}" has 2`);
    expect((await send('GET', path)).body.data).toMatchObject({ cardinality: 'one_to_many' });
    expect((await set('many_to_many')).body.data).toMatchObject({ cardinality: 'many_to_many', pairs: 2 });
  });
});
