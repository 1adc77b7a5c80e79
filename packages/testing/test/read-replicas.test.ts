import type { WriteRecord } from '@unified/sdk';
import { createMetrics } from '@unified/server';
import { replicaUseOf } from '@unified/store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ReplicatedApi, startReplicatedApi } from './replicated-api.ts';
import { sdkClient } from './sdk-client.ts';

interface Vendor {
  readonly id: string;
  readonly name: string;
  readonly terms: string | null;
}

interface Body {
  readonly code?: string;
  readonly message?: string;
  readonly data: Vendor;
}

/** Maximum time for starting two databases on a busy machine. */
const START_MS = 600_000;
const PATIENCE = { timeout: 120_000, interval: 20 };
vi.setConfig({ testTimeout: 300_000 });

const FUTURE = 'FFFFFFFFFFFFFFFF';

let api: ReplicatedApi;

beforeAll(async () => {
  api = await startReplicatedApi();
}, START_MS);
afterAll(() => api?.stop());

const at = (position: string | null) => ({ headers: { 'Data-Position': position ?? expect.fail('no position') } });

const create = (json: object, headers: Readonly<Record<string, string>> = { Prefer: 'wait=30' }) =>
  api.send<Body & WriteRecord>('/vendors', { method: 'POST', json, headers });

const change = (id: string, terms: string, headers: Readonly<Record<string, string>> = {}) =>
  api.send<Body>(`/vendors/${id}`, { method: 'PATCH', json: { terms }, headers: { Prefer: 'wait=30', ...headers } });

const positionOf = ({ headers }: { readonly headers: Headers }) => headers.get('data-position');

async function namesAt(sent?: { readonly headers: Readonly<Record<string, string>> }): Promise<string[]> {
  const { body } = await api.send<{ data: Vendor[] }>('/vendors?per_page=500', sent);
  return body.data.map(({ name }) => name);
}

const reads = () => replicaUseOf(api.store)[0]?.reads ?? expect.fail('there is no replica');

/** Waits until the replica has replayed a position and serves reads. */
async function caughtUp(position: string | null): Promise<void> {
  const sent = at(position);
  const served = async () => {
    const before = reads();
    await namesAt(sent);
    return reads() > before;
  };
  await expect.poll(served, PATIENCE).toBe(true);
}

/** Carries out `work` while the replica has everything before it, and nothing after it. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await caughtUp(positionOf(await create({ name: 'Before' })));
  await api.standby.pause();
  try {
    await work();
  } finally {
    await api.standby.resume();
  }
}

test('a read with the position of a write sees the write, although the replica does not have it', () =>
  whilePaused(async () => {
    const created = await create({ name: 'Own write' });
    expect(created.status).toBe(201);
    const path = `/vendors/${created.body.data.id}`;
    expect(await namesAt()).not.toContain('Own write');
    expect((await api.send(path)).status).toBe(404);
    const sent = at(positionOf(created));
    expect(await namesAt(sent)).toContain('Own write');
    expect((await api.send(path, sent)).status).toBe(200);
  }));

test('after a 202, the position of the response that shows the outcome includes it', () =>
  whilePaused(async () => {
    const { status, body } = await create({ name: 'Later' }, { Prefer: 'respond-async' });
    expect(status).toBe(202);
    const write = () => api.send<WriteRecord>(`/writes/${body.writeId}`);
    await expect.poll(async () => (await write()).body.status, PATIENCE).toBe('succeeded');
    const settled = await write();
    expect(await namesAt(at(positionOf(settled)))).toContain('Later');
  }));

test('a refused write has a position with which the record can be read again', () =>
  whilePaused(async () => {
    const { body } = await create({ name: 'Contested', terms: 'Net 30' });
    const path = `/vendors/${body.data.id}`;
    const outdated = (await api.send(path, at(FUTURE))).headers.get('etag') ?? '';
    await change(body.data.id, 'Net 45');
    const refused = await change(body.data.id, 'Net 60', { 'If-Match': outdated });
    expect([refused.status, refused.body.code]).toEqual([412, 'SERVICE_PRECONDITION_FAILED']);
    const again = await api.send<Body>(path, at(positionOf(refused)));
    expect(again.body.data.terms).toBe('Net 45');
  }));

test('a tag belongs to the records with which it was returned, on whichever server they were read', () =>
  whilePaused(async () => {
    const list = '/vendors?per_page=500';
    const old = await api.send<{ data: Vendor[] }>(list);
    const position = positionOf(await create({ name: 'Tagged' }));
    const fresh = await api.send<{ data: Vendor[] }>(list, at(position));
    const [oldTag, freshTag] = [old, fresh].map(({ headers }) => headers.get('etag') ?? '');
    expect(freshTag).not.toBe(oldTag);
    const ifNoneMatch = async (tag = '', sent: Readonly<Record<string, string>> = {}) => {
      const found = await api.send<{ data: Vendor[] }>(list, { headers: { ...sent, 'If-None-Match': tag } });
      return [found.status, found.headers.get('etag'), found.status === 304 || found.body.data.length];
    };
    const has = at(position).headers;
    expect(await ifNoneMatch(oldTag)).toEqual([304, oldTag, true]);
    expect(await ifNoneMatch(oldTag, has)).toEqual([200, freshTag, fresh.body.data.length]);
    expect(await ifNoneMatch(freshTag, has)).toEqual([304, freshTag, true]);
    expect(await ifNoneMatch(freshTag)).toEqual([200, oldTag, old.body.data.length]);
  }));

test('queries are read from the replica as well', () =>
  whilePaused(async () => {
    const created = await create({ name: 'Queried' });
    const query = async (headers: Readonly<Record<string, string>> = {}) => {
      const json = { statement: `select count(*) as found from vendors where name = 'Queried'` };
      return (await api.send('/query', { method: 'POST', json, headers })).body;
    };
    expect(await query()).toMatchObject({ data: { rows: [[0]] } });
    expect(await query(at(positionOf(created)).headers)).toMatchObject({ data: { rows: [[1]] } });
  }));

test('a read with the position of a change sees the change', () =>
  whilePaused(async () => {
    const start = await api.send<{ meta: { next_cursor: string } }>('/changes?cursor=latest');
    await create({ name: 'Noticed' });
    const changes = await api.send(`/changes?wait=30&cursor=${start.body.meta.next_cursor}`);
    expect(await namesAt(at(positionOf(changes)))).toContain('Noticed');
  }));

test.each(['', '0', '16/B374D848', '00000016b374d848', '00000016B374D8480', `${FUTURE}, ${FUTURE}`, 'Ü'])(
  'a position that is malformed (%j) is refused with advice',
  async (sent) => {
    for (const path of ['/vendors', '/vendors/0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b']) {
      const { status, body } = await api.send<Body>(path, at(sent));
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
      expect(body.message).toContain('Data-Position');
    }
    const query = { method: 'POST', json: { statement: 'select 1 as one' }, ...at(sent) };
    expect((await api.send('/query', query)).status).toBe(400);
  },
);

test('the metrics show that the replica is used, and how far it is behind', () =>
  whilePaused(async () => {
    const metrics = await createMetrics(api.store);
    const text = await metrics.text();
    expect(text).toMatch(/^unified_replica_up\{replica="1"\} 1$/m);
    expect(text).toMatch(/^unified_replica_reads_total\{replica="1"\} [1-9]\d*$/m);
    expect(text).toMatch(/^unified_replica_lag_bytes\{replica="1"\} \d+$/m);
  }));

test('a position that is not reached anywhere is read from the primary', () =>
  whilePaused(async () => {
    await create({ name: 'Newest' });
    expect(await namesAt(at(FUTURE))).toContain('Newest');
  }));

test('a client of the SDK sees what it has written', () =>
  whilePaused(async () => {
    const writer = await sdkClient(api.baseUrl, api.token);
    const { id } = await writer.vendors.create({ name: 'Of the SDK' });
    expect(await writer.vendors.get(id)).toMatchObject({ id });
  }));

test('a client of the SDK sees each change that it has been notified of', async () => {
  const start = await api.send<{ meta: { next_cursor: string } }>('/changes?cursor=latest');
  const follower = await sdkClient(api.baseUrl, api.token);
  const following = follower.changes.follow({ after: start.body.meta.next_cursor, kind: ['created'] });
  const first = await create({ name: 'Begins the stream' });
  expect((await following.next()).value).toMatchObject({ id: first.body.data.id });
  // The replica has the position at which the stream began, but not that of the next change.
  await whilePaused(async () => {
    const { id } = (await create({ name: 'Noticed later' })).body.data;
    expect((await api.send(`/vendors/${id}`)).status).toBe(404);
    for await (const change of following) if (change.id === id) break;
    expect(await follower.vendors.get(id)).toMatchObject({ id });
  });
});
