import { clientDocument, entities } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

addSandboxPlatform();

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

  it('list the values of a field, if the system accepts only some', async () => {
    const { data } = (await send('/capabilities/PurchaseRequisition')).body;
    expect(data).toMatchObject({
      allowedValues: expect.arrayContaining([{ field: 'priorityLevel', values: [1, 2, 3, 4, 5] }]),
      deleteDetection: expect.stringMatching(/^(native|diff|none)$/),
    });
  });

  it.each([
    ['has no PATCH', 'Site', ['list', 'get', 'create', 'replace']],
    ['is written only at a legacy address', 'BillOfMaterial', ['list', 'get', 'create', 'replace']],
    ['is replaced only at the addresses of its views', 'InventoryDocument', ['list', 'get', 'create', 'replace']],
  ])('list only operations that have an address: an entity that %s', async (_, entity, expected) => {
    expect((await send(`/capabilities/${entity}`)).body).toMatchObject({ data: { operations: expected } });
  });

  it('differ from system to system', async () => {
    const { token } = await api.connect({ platform: 'tryton' });
    expect((await send('/capabilities/WorkOrder', { token })).body).toMatchObject({
      data: {
        operations: [],
        actions: [],
        readFields: [],
        writeFields: [],
        requiredFields: [],
        allowedValues: [],
        deleteDetection: null,
      },
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
      columnChanges: [],
    });
  });

  it('shows how many calls of the connected system are in progress, and allowed', async () => {
    const { body } = await send<{ quota: object }>('/sync-status');
    expect(body.quota).toEqual({ callsAtOnce: 4, callsInProgress: 0, pausedUntil: null, pauseReason: null });
  });

  it('is requested with and without a body', async () => {
    const json = { mode: 'full', entities: ['Vendor'] };
    expect((await send('/sync', { method: 'POST', json })).status).toBe(202);
    expect((await send('/sync', { method: 'POST' })).status).toBe(202);
    const streams = { streams: ['lief'], acceptColumns: true, acceptDeletes: true };
    expect((await send('/sync', { method: 'POST', json: streams })).status).toBe(202);
  });

  it('cannot be requested for unknown streams', async () => {
    const json = { streams: ['lief', 'leif'] };
    const message = 'The connection has no stream "leif". Did you mean "lief"?';
    expect(await send('/sync', { method: 'POST', json })).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_BODY', details: [{ path: 'body/streams/1', message }] },
    });
  });

  it('cannot be requested for unknown entities', async () => {
    const json = { entities: ['Vendor', 'Supplier'] };
    expect(await send('/sync', { method: 'POST', json })).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_BODY', details: [{ path: 'body/entities/1' }] },
    });
  });
});
