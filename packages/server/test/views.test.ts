import type { CompiledMapping } from '@unified/connectors';
import { clientDocument } from '@unified/contract';
import type { Systems } from '@unified/engine';
import { platform } from '@unified/engine/testing/faulty-platform';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems as orderKeeping } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contractOf } from '../../contract/generate/contract-of.ts';
import { json, ref } from '../../contract/generate/document-of.ts';
import type { Document, OperationNode, PathItem, Schema } from '../../contract/generate/openapi.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

/** The document with two views: active vendors, and vendors and currencies together as assets. */
const document = clientDocument() as unknown as Document;
const schemas = document.components.schemas ?? {};
const name: Schema = { type: 'string' };
const kind = (...values: string[]): Schema => ({ type: 'string', enum: values });
const marked = (entity: string, value: string): Schema => ({
  allOf: [...(schemas[entity]?.allOf ?? []), { properties: { kind: { ...kind(value), readOnly: true } } }],
});

const viewed = contractOf({
  ...document,
  paths: {
    ...document.paths,
    ...addressesOf('ActiveVendor', 'active-vendors'),
    ...addressesOf('NamedThing', 'named-things'),
    ...addressesOf('OpenOrder', 'open-orders'),
    '/open-orders/{id}/actions/start': actionOf('startOpenOrder'),
  },
  components: {
    ...document.components,
    schemas: {
      ...schemas,
      Vendor: marked('Vendor', 'vendor'),
      Currency: marked('Currency', 'currency'),
      ActiveVendor: { 'x-view': [{ entity: 'Vendor', where: { isActive: true } }], allOf: [ref('Vendor')] },
      ActiveVendorPatch: { allOf: [ref('VendorPatch')] },
      ActiveVendorInput: { allOf: [ref('VendorInput')] },
      NamedThing: {
        'x-view': [
          { entity: 'Vendor', where: { kind: 'vendor' } },
          { entity: 'Currency', where: { kind: 'currency' } },
        ],
        allOf: [ref('Entity'), { properties: { name, kind: kind('vendor', 'currency') } }],
      },
      NamedThingPatch: { properties: { name, kind: kind('vendor', 'currency') }, unevaluatedProperties: false },
      NamedThingInput: { allOf: [ref('NamedThingPatch')], required: ['name', 'kind'] },
      OpenOrder: { 'x-view': [{ entity: 'WorkOrder', where: { statusCategory: 'open' } }], allOf: [ref('WorkOrder')] },
      OpenOrderPatch: { allOf: [ref('WorkOrderPatch')] },
      OpenOrderInput: { allOf: [ref('WorkOrderInput')] },
      ...answersOf('ActiveVendor'),
      ...answersOf('NamedThing'),
      ...answersOf('OpenOrder'),
    },
  },
});

function answersOf(entity: string): Record<string, Schema> {
  return {
    [`${entity}Response`]: { properties: { data: ref(entity) } },
    [`${entity}Page`]: { properties: { data: { type: 'array', items: ref(entity) } } },
  };
}

/** All operations on the records of an entity, described as for vendors. */
function addressesOf(entity: string, collection: string): Record<string, PathItem> {
  const [list, one] = [document.paths['/vendors'], document.paths['/vendors/{id}']];
  const own = (verb: string, like: OperationNode | undefined, body?: string): OperationNode => ({
    ...like,
    operationId: `${verb}${entity}`,
    tags: ['Vendors'],
    responses: { '200': json(`${entity}${verb === 'list' ? 'Page' : 'Response'}`) },
    ...(body !== undefined && { requestBody: json(`${entity}${body}`) }),
  });
  return {
    [`/${collection}`]: { get: own('list', list?.get), post: own('create', list?.post, 'Input') },
    [`/${collection}/{id}`]: {
      ...(one?.parameters && { parameters: one.parameters }),
      get: own('get', one?.get),
      patch: own('update', one?.patch, 'Patch'),
      put: own('replace', one?.put, 'Input'),
      delete: { operationId: `delete${entity}`, tags: ['Vendors'], responses: { '204': {} } },
    },
  };
}

function actionOf(operationId: string): PathItem {
  const like = document.paths['/work-orders/{id}/actions/start'];
  return { ...like, post: { ...like?.post, operationId } };
}

/** The faulty system, whose vendors and currencies contain their own kind. */
const systems: Systems = {
  ...orderKeeping,
  platformOf: (id) => {
    const { mappings, ...others } = orderKeeping.platformOf(id);
    const { Vendor, Currency } = mappings;
    return {
      ...others,
      mappings: {
        ...mappings,
        ...(Vendor && { Vendor: saying(Vendor, 'vendor') }),
        ...(Currency && { Currency: saying(Currency, 'currency') }),
      },
    };
  },
};

function saying(mapping: CompiledMapping, value: string): CompiledMapping {
  return {
    ...mapping,
    read: (row) => {
      const record = mapping.read(row);
      return record && { ...record, values: { ...record.values, kind: value } };
    },
  };
}

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}
interface Body {
  readonly data: Thing & readonly Thing[];
  readonly meta: Record<string, unknown>;
  readonly [name: string]: unknown;
}

let system: FaultySystem;
let api: TestApi;
let token: string;

beforeAll(async () => {
  system = await startFaultySystem();
  api = await startApi({ systems, contract: viewed, entities: viewed.entities });
  ({ token } = await api.connect({ platform: platform.id, settings: { url: system.url } }));
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

/** Writes use the maximum wait, because the worker may still be starting during the first one. */
const send = (method: string, path: string, sent?: unknown, headers = { Prefer: 'wait=30' }) =>
  api.fetch<Body>(`/v4${path}`, { method, token, headers, ...(sent !== undefined && { json: sent }) });
const create = async (path: string, sent: object) => (await send('POST', path, sent)).body.data.id;
const lastWrite = async () => (await send('GET', '/writes?per_page=1')).body.data[0];

describe('a view of part of an entity', () => {
  it('lists, counts and gets the records that belong to it', async () => {
    const active = await create('/vendors', { name: 'Active', isActive: true });
    const idle = await create('/vendors', { name: 'Idle', isActive: false });
    const { body } = await send('GET', '/active-vendors?with_total=true&sort=name&filter[name:in]=Active,Idle');
    expect([body.data.map(({ id }) => id), body.meta.total]).toEqual([[active], 1]);
    expect((await send('GET', `/active-vendors/${active}`)).body.data.name).toBe('Active');
    expect(await send('GET', `/active-vendors/${idle}`)).toMatchObject({
      status: 404,
      body: { code: 'SERVICE_NOT_FOUND' },
    });
  });

  it('creates a record that belongs to it, as a write of the entity', async () => {
    const { status, body } = await send('POST', '/active-vendors', { name: 'New' });
    expect([status, body.data.isActive]).toEqual([201, true]);
    expect(await lastWrite()).toMatchObject({ operation: 'createActiveVendor', entity: 'Vendor', op: 'create' });
    expect((await send('GET', `/vendors/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it.each(['POST', 'PATCH', 'PUT'])('refuses a %s that would create a record of the other kind', async (method) => {
    const id = await create('/active-vendors', { name: 'Stays' });
    const path = method === 'POST' ? '/active-vendors' : `/active-vendors/${id}`;
    const { status, body } = await send(method, path, { name: 'Leaves', isActive: false });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(body.details).toEqual([{ path: 'body/isActive', message: expect.stringContaining('it is true') }]);
  });

  it('changes, replaces and deletes only its own records', async () => {
    const id = await create('/active-vendors', { name: 'Here', terms: 'Net 30' });
    const idle = await create('/vendors', { name: 'There', isActive: false });
    const renamed = await send('PATCH', `/active-vendors/${id}`, { name: 'Renamed' });
    expect(renamed.body.data).toMatchObject({ name: 'Renamed', terms: 'Net 30' });
    const replaced = await send('PUT', `/active-vendors/${id}`, { name: 'Replaced' });
    expect(replaced.body.data).toMatchObject({ name: 'Replaced', terms: '', isActive: true });
    expect(await lastWrite()).toMatchObject({ operation: 'replaceActiveVendor', entity: 'Vendor', targetId: id });
    for (const [method, sent] of [['PATCH', { name: 'x' }], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect((await send(method, `/active-vendors/${idle}`, sent)).status).toBe(404);
    }
    expect((await send('DELETE', `/active-vendors/${id}`)).status).toBe(204);
  });

  it('acts only on its own records, like the entity', async () => {
    const id = await create('/work-orders', { name: 'Replace bearing' });
    const acted = await send('POST', `/open-orders/${id}/actions/start`, {});
    expect(acted).toMatchObject({ status: 200, body: { entity: 'WorkOrder', op: 'action', status: 'succeeded' } });
    // Once started, the order is no longer open.
    expect((await send('POST', `/open-orders/${id}/actions/start`, {})).status).toBe(404);
  });
});

describe('a view of several entities', () => {
  it('lists the records of all members, each as returned at the address of its entity', async () => {
    const vendor = await create('/vendors', { name: 'Both 1' });
    const currency = await create('/currencies', { name: 'Both 2', isoCode: 'EUR' });
    const { data } = (await send('GET', '/named-things?sort=name&filter[name:startsWith]=Both')).body;
    expect(data.map(({ id, kind: name }) => [id, name])).toEqual([
      [vendor, 'vendor'],
      [currency, 'currency'],
    ]);
    expect(data[1]).toEqual((await send('GET', `/currencies/${currency}`)).body.data);
  });

  it('creates a record of the entity that the body determines', async () => {
    const { status, body } = await send('POST', '/named-things', { name: 'Crown', kind: 'currency' });
    expect([status, body.data.name]).toEqual([201, 'Crown']);
    expect(await lastWrite()).toMatchObject({ operation: 'createNamedThing', entity: 'Currency' });
    expect((await send('GET', `/currencies/${body.data.id}`)).status).toBe(200);
  });

  it('changes a record of a member entity', async () => {
    const id = await create('/currencies', { name: 'Koruna', isoCode: 'CZK' });
    const { body } = await send('PATCH', `/named-things/${id}`, { name: 'Crown', kind: 'currency' });
    expect(body.data.name).toBe('Crown');
    expect(await lastWrite()).toMatchObject({ entity: 'Currency', op: 'update', targetId: id });
    const moved = await send('PATCH', `/named-things/${id}`, { kind: 'vendor' });
    expect([moved.status, moved.body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect((await send('DELETE', `/named-things/${id}`)).status).toBe(204);
    expect((await send('PATCH', `/named-things/${id}`, { name: 'Late' })).body.code).toBe('SERVICE_RECORD_DELETED');
  });
});

describe('a token for a view of part of an entity', () => {
  const asked = async (path: string, by: string) => (await api.fetch<Body>(`/v4${path}`, { token: by })).body;

  it('shows the writes of the records that the view has, and no others', async () => {
    const connection = await api.connect({ platform: platform.id, settings: { url: system.url } });
    const by = await connection.issueToken({ access: [{ entity: 'ActiveVendor' }] });
    const made = async (values: object, path = '/vendors') => {
      const sent = { method: 'POST', token: connection.token, headers: { Prefer: 'wait=30' }, json: values };
      const { body, headers } = await api.fetch<Body>(`/v4${path}`, sent);
      return { id: body.data.id, writeId: headers.get('write-id') ?? '' };
    };
    const active = await made({ name: 'Shown', isActive: true });
    const idle = await made({ name: 'Confidential', isActive: false });
    const other = await made({ name: 'Crown', isoCode: 'CZK' }, '/currencies');
    const listed = (await asked('/writes', by)).data;
    expect(listed.map(({ targetId }) => targetId)).toEqual([active.id]);
    expect((await asked(`/writes/${active.writeId}`, by)).targetId).toBe(active.id);
    for (const { writeId } of [idle, other]) {
      const { status } = await api.fetch(`/v4/writes/${writeId}`, { token: by });
      expect(status).toBe(404);
    }
    expect((await asked('/writes?entity=Vendor', by)).data).toHaveLength(1);
  });

  it('shows a create that failed, by the values that it was sent with', async () => {
    const connection = await api.connect({ platform: platform.id, settings: { url: 'http://127.0.0.1:1' } });
    const by = await connection.issueToken({ access: [{ entity: 'ActiveVendor' }] });
    const ids = [];
    for (const isActive of [true, false]) {
      const headers = { Prefer: 'respond-async' };
      const sent = { method: 'POST', token: connection.token, headers, json: { name: 'Queued', isActive } };
      ids.push((await api.fetch<Body>('/v4/vendors', sent)).body.writeId);
    }
    expect((await asked('/writes', by)).data.map(({ writeId }) => writeId)).toEqual([ids[0]]);
  });
});

it('has the capabilities of its members', async () => {
  const { data } = (await send('GET', '/capabilities')).body;
  const named = data.map(({ entity }) => entity);
  expect(named).toEqual(expect.arrayContaining(['Vendor', 'Currency']));
  expect(named).not.toContain('NamedThing');
});
