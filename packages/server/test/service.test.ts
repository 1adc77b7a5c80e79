import { clientDocument, entities } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { saveRecords } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

addSandboxPlatform();

interface Change {
  readonly seq: number;
  readonly kind: string;
  readonly entity: string;
  readonly id: string;
  readonly fields: readonly string[];
  readonly href: string;
}
interface ChangePage {
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string };
  readonly data: readonly Change[];
}

let api: TestApi;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  connection = await api.connect({ platform: 'sandbox', settings: { url: 'postgres://unknown@localhost/none' } });
});
afterAll(() => api.stop());

const send = <Body = Record<string, unknown>>(path: string, sent: object = {}) =>
  api.fetch<Body>(`/v4${path}`, { token: connection.token, ...sent });
const save = (entity: 'Vendor' | 'Currency', _idValue: string, name: string) =>
  saveRecords(connection.scope, entities[entity], [
    { _source: 't', _idValue, values: { code: _idValue, name }, references: {} },
  ]);

describe('the change log', () => {
  const changes = async (query: string) => (await send<ChangePage>(`/changes?${query}`)).body;

  it('returns the created and updated records in order, with their fields and addresses', async () => {
    const { ids } = await save('Vendor', '1', 'ACME');
    await save('Vendor', '1', 'ACME Ltd.');
    const { meta, data } = await changes('');
    expect(data.map(({ kind, entity, id, fields }) => ({ kind, entity, id, fields }))).toEqual([
      { kind: 'created', entity: 'Vendor', id: ids[0], fields: [] },
      { kind: 'updated', entity: 'Vendor', id: ids[0], fields: expect.arrayContaining(['name']) },
    ]);
    expect(data[0]?.href).toBe(`${connection.scope.publicUrl}/v4/vendors/${ids[0]}`);
    expect(meta).toMatchObject({ has_more: false, next_cursor: String(data[1]?.seq) });
  });

  it('continues from a cursor and misses nothing', async () => {
    for (const name of ['a', 'b', 'c']) await save('Vendor', name, name);
    const first = await changes('per_page=2');
    expect([first.data.length, first.meta.has_more]).toEqual([2, true]);
    const rest = await changes(`per_page=2&cursor=${first.meta.next_cursor}`);
    expect([rest.data.length, rest.meta.has_more]).toEqual([1, false]);
    expect((await changes(`cursor=${rest.meta.next_cursor}`)).data).toEqual([]);
  });

  it('begins with later changes at `latest`', async () => {
    await save('Vendor', '1', 'Before');
    const { meta, data } = await changes('cursor=latest');
    expect(data).toEqual([]);
    await save('Vendor', '2', 'After');
    expect((await changes(`cursor=${meta.next_cursor}`)).data).toHaveLength(1);
  });

  it('can be limited to kinds of records, and refuses unknown ones', async () => {
    await save('Vendor', '1', 'ACME');
    await save('Currency', 'EUR', 'Euro');
    expect((await changes('entity=Currency')).data.map(({ entity }) => entity)).toEqual(['Currency']);
    expect((await changes('entity=Currency,Vendor')).data).toHaveLength(2);
    expect((await changes('entity=Currency%2CVendor')).data).toHaveLength(2);
    expect(await send('/changes?entity=Supplier')).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_PARAMETER', message: expect.stringContaining('Supplier') },
    });
  });

  it('contains only the changes of its connection', async () => {
    await save('Vendor', '1', 'ACME');
    const { token } = await api.connect({ platform: 'sandbox' });
    expect((await send<ChangePage>('/changes', { token })).body.data).toEqual([]);
  });

  it.each(['abc', '-1', '1e3', '2', '999999999999999999', '9'.repeat(40)])(
    'refuses a cursor that it never returned: %s',
    async (cursor) => {
      await save('Vendor', '1', 'ACME');
      expect(await send(`/changes?cursor=${cursor}`)).toMatchObject({
        ...{ status: 400, body: { code: 'SERVICE_INVALID_CURSOR' } },
      });
      expect(await send(`/changes?entity=Currency&cursor=${cursor}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('capabilities', () => {
  it('are returned for every entity of the document that is not a view', async () => {
    const { status, body } = await send<{ data: { entity: string; collection: string }[] }>('/capabilities');
    expect(status).toBe(200);
    const stored = Object.values(entities).filter(({ view }) => !view);
    expect(body.data.map(({ entity }) => entity).sort()).toEqual(stored.map(({ name }) => name).sort());
    for (const { collection } of body.data) expect(clientDocument().paths).toHaveProperty([collection]);
  });

  it('list what the connected system supports', async () => {
    expect((await send('/capabilities/PurchaseOrder')).body).toMatchObject({
      data: {
        entity: 'PurchaseOrder',
        operations: ['list', 'get', 'create', 'update', 'replace'],
        actions: expect.arrayContaining(['submit', 'approve', 'cancel']),
        readFields: expect.arrayContaining(['vendor', 'subtotal']),
        writeFields: expect.not.arrayContaining(['subtotal']),
        requiredFields: ['vendor', 'lines'],
      },
    });
  });

  it.each([
    ['has no PATCH', 'Site', ['list', 'get', 'create', 'replace']],
    ['is written at a legacy address only', 'BillOfMaterial', ['list', 'get', 'create', 'replace']],
    ['is replaced at the addresses of its views only', 'InventoryDocument', ['list', 'get', 'create', 'replace']],
  ])('list only operations that have an address: an entity that %s', async (_, entity, expected) => {
    expect((await send(`/capabilities/${entity}`)).body).toMatchObject({ data: { operations: expected } });
  });

  it('differ from system to system', async () => {
    const { token } = await api.connect({ platform: 'tryton' });
    expect((await send('/capabilities/WorkOrder', { token })).body).toMatchObject({
      data: { operations: [], actions: [], readFields: [], writeFields: [], requiredFields: [] },
    });
  });

  it('of an unknown entity are not found', async () => {
    expect(await send('/capabilities/Supplier')).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
  });
});

describe('the synchronization', () => {
  it('lists every stream with its entities, even before the first run', async () => {
    const { body } = await send<{ data: { stream: string }[] }>('/sync-status');
    expect(body.data.find(({ stream }) => stream === 'lief')).toEqual({
      stream: 'lief',
      entities: ['Vendor'],
      lastSuccessAt: null,
      lastFullAt: null,
      runningSince: null,
      mode: null,
      error: null,
      nextRunAt: null,
      rowsSeen: 0,
      pendingRelations: 0,
      problems: [],
    });
  });

  it('is requested with and without a body', async () => {
    const json = { mode: 'full', entities: ['Vendor'] };
    expect((await send('/sync', { method: 'POST', json })).status).toBe(202);
    expect((await send('/sync', { method: 'POST' })).status).toBe(202);
  });

  it('cannot be requested for unknown entities', async () => {
    const json = { entities: ['Vendor', 'Supplier'] };
    expect(await send('/sync', { method: 'POST', json })).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_BODY', details: [{ path: 'body/entities/1' }] },
    });
  });
});
