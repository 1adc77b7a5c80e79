import { entities, operations } from '@unified/contract';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { deleteRecords, saveRecords } from '@unified/store';
import {
  type Seeded,
  type Sent,
  seed,
  api as startApi,
  type TestApi,
  type TestApplication,
  type TestConnection,
} from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

type Vendor = Readonly<Record<string, unknown>> & { readonly id: string };
interface Body {
  readonly code: string;
  readonly data: Vendor;
  readonly writeId: string;
}
interface Capability {
  readonly operations: readonly string[];
  readonly actions: readonly string[];
}
interface Page<Item = Vendor> {
  readonly data: readonly Item[];
}

/** Vendors with few fields, all work orders, and no other entities. */
const ACCESS = [{ entity: 'Vendor', fields: ['currency', 'isActive', 'notes'] }, { entity: 'WorkOrder' }];
const WAIT = { Prefer: 'wait=30' };

let api: TestApi;
let app: TestApplication;
let system: FaultySystem;
let read: TestConnection;
let written: TestConnection;
let seeded: Seeded;
/** Tokens of the connection with the seeded records, and of the connection that is written to. */
let token: string;
let writer: string;

beforeAll(async () => {
  api = await startApi({ systems, policies: fastRetries });
  app = await api.signIn();
  const { applicationId } = app;
  system = await startFaultySystem();
  read = await api.connect({ applicationId });
  written = await api.connect({ applicationId, platform: 'faulty', settings: { url: system.url } });
  seeded = await seed(read.scope);
  token = await issue(read, ACCESS);
  writer = await issue(written, ACCESS);
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

async function issue({ connectionId }: TestConnection, access: readonly object[]): Promise<string> {
  const sent = { method: 'POST', token: app.token, json: { access } };
  const { status, body } = await api.fetch<Body>(`/v4/connections/${connectionId}/token`, sent);
  expect([status, body]).toEqual([201, { data: expect.objectContaining({ access }) }]);
  return String(body.data.token);
}

const get = <Answer = Body>(path: string, by = token, headers = {}) =>
  api.fetch<Answer>(`/v4${path}`, { token: by, headers });
const send = (method: string, path: string, json: unknown, by = writer, headers: Sent['headers'] = WAIT) =>
  api.fetch<Body>(`/v4${path}`, { method, token: by, headers, json });
const create = async (values: object) => (await send('POST', '/vendors', values, written.token)).body.data.id;

const REFUSED = { status: 403, body: { code: 'SERVICE_FORBIDDEN' } };
const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

describe('a token is narrowed', () => {
  const attempt = (access: unknown) =>
    api.fetch<Body & { readonly details: readonly { readonly path: string }[] }>(
      `/v4/connections/${read.connectionId}/token`,
      { method: 'POST', token: app.token, json: { access } },
    );

  it.each([
    [[{ entity: 'Vendors' }], 'body/access/0/entity'],
    [[{ entity: 'Persons' }], 'body/access/0/entity'],
    [[{ entity: 'Vendor', fields: ['nmae'] }], 'body/access/0/fields/0'],
    [[{ entity: 'Vendor', fields: ['constructor'] }], 'body/access/0/fields/0'],
    [[{ entity: 'Vendor' }, { entity: 'Vendor' }], 'body/access/1/entity'],
    [[], 'body/access'],
  ])('only to entities and fields that exist, each once: %j', async (access, path) => {
    const { status, body } = await attempt(access);
    expect([status, body.code, body.details[0]?.path]).toEqual([400, 'SERVICE_INVALID_BODY', path]);
  });
});

it('a token is narrowed to a list of records of other entities, such as persons', async () => {
  const [, employee] = await Promise.all([
    saveRecords(read.scope, entities.Contact, [
      { _source: 'contact', _idValue: 'c', values: { name: 'Kim Contact', kind: 'contact' }, references: {} },
    ]),
    saveRecords(read.scope, entities.Employee, [
      {
        ...{ _source: 'employee', _idValue: 'e', references: {} },
        values: { name: 'Ida Kern', kind: 'employee', annualRate: 52_000 },
      },
    ]),
  ]);
  const own = await issue(read, [{ entity: 'Person' }]);
  const { body } = await get<Page>('/persons?sort=name', own);
  expect(body.data.map(({ name, annualRate }) => [name, annualRate])).toEqual([
    ['Ida Kern', undefined],
    ['Kim Contact', undefined],
  ]);
  expect(await get(`/employees/${employee.ids[0]}`, own)).toMatchObject(REFUSED);
  await issue(
    read,
    Object.keys(entities).map((entity) => ({ entity })),
  );
  const named = await issue(read, [{ entity: 'Person', fields: ['email'] }]);
  const [first] = (await get<Page>('/persons?sort=code', named)).body.data;
  expect([first?.name, first?._displayValue]).toEqual([undefined, first?._idValue]);
});

describe('a token without the scope', () => {
  const ofData = operations.filter(({ surface }) => surface === 'data');
  const limitedTo = async (scopes: readonly string[]) => {
    const sent = { method: 'POST', token: app.token, json: { scopes } };
    const { body } = await api.fetch<Body>(`/v4/connections/${written.connectionId}/token`, sent);
    expect(body.data.scopes).toEqual(scopes);
    return String(body.data.token);
  };
  const statusOf = async ({ method, path }: (typeof ofData)[number], by: string) => {
    const sent = { method: method.toUpperCase(), token: by, ...(/^(post|put|patch)$/.test(method) && { json: {} }) };
    const { status, body } = await api.fetch<Body>(`/v4${path.replace(/\{\w+\}/g, UNKNOWN)}`, sent);
    return status === 403 ? body.code : status;
  };

  it('write cannot call any operation that writes, but calls all others', async () => {
    const reader = await limitedTo(['read']);
    expect(new Set(ofData.map(({ method }) => method))).toEqual(new Set(['get', 'post', 'put', 'patch', 'delete']));
    for (const operation of ofData) {
      const result = await statusOf(operation, reader);
      // A query reads, although its statement is sent with POST.
      if (operation.method === 'get' || operation.id === 'runQuery')
        expect([operation.id, result]).not.toContain('SERVICE_FORBIDDEN');
      else expect([operation.id, result]).toContain('SERVICE_FORBIDDEN');
    }
    const made = await send('POST', '/vendors', { name: 'Never' }, reader);
    expect(made).toMatchObject(REFUSED);
    expect((await get<Page>('/vendors?filter[name]=Never', written.token)).body.data).toEqual([]);
  });

  it('read cannot call any operation that reads, but can write', async () => {
    const sender = await limitedTo(['write']);
    for (const operation of ofData.filter(({ method }) => method === 'get'))
      expect([operation.id, await statusOf(operation, sender)]).toContain('SERVICE_FORBIDDEN');
    expect((await send('POST', '/vendors', { name: 'Sent' }, sender)).status).toBe(201);
  });

  it.each([
    ['read', 'write', 'POST'],
    ['write', 'read', 'GET'],
  ])('is refused with that scope in WWW-Authenticate (RFC 6750): %s only', async (scope, needed, method) => {
    const limited = await limitedTo([scope]);
    const { headers } = await api.fetch('/v4/vendors', {
      method,
      token: limited,
      ...(method === 'POST' && { json: {} }),
    });
    const challenge = `Bearer realm="unified", error="insufficient_scope", scope="${needed}"`;
    expect(headers.get('www-authenticate')).toBe(challenge);
  });

  it('is issued with at least one, each once', async () => {
    const attempt = (scopes: unknown) =>
      api.fetch(`/v4/connections/${read.connectionId}/token`, { method: 'POST', token: app.token, json: { scopes } });
    for (const scopes of [[], ['read', 'read'], ['admin'], null])
      expect([scopes, (await attempt(scopes)).status]).toEqual([scopes, 400]);
  });
});

describe('an entity outside', () => {
  const PARAMETER = /\{\w+\}/g;
  const ofData = operations.filter(({ surface }) => surface === 'data');
  const granted = new Set(ACCESS.map(({ entity }) => entity));
  const others = ofData.filter(({ entity }) => entity !== undefined && !granted.has(entity));

  it.each(others.map(({ id, method, path }) => [id, method, path]))('is refused: %s', async (_, method, path) => {
    const sent = { method: method.toUpperCase(), token, ...(method === 'get' ? {} : { json: {} }) };
    expect(await api.fetch<Body>(`/v4${path.replaceAll(PARAMETER, UNKNOWN)}`, sent)).toMatchObject(REFUSED);
  });

  it('is refused as a filter of the change log and of writes, and as a capability', async () => {
    for (const path of ['/changes?entity=Currency', '/writes?entity=Currency', '/capabilities/Currency'])
      expect(await get(path)).toMatchObject(REFUSED);
  });

  it('is refused by operations that are not limited to entities', async () => {
    expect(await get('/sync-status')).toMatchObject(REFUSED);
    expect(await send('POST', '/sync', {}, token)).toMatchObject(REFUSED);
  });

  it('is returned as a reference, but neither expanded nor compared', async () => {
    const { body } = await get<Page>('/vendors?filter[isActive]=false');
    expect(body.data[0]?.currency).toMatchObject({ rel: 'Currency', _displayValue: expect.any(String) });
    for (const [query, code] of [
      ['expand=currency', 'SERVICE_INVALID_EXPAND'],
      ['filter[currency.code]=EUR', 'SERVICE_INVALID_FILTER'],
    ])
      expect(await get(`/vendors?${query}`)).toMatchObject({ status: 400, body: { code } });
    const euro = `filter[currency]=${seeded.currencies[0]}`;
    expect((await get<Page>(`/vendors?${euro}`)).body.data.length).toBeGreaterThan(0);
  });
});

describe('a field outside', () => {
  const names = (vendor: Vendor | undefined) => Object.keys(vendor ?? {});

  it('is absent from lists and records, by any token that lacks it', async () => {
    const id = seeded.vendors[1];
    const whole = (await get(`/vendors/${id}`, read.token)).body.data;
    expect(whole).toMatchObject({ legalName: expect.any(String), leadTimeDays: 1 });
    const { body, headers } = await get(`/vendors/${id}`);
    const listed = (await get<Page>('/vendors')).body.data.find((each) => each.id === id);
    expect(listed).toEqual(body.data);
    expect(names(body.data)).toEqual(expect.arrayContaining(['id', 'name', 'terms', 'currency', 'isActive']));
    for (const absent of ['legalName', 'leadTimeDays', 'accountPayable', 'customFields'])
      expect(names(body.data)).not.toContain(absent);
    expect(headers.get('etag')).toMatch(/^W\//);
  });

  it('has the response of a field that does not exist', async () => {
    const like = async (query: (name: string) => string) => {
      const [hidden, unknown] = [
        await get(`/vendors?${query('legalName')}`),
        await get(`/vendors?${query('nothing')}`),
      ];
      expect(hidden.status).toBe(400);
      expect(JSON.stringify(hidden.body).replaceAll('legalName', 'nothing')).toBe(JSON.stringify(unknown.body));
    };
    await like((name) => `filter[${name}]=x`);
    await like((name) => `filter[${name}:startsWith]=x`);
    await like((name) => `sort=${name}`);
    await like((name) => `sort=-${name}`);
    await like((name) => `fields=${name}`);
    await like((name) => `expand=${name}`);
    await like((name) => `filter=${encodeURIComponent(JSON.stringify({ [name]: 'x' }))}`);
  });

  it('is as unknown after a token that has it made the same request', async () => {
    const path = '/vendors?sort=legalName&filter[leadTimeDays:gt]=2';
    expect((await get(path, read.token)).status).toBe(200);
    expect((await get(path)).status).toBe(400);
    expect((await get(path, read.token)).status).toBe(200);
  });

  it('hides the values of data mappings, like a relation that does not exist', async () => {
    const path = `/v4/connections/${read.connectionId}/data-mappings`;
    const made = await api.fetch<Body>(path, { method: 'POST', token: app.token, json: { entity: 'Vendor' } });
    const entries = [{ serviceId: seeded.vendors[1], externalValue: 'V-1' }];
    const sent = { method: 'PUT', token: app.token, json: { entries } };
    expect((await api.fetch(`${path}/${made.body.data.id}/entries`, sent)).status).toBe(200);
    const address = (name: string) => `/vendors/${seeded.vendors[1]}?extend=${name}`;
    expect((await get(address('externalValues'), read.token)).body.data).toMatchObject({ externalValues: ['V-1'] });
    const whole = await issue(read, [{ entity: 'Vendor' }]);
    expect((await get(address('externalValues'), whole)).body.data).toMatchObject({ externalValues: ['V-1'] });
    const [hidden, unknown] = [await get(address('externalValues')), await get(address('nothingValues'))];
    expect([hidden.status, JSON.stringify(hidden.body).replaceAll('externalValues', 'nothingValues')]).toEqual([
      ...[400, JSON.stringify(unknown.body)],
    ]);
    expect((await get('/vendors?extend=externalValues')).status).toBe(400);
  });

  it('is absent from expanded records', async () => {
    const own = await issue(read, [{ entity: 'Vendor' }, { entity: 'Currency', fields: ['isoCode'] }]);
    const { body } = await get<Page>('/vendors?expand=currency&filter[isActive]=false', own);
    const currency = body.data[0]?.currency as Vendor;
    expect(names(currency)).toEqual(expect.arrayContaining(['id', 'code', '_updatedAt']));
    expect(names(currency)).not.toContain('description');
    expect((await get('/vendors?filter[currency.code]=EUR', own)).status).toBe(200);
  });

  it('makes no response of another token valid', async () => {
    const path = '/vendors?per_page=3';
    for (const [mine, other] of [
      [token, read.token],
      [read.token, token],
    ]) {
      const tag = (await get(path, mine)).headers.get('etag') ?? '';
      expect((await get(path, mine, { 'If-None-Match': tag })).status).toBe(304);
      expect((await get(path, other, { 'If-None-Match': tag })).status).toBe(200);
    }
    const tag = (await get(`/vendors/${seeded.vendors[1]}`)).headers.get('etag') ?? '';
    const sent = { ...WAIT, 'If-Match': tag };
    expect(
      (await send('PATCH', `/vendors/${await create({ name: 'Tagged' })}`, { notes: 'x' }, writer, sent)).status,
    ).toBe(412);
  });

  it('is not revealed by If-Match, which no tag of the whole record matches', async () => {
    const path = `/vendors/${await create({ name: 'Guessed', rating: 4 })}`;
    const tag = (await get(path, written.token)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"/);
    const patch = (by: string, match: string) =>
      send('PATCH', path, { notes: 'x' }, by, { ...WAIT, 'If-Match': match });
    expect((await patch(writer, tag)).status).toBe(412);
    expect((await patch(writer, '*')).status).toBe(200);
  });

  const concernAll = operations.filter(({ kind, surface }) => surface === 'data' && /^(delete|action)$/.test(kind));
  const legacy = operations.filter(({ id }) => id === 'putWorkOrderStatus');

  it('belongs to a record that is neither deleted nor changed by an action', async () => {
    const names = new Set(concernAll.map(({ entity }) => String(entity)));
    const own = await issue(
      written,
      [...names].map((entity) => ({ entity, fields: ['id'] })),
    );
    expect(new Set(concernAll.map(({ kind }) => kind)).size).toBe(2);
    for (const { method, path } of [...concernAll, ...legacy]) {
      const sent = { method: method.toUpperCase(), token: own, ...(method !== 'delete' && { json: {} }) };
      const { status, body } = await api.fetch(`/v4${path.replace(/\{\w+\}/g, UNKNOWN)}`, sent);
      expect([path, status, JSON.stringify(body)]).toEqual([path, 403, expect.stringContaining('all fields of')]);
    }
  });

  it('is refused in bodies, and nothing is written', async () => {
    const id = await create({ name: 'Kept', rating: 4 });
    for (const [method, path] of [
      ['POST', '/vendors'],
      ['PATCH', `/vendors/${id}`],
      ['PUT', `/vendors/${id}`],
    ] as const)
      expect(await send(method, path, { name: 'Changed', terms: 'Net 10', rating: 5 })).toMatchObject(REFUSED);
    expect((await get(`/vendors/${id}`, written.token)).body.data).toMatchObject({ name: 'Kept', rating: 4 });
  });

  const whole = operations.filter(
    ({ id, kind, surface }) =>
      surface === 'data' && (/^(create|createMany|replace)$/.test(kind) || id === 'replaceFiscalCalendarByCode'),
  );

  it('is named by creates and replacements that need it', async () => {
    const needing = whole.flatMap(({ id, method, path, entity = 'FiscalCalendar' }) => {
      const { requiredOnCreate, field } = entities[entity as keyof typeof entities];
      const hidden = requiredOnCreate.find((name) => !field[name]?.required);
      return hidden === undefined ? [] : [{ id, method, path, entity, hidden }];
    });
    const own = await issue(
      written,
      [...new Set(needing.map(({ entity }) => entity))].map((entity) => ({ entity, fields: ['id'] })),
    );
    expect(needing.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['createWorkOrder', 'createMeterReadings', 'replaceFiscalCalendarByCode']),
    );
    for (const { id, method, path, entity, hidden } of needing) {
      const { status, body } = await api.fetch<{ message: string }>(`/v4${path.replace(/\{\w+\}/g, UNKNOWN)}`, {
        ...{ method: method.toUpperCase(), token: own, json: {} },
      });
      expect([id, status, body.message]).toEqual([
        ...[id, 403, expect.stringContaining(`the field ${hidden} of ${entity}`)],
      ]);
    }
  });

  it('is kept by a replacement', async () => {
    const id = await create({ name: 'Before', rating: 4, notes: 'old' });
    const { status, body } = await send('PUT', `/vendors/${id}`, { name: 'After', terms: 'Net 10' });
    expect([status, body.data.name, names(body.data).includes('rating')]).toEqual([200, 'After', false]);
    expect((await get(`/vendors/${id}`, written.token)).body.data).toMatchObject({ rating: 4, notes: null });
  });

  it('is absent from write records, which are neither retried nor reversed', async () => {
    const made = await send('POST', '/vendors', { name: 'Told', rating: 4, notes: 'n' }, written.token);
    const writeId = made.headers.get('write-id') ?? '';
    const path = `/writes/${writeId}`;
    expect(JSON.stringify((await get(path, written.token)).body)).toContain('"rating"');
    for (const { body } of [await get<unknown>(path, writer), await get<unknown>('/writes', writer)]) {
      expect(JSON.stringify(body)).toContain('"notes"');
      expect(JSON.stringify(body)).not.toContain('"rating"');
    }
    for (const action of ['compensate', 'retry', 'verify', 'cancel'])
      expect(await api.fetch(`/v4${path}/actions/${action}`, { method: 'POST', token: writer })).toMatchObject(REFUSED);
  });

  it('is absent from the change log, and so is a change of it alone', async () => {
    const values = { name: 'Logged', _updatedAt: '2026-01-01T00:00:00Z' };
    const save = (more: object) =>
      saveRecords(read.scope, entities.Vendor, [
        { _source: 'log', _idValue: '1', values: { ...values, ...more }, references: {} },
      ]);
    interface Change {
      readonly kind: string;
      readonly fields: readonly string[];
    }
    const { meta } = (await get<{ meta: { next_cursor: string } }>('/changes?cursor=latest')).body;
    await save({ rating: 1, notes: 'a' });
    await save({ rating: 2, notes: 'a' });
    await save({ rating: 3, notes: 'b' });
    const changes = async (by: string) =>
      (await get<Page<Change>>(`/changes?cursor=${meta.next_cursor}`, by)).body.data.map(({ kind, fields }) => [
        kind,
        fields.toSorted(),
      ]);
    expect(await changes(read.token)).toEqual([
      ['created', []],
      ['updated', ['rating']],
      ['updated', ['notes', 'rating']],
    ]);
    expect(await changes(token)).toEqual([
      ['created', []],
      ['updated', ['notes']],
    ]);
  });

  it('is absent from the change log of a list such as cycle counts, which has only the changes of its records', async () => {
    interface Change {
      readonly entity: string;
      readonly kind: string;
      readonly fields: readonly string[];
      readonly href: string;
    }
    const save = async (idValue: string, documentType: string, more: object) => {
      const values = { documentType, statusCategory: 'draft', _updatedAt: '2026-01-01T00:00:00Z', ...more };
      const draft = { _source: 'document', _idValue: idValue, values, references: {} };
      return (await saveRecords(read.scope, entities.InventoryDocument, [draft])).ids[0];
    };
    const { meta } = (await get<{ meta: { next_cursor: string } }>('/changes?cursor=latest')).body;
    const count = await save('C1', 'count', {});
    await save('T1', 'transfer', {});
    await save('C1', 'count', { isBlind: true, waveNumber: 'W-1' });
    await save('C1', 'count', { isBlind: true, waveNumber: 'W-2' });
    await deleteRecords(read.scope, entities.InventoryDocument, 'document', ['C1'], '2026-11-20T09:30:00Z');
    const own = await issue(read, [{ entity: 'CycleCount' }]);
    for (const query of ['', '&entity=InventoryDocument']) {
      const { body } = await get<Page<Change>>(`/changes?cursor=${meta.next_cursor}${query}`, own);
      expect(body.data).toMatchObject([
        { entity: 'InventoryDocument', kind: 'created', fields: [] },
        { entity: 'InventoryDocument', kind: 'updated', fields: ['isBlind'] },
        { entity: 'InventoryDocument', kind: 'deleted', fields: ['_deletedAt'] },
      ]);
      const address = `${read.scope.publicUrl}/v4/cycle-counts/${count}`;
      expect(new Set(body.data.map(({ href }) => href))).toEqual(new Set([address]));
    }
    expect((await get(`/cycle-counts/${count}`, own)).status).toBe(200);
    expect(await get('/changes?entity=Vendor', own)).toMatchObject(REFUSED);
    const both = await issue(read, [
      { entity: 'CycleCount' },
      { entity: 'InventoryDocument', fields: ['documentType'] },
    ]);
    const seen = (await get<Page<Change>>(`/changes?cursor=${meta.next_cursor}`, both)).body.data;
    const kinds = ['created ', 'created ', 'updated isBlind', 'deleted _deletedAt'];
    expect(seen.map(({ kind, fields }) => `${kind} ${fields}`)).toEqual(kinds);
    expect(seen[0]?.href).toBe(`${read.scope.publicUrl}/v4/inventory-documents/${count}`);
  });

  it('is absent from the change log of a list of several entities, such as persons', async () => {
    const { meta } = (await get<{ meta: { next_cursor: string } }>('/changes?cursor=latest')).body;
    const values = { name: 'Jo', kind: 'employee', _updatedAt: '2026-01-01T00:00:00Z' };
    const save = (more: object) =>
      saveRecords(read.scope, entities.Employee, [
        { _source: 'logged', _idValue: 'e', values: { ...values, ...more }, references: {} },
      ]);
    const { ids } = await save({});
    await save({ annualRate: 50_000 });
    await save({ annualRate: 51_000, email: 'jo@northwind.example' });
    const own = await issue(read, [{ entity: 'Person' }]);
    const path = `/changes?cursor=${meta.next_cursor}`;
    expect((await get<Page<object>>(path, own)).body.data).toMatchObject([
      { entity: 'Employee', kind: 'created', href: `${read.scope.publicUrl}/v4/persons/${ids[0]}` },
      { entity: 'Employee', kind: 'updated', fields: ['email'] },
    ]);
  });

  it('is absent from capabilities', async () => {
    const { body } = await get<{ data: { writeFields: string[] } }>('/capabilities/Vendor', writer);
    expect(body.data.writeFields).toContain('notes');
    expect(body.data.writeFields).not.toContain('rating');
    const all = await get<Page<{ entity: string }>>('/capabilities', writer);
    expect(all.body.data.map(({ entity }) => entity).toSorted()).toEqual(['Vendor', 'WorkOrder']);
  });

  it('limits the operations and actions in capabilities to those that the token can call', async () => {
    const capability = async (sent: object, entity: string) => {
      const path = `/v4/connections/${written.connectionId}/token`;
      const made = await api.fetch<Body>(path, { method: 'POST', token: app.token, json: sent });
      const { body } = await get<{ data: Capability }>(`/capabilities/${entity}`, String(made.body.data.token));
      return body.data;
    };
    const whole = await capability({}, 'WorkOrder');
    expect(whole.operations).toEqual(expect.arrayContaining(['list', 'get', 'create', 'update']));
    expect(whole.actions.length).toBeGreaterThan(0);
    expect(await capability({ access: [{ entity: 'WorkOrder' }] }, 'WorkOrder')).toEqual(whole);

    const reading = { operations: ['list', 'get'], actions: [], writeFields: [], requiredFields: [] };
    expect(await capability({ scopes: ['read'] }, 'WorkOrder')).toMatchObject(reading);
    const access = [{ entity: 'WorkOrder', fields: ['customFields'] }];
    expect(await capability({ scopes: ['read'], access }, 'WorkOrder')).toMatchObject(reading);
    const noted = await capability({ access: [{ entity: 'WorkOrder', fields: ['description'] }] }, 'WorkOrder');
    // A create needs fields that this token does not have.
    expect(noted).toMatchObject({ operations: ['list', 'get', 'update'], actions: [] });
  });
});

describe('the label of a record', () => {
  const NONE = [{ entity: 'Vendor' }];
  const PART = [{ entity: 'Vendor' }, { entity: 'Currency', fields: ['isoCode'] }];
  const LABELLED = [{ entity: 'Vendor' }, { entity: 'Currency', fields: ['isoCode', '_displayValue'] }];
  let id: string;
  let currency: string;

  beforeAll(async () => {
    currency = (await send('POST', '/currencies', { name: 'Secret crown', isoCode: 'CZK' }, written.token)).body.data
      .id;
    const named = { name: 'Labelled', currency: { _displayValue: 'Secret crown' } };
    id = (await send('POST', '/vendors', named, written.token)).body.data.id;
  });

  const everyResponse = async (by: string) => {
    const paths = [`/vendors/${id}`, '/vendors?per_page=200', `/vendors/${id}?fields=currency`, '/writes', '/changes'];
    const bodies = [];
    for (const path of paths) bodies.push((await get<unknown>(path, by)).body);
    bodies.push((await send('PATCH', `/vendors/${id}`, { notes: 'seen' }, by)).body);
    bodies.push((await send('PATCH', `/vendors/${id}?dryRun=true`, { currency: { id: currency } }, by)).body);
    const { headers } = await send('PATCH', `/vendors/${id}`, { currency: { id: currency } }, by);
    bodies.push((await get<unknown>(`/writes/${headers.get('write-id')}`, by)).body);
    return bodies;
  };

  it.each([
    ['an entity outside', NONE],
    ['an entity whose name it hides', PART],
  ])('is hidden, wherever records refer to it, from a token for %s', async (_, access) => {
    const own = await issue(written, access);
    expect(JSON.stringify(await everyResponse(written.token))).toContain('Secret crown');
    for (const body of await everyResponse(own)) expect(JSON.stringify(body)).not.toContain('Secret crown');
    const { data } = (await get(`/vendors/${id}`, own)).body;
    const { data: whole } = (await get(`/vendors/${id}`, written.token)).body;
    const { _idValue } = whole.currency as { _idValue: string };
    expect(data).toEqual({ ...whole, currency: { ...(whole.currency as object), _displayValue: _idValue } });
  });

  it('is hidden in the record itself and in the expanded one, and is not compared', async () => {
    const own = await issue(written, PART);
    const { body } = await get(`/currencies/${currency}`, own);
    expect(body.data._displayValue).toBe(body.data._idValue);
    const expanded = (await get(`/vendors/${id}?expand=currency`, own)).body.data.currency;
    expect(expanded).toEqual(body.data);
    for (const path of ['/currencies?filter[_displayValue]=Secret crown', '/currencies?sort=_displayValue'])
      expect((await get(path, own)).status).toBe(400);
    expect((await get('/vendors?filter[currency._displayValue]=Secret crown', own)).status).toBe(400);
    expect(await send('PATCH', `/vendors/${id}`, { currency: { _displayValue: 'Secret crown' } }, own)).toMatchObject(
      REFUSED,
    );
  });

  it('is shown to a token that lists it', async () => {
    const own = await issue(written, LABELLED);
    expect((await get(`/vendors/${id}`, own)).body).toEqual((await get(`/vendors/${id}`, written.token)).body);
    expect((await get('/vendors?filter[currency._displayValue]=Secret crown', own)).body.data).toHaveLength(1);
  });

  it.each([
    ['lists it', LABELLED],
    ['has the whole entity', [{ entity: 'Vendor' }, { entity: 'Currency' }]],
  ])('is shown in writes to a token that %s', async (_, access) => {
    const own = await issue(written, access);
    const sent = { currency: { _displayValue: 'Secret crown' } };
    const { status, headers } = await send('PATCH', `/vendors/${id}`, sent, own);
    const path = `/writes/${headers.get('write-id')}`;
    const { body } = await get(path, own);
    expect([status, body]).toEqual([200, (await get(path, written.token)).body]);
    expect(body).toMatchObject({
      result: { links: [{ field: 'currency', _displayValue: 'Secret crown' }] },
      resolvedRefs: [{ given: sent.currency }],
    });
  });

  it('is not the property by which writes state that a hidden record was found', async () => {
    const own = await issue(written, NONE);
    const { headers } = await send(
      ...(['PATCH', `/vendors/${id}`, { currency: { _displayValue: 'Secret crown' } }, written.token] as const),
    );
    expect((await get(`/writes/${headers.get('write-id')}`, own)).body).toMatchObject({
      resolvedRefs: [{ given: { id: currency }, matchedOn: 'id', link: { id: currency, matchedOn: 'id' } }],
    });
  });

  it('does not keep a token that hides it from conditional requests', async () => {
    const own = await issue(written, NONE);
    const tagOf = async (by: string) => (await get(`/vendors/${id}`, by)).headers.get('etag') ?? '';
    const tag = await tagOf(own);
    expect([tag === (await tagOf(written.token)), tag.startsWith('"')]).toEqual([false, true]);
    expect((await get(`/vendors/${id}`, own, { 'If-None-Match': tag })).status).toBe(304);
    const headers = { ...WAIT, 'If-Match': tag, 'Idempotency-Key': 'labels' };
    const patch = () => send('PATCH', `/vendors/${id}`, { notes: `with ${tag}` }, own, headers);
    const first = await patch();
    expect([first.status, first.headers.get('etag')]).toEqual([200, await tagOf(own)]);
    expect((await patch()).headers.get('idempotency-replayed')).toBe('true');
    expect((await send('PATCH', `/vendors/${id}`, { notes: 'x' }, own, { ...WAIT, 'If-Match': tag })).status).toBe(412);
  });
});

describe('a write', () => {
  it('of the granted fields succeeds, and returns only them', async () => {
    const { status, body } = await send('PATCH', `/vendors/${await create({ name: 'Mine', rating: 2 })}`, {
      notes: 'x',
    });
    expect([status, body.data.notes, body.data.rating]).toEqual([200, 'x', undefined]);
  });

  it('refers to records of other entities only by their id', async () => {
    const id = await create({ name: 'Referring' });
    const patch = (currency: object) => send('PATCH', `/vendors/${id}`, { currency });
    expect(await patch({ _displayValue: 'Euro' })).toMatchObject(REFUSED);
    expect(await patch({ _idValue: '1' })).toMatchObject(REFUSED);
    expect((await patch({ id: UNKNOWN })).body.code).toBe('SERVICE_UNRESOLVED_REFERENCE');
  });

  it('of another entity is not found', async () => {
    const own = await issue(written, [{ entity: 'WorkOrder' }]);
    const made = await send('POST', '/vendors', { name: 'Hidden' }, written.token);
    const path = `/writes/${made.headers.get('write-id')}`;
    const [hidden, unknown] = [await get(path, own), await get(`/writes/${UNKNOWN}`, own)];
    expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
    expect((await get<Page>('/writes', own)).body.data).toEqual([]);
    expect((await api.fetch(`/v4${path}/actions/compensate`, { method: 'POST', token: own })).status).toBe(404);
  });

  it('of an entity with all fields is served as without limits', async () => {
    const made = await send('POST', '/work-orders', { name: 'Replace bearing' });
    expect(made.status).toBe(201);
    const path = `/work-orders/${made.body.data.id}`;
    expect((await get(path, writer)).body).toEqual((await get(path, written.token)).body);
    expect((await get(path, writer)).headers.get('etag')).toMatch(/^"/);
  });
});
