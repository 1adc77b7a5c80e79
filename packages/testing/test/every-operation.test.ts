import { randomUUID } from 'node:crypto';
import { type Entity, entityOf, type Operation, operations } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exampleOf } from './documented-bodies.ts';
import { runReadmeSample } from './readme-sample.ts';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Named {
  readonly id: string;
  readonly code: string;
}
interface Body {
  readonly data: Named & Readonly<Record<string, unknown>>;
  readonly writeId: string;
  readonly status: string;
  readonly error: unknown;
}

const ID = '0199d2a4-0000-7000-8000-000000000000';
const WRITE_MS = 100_000;
const data = operations.filter(({ surface }) => surface === 'data');
const ofKind = (...kinds: Operation['kind'][]) => data.filter(({ kind }) => kinds.includes(kind));

let company: Company;
let codes = 0;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company.stop());

const key = () => ({ 'Idempotency-Key': randomUUID() });
/** Waits as long as the service does, because the machine may be busy. */
const patient = () => ({ ...key(), Prefer: 'wait=30' });
const entity = ({ entity: name = '' }: Operation) => entityOf(name) as Entity;
const at = ({ path }: Operation, id: string) => path.replace(/\{\w+\}/, id);
const listOf = async (collection: string, query = '') =>
  (await company.send<{ data: Named[] }>(`/${collection}?per_page=5&${query}`)).body.data;

/** The documented body, with an unused code. */
function bodyOf(operation: Operation): Readonly<Record<string, unknown>> {
  const example = exampleOf(operation) ?? {};
  return 'code' in example ? { ...example, code: `T-${++codes}` } : example;
}

/** Sends a write twice with the same key. Both responses name the same write record, which must belong to the operation. */
async function sendTwice(operation: Operation, path: string, json?: unknown) {
  const headers = operation.action ? key() : patient();
  const sent = { method: operation.method.toUpperCase(), headers, ...(json !== undefined && { json }) };
  const first = await company.send<Body>(path, sent);
  const again = await company.send<Body>(path, sent);
  if (operation.kind !== 'createMany') {
    const writeId = first.headers.get('write-id');
    const { body } = await company.send<Body>(`/writes/${writeId}`);
    expect({ again: again.headers.get('write-id'), ...body }).toMatchObject({
      again: writeId,
      operation: operation.id,
    });
  }
  return { first, again };
}

/** A newly created record if there is a create at the operation's address, otherwise a record from the list. */
async function recordFor(operation: Operation): Promise<string> {
  const { name, collection } = entity(operation);
  const create = ofKind('create').find((each) => each.entity === name);
  if (!create) return (await listOf(collection))[0]?.id ?? '';
  const { status, body } = await company.send<Body>(create.path, {
    method: 'POST',
    json: bodyOf(create),
    headers: patient(),
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.data.id;
}

async function settled(writeId: string): Promise<Body> {
  const look = async () => {
    const { body } = await company.send<Body>(`/writes/${writeId}`);
    if (['pending', 'running', 'unknown'].includes(body.status)) throw new Error(`${writeId} is ${body.status}`);
    return body;
  };
  return vi.waitFor(look, { timeout: WRITE_MS, interval: 20 });
}

test('the sample of the README runs in a directory made by `npm init -y`', { timeout: START_MS }, async () => {
  const { printed, failed } = await runReadmeSample(company);
  expect(failed).toBe('');
  expect(printed).toMatch(/^(.*acme.* .+\n)+Created [0-9a-f-]{36} \S+\nWO-\S+: succeeded\n$/i);
});

describe.each(data.filter(({ security }) => security.length > 0))('$id', (operation) => {
  const method = operation.method.toUpperCase();
  const json = method === 'GET' || method === 'DELETE' ? {} : { json: exampleOf(operation) ?? {} };

  test('is refused without a token', async () => {
    const answer = await company.send(at(operation, ID), { method, ...json, token: null });
    expect(answer).toMatchObject({ status: 401, body: { code: 'SERVICE_UNAUTHORIZED' } });
  });

  test('is refused with an unknown parameter', async () => {
    const answer = await company.send(`${at(operation, ID)}?unheardOf=1`, { method, ...json });
    // The token of the company does not have the scope for this operation, and the scope is checked first.
    const isForbidden = operation.id === 'sendPassthrough';
    const refusal = isForbidden ? { status: 403 } : { status: 400, body: { code: 'SERVICE_INVALID_PARAMETER' } };
    expect(answer).toMatchObject(refusal);
  });
});

describe('a record of another connection', () => {
  const withId = data.filter(({ path, kind }) => path.includes('{id}') && kind !== 'list');

  test.each(withId)('has the response of an unknown id: $id', async (operation) => {
    const [collection = ''] = operation.path.slice(1).split('/');
    const [record] = await listOf(collection);
    const as = (id: string) =>
      company.send<Body>(at(operation, id), {
        ...{ method: operation.method.toUpperCase(), token: company.strangerToken },
        ...(operation.method !== 'get' && operation.method !== 'delete' && { json: exampleOf(operation) ?? {} }),
      });
    const [foreign, unknown] = [await as(record?.id ?? ''), await as(ID)];
    expect(record?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
  });

  test.each(data.filter(({ path }) => path.includes('{writeId}')))(
    'is not reached by its write record: $id',
    async (operation) => {
      const { body } = await company.send<{ data: { writeId: string }[] }>('/writes?per_page=1');
      const as = (id: string) =>
        company.send(operation.path.replace('{writeId}', id).replace(/\{\w+\}/, ID), {
          ...{ method: operation.method.toUpperCase(), token: company.strangerToken },
        });
      const [foreign, unknown] = [await as(body.data[0]?.writeId ?? ID), await as(ID)];
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    },
  );
});

test.each(ofKind('list'))('$id returns a page of records', async ({ path }) => {
  expect((await listOf(path.slice(1))).length).toBeGreaterThan(0);
});

test.each(ofKind('get'))('$id returns a record', async (operation) => {
  const [first] = await listOf(operation.path.split('/')[1] ?? '');
  const { status, body } = await company.send<Body>(at(operation, first?.id ?? ''));
  expect([status, body.data.id]).toEqual([200, first?.id]);
});

test.each(ofKind('create'))('$id accepts the documented body, once', async (operation) => {
  const { first, again } = await sendTwice(operation, operation.path, bodyOf(operation));
  expect(first).toMatchObject({ status: 201 });
  expect(again).toMatchObject({ status: 200, body: { data: { id: first.body.data.id } } });
});

test.each(ofKind('update', 'replace'))('$id accepts the documented body, once', async (operation) => {
  const { first, again } = await sendTwice(operation, at(operation, await recordFor(operation)), bodyOf(operation));
  expect(first).toMatchObject({ status: 200 });
  expect(again).toMatchObject({ status: 200, body: first.body });
});

test.each(ofKind('delete'))('$id hides the record, once', async (operation) => {
  const id = await recordFor(operation);
  const { first, again } = await sendTwice(operation, at(operation, id));
  expect([first.status, again.status]).toEqual([204, 204]);
  expect(await listOf(entity(operation).collection, `filter[id]=${id}`)).toEqual([]);
});

/** The oldest and newest records whose state allows an action. The oldest documents of a company are finished. */
async function allowing(operation: Operation) {
  const { actions, collection } = entity(operation);
  const from = actions.find(({ name }) => name === operation.action)?.from;
  const filter = from ? `filter[statusCategory:in]=${from.join(',')}` : '';
  return [...(await listOf(collection, filter)), ...(await listOf(collection, `${filter}&sort=-id`))];
}

test.each(ofKind('action'))('$id accepts the documented body, once', async (operation) => {
  const errors: unknown[] = [];
  for (const { id } of await allowing(operation)) {
    const { first, again } = await sendTwice(operation, at(operation, id), exampleOf(operation) ?? {});
    expect(first).toMatchObject({ status: 202 });
    expect(again).toMatchObject({ status: 200, body: { writeId: first.body.writeId } });
    const write = await settled(first.body.writeId);
    if (write.status === 'succeeded') return;
    // The rules of the company may refuse one record and accept another.
    errors.push(write.error);
  }
  expect.fail(`No record accepted it: ${JSON.stringify(errors)}`);
});

test.each(ofKind('createMany'))('$id accepts the documented items, once', async (operation) => {
  const { first, again } = await sendTwice(operation, operation.path, exampleOf(operation));
  expect(first).toMatchObject({ status: 200 });
  expect(first.body.data).toEqual(
    expect.arrayContaining([expect.objectContaining({ status: 'succeeded', error: null })]),
  );
  expect(again.body).toEqual(first.body);
});

describe('lines that are part of their record', () => {
  const account = (label: string) => ({ account: { _displayValue: label } });
  const send = (lines: object[], query = '') =>
    company.send<Body>(`/journal-entries${query}`, {
      ...{ method: 'POST', headers: patient() },
      json: { transactionDate: new Date().toISOString().slice(0, 10), currency: { _displayValue: 'Euro' }, lines },
    });

  test('contain references like the record itself', async () => {
    const [{ id: bank } = { id: '' }] = await listOf('accounts', 'filter[code]=1020');
    const { status, body } = await send([
      { ...account('6550'), debit: 5 },
      { account: { id: bank }, credit: 5 },
    ]);
    expect(status).toBe(201);
    expect(body.data.lines).toMatchObject([
      { line: 1, account: { rel: 'Account', _displayValue: expect.any(String) }, debit: 5, customer: null },
      { line: 2, account: { id: bank, rel: 'Account', href: expect.stringMatching(`/accounts/${bank}$`) } },
    ]);
  });

  test.each(['', '?dryRun=true'])(
    'are refused with the path of a reference that matches no record%s',
    async (query) => {
      const { status, body } = await send([account('6550'), account('No such account')], query);
      const place = expect.objectContaining({ field: 'lines[1].account', given: { _displayValue: 'No such account' } });
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { code: 'SERVICE_UNRESOLVED_REFERENCE', details: expect.arrayContaining([place]) },
      });
    },
  );

  test('in the whole company point to records', async () => {
    const entries = await company.all<{ lines: { account: { rel: string } | null }[] }>('/journal-entries');
    const accounts = entries.flatMap(({ lines }) => lines.map((line) => line.account?.rel));
    expect(new Set(accounts)).toEqual(new Set(['Account']));
  });
});

test('a replacement at the address of a view does not change fields that the view does not have', async () => {
  const made = await company.send<Body>('/contacts', {
    ...{ method: 'POST', headers: patient() },
    json: { name: 'Old', department: 'Sales' },
  });
  const path = `/${made.body.data.id}`;
  const json = { name: 'New', kind: 'contact' };
  const { status } = await company.send<Body>(`/persons${path}`, { method: 'PUT', json, headers: patient() });
  const { body } = await company.send<Body>(`/contacts${path}`);
  expect([status, body.data.name, body.data.department]).toEqual([200, 'New', 'Sales']);
});

describe('a batch', () => {
  interface Result {
    readonly status: string;
    readonly writeId: string;
    readonly record: unknown;
    readonly warnings: readonly { readonly code: string; readonly field: string }[];
    readonly error: { readonly code: string } | null;
  }
  const path = '/dispense-transactions/batch';
  const item = (quantity: number, name = 'Hex bolt M8 × 40') => ({ item: { _displayValue: name }, quantity });
  const send = (items: readonly object[], headers = patient()) =>
    company.send<{ data: Result[]; code: string }>(path, { method: 'POST', headers, json: { items } });

  test('returns the outcome of each item', async () => {
    const { status, body } = await send([item(1), item(2, 'No such item'), item(3)]);
    expect(status).toBe(200);
    expect(body.data.map(({ status: each, error }) => [each, error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'SERVICE_UNRESOLVED_REFERENCE'],
      ['succeeded', undefined],
    ]);
    expect(body.data.map(({ record }) => record !== null)).toEqual([true, false, true]);
  });

  test('names the write record of each item, and its warnings', async () => {
    const { body } = await send([item(1), item(2.0004)]);
    expect(body.data.map(({ warnings }) => warnings.map(({ code, field }) => [code, field]))).toEqual([
      [],
      [['VALUE_ADJUSTED', 'quantity']],
    ]);
    for (const { writeId, warnings } of body.data)
      expect((await company.send(`/writes/${writeId}`)).body).toMatchObject({ writeId, warnings });
  });

  test('is refused as a whole if its key was used for another request', async () => {
    const headers = patient();
    await send([item(1), item(2)], headers);
    for (const others of [[item(1), item(5)], [item(1)], [item(1), item(2), item(3)], [item(2), item(1)]]) {
      expect(await send(others, headers)).toMatchObject({
        ...{ status: 422, body: { code: 'SERVICE_IDEMPOTENCY_MISMATCH' } },
      });
    }
    const single = { method: 'POST', headers, json: item(1) };
    expect(await company.send('/dispense-transactions', single)).toMatchObject({ status: 422 });
  });

  test('has its key in the write record of every item', async () => {
    const headers = patient();
    await send([item(1), item(2)], headers);
    const { body } = await company.send<{ data: { idempotencyKey: string }[] }>('/writes?per_page=2');
    expect(body.data.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(2).fill(headers['Idempotency-Key']));
  });

  test('is refused as a whole if an item is invalid', async () => {
    expect(await send([item(1), { colour: 'red' }])).toMatchObject({
      ...{ status: 400, body: { code: 'SERVICE_INVALID_BODY' } },
    });
  });

  test('is refused as a whole if a reference in it can never match a record, with its path', async () => {
    const newest = async () => (await company.send<{ data: { writeId: string }[] }>('/writes?per_page=1')).body.data;
    const before = await newest();
    const wrong = { item: { rel: 'Status', _displayValue: 'Hex bolt M8 × 40' }, quantity: 1 };
    expect(await send([item(1), wrong, item(2)])).toMatchObject({
      status: 422,
      body: {
        code: 'SERVICE_UNRESOLVED_REFERENCE',
        message: '`items[1].item`: It cannot point to "Status", only to Item.',
        details: [{ path: 'body/items/1/item', allowed: ['Item'] }],
      },
    });
    expect(await newest()).toEqual(before);
  });
});

test.each(['', '?dryRun=true'])(
  'a cancellation with a status as its reason is refused immediately%s',
  async (query) => {
    const [order] = await listOf('work-orders', 'filter[statusCategory]=open');
    const json = { reason: { rel: 'Status', _displayValue: 'Duplicate' } };
    const path = `/work-orders/${order?.id}/actions/cancel${query}`;
    const { status, headers, body } = await company.send<Body>(path, { method: 'POST', headers: key(), json });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        code: 'SERVICE_UNRESOLVED_REFERENCE',
        message: '`reason`: It cannot point to "Status", only to Taxonomy.',
        details: [{ path: 'body/reason', allowed: ['Taxonomy'] }],
      },
    });
    expect(headers.get('write-id')).toBeNull();
  },
);

test('a refused action lists the same actions as the record', async () => {
  const [order] = await listOf('work-orders', 'filter[statusCategory]=on_hold');
  const { body: shown } = await company.send<Body>(`/work-orders/${order?.id}`);
  const path = `/work-orders/${order?.id}/actions/complete`;
  const { status, body } = await company.send<Body>(path, { method: 'POST', headers: key() });
  const details = [{ statusCategory: 'on_hold', allowedActions: shown.data.availableActions }];
  expect({ status, body }).toMatchObject({ status: 409, body: { code: 'SERVICE_INVALID_TRANSITION', details } });
});

describe('of operations outside the conventions', () => {
  const post = (path: string, json?: unknown) =>
    company.send<Body>(path, { method: 'POST', headers: patient(), ...(json !== undefined && { json }) });
  const made = async () => {
    const { headers } = await company.send('/sites', {
      ...{ method: 'POST', json: { name: `Site ${++codes}` } },
      headers: { ...key(), Prefer: 'respond-async' },
    });
    const writeId = headers.get('location')?.split('/').at(-1) ?? '';
    await settled(writeId);
    return writeId;
  };
  const refused = async () => {
    const { status, body } = await post('/fiscal-calendars', { name: 'Odd', yearPeriods: 99 });
    expect(status).toBe(422);
    return (body as unknown as { details: { writeId: string }[] }).details[0]?.writeId;
  };
  const answers = (status: number, path: () => Promise<string> | string) => async () => {
    expect((await company.send(await path())).status).toBe(status);
  };
  const does = (status: number, path: () => Promise<string> | string, json?: unknown) => async () => {
    expect((await post(await path(), json)).status).toBe(status);
  };

  const others: Readonly<Record<string, () => Promise<void>>> = {
    async replaceFiscalCalendarByCode() {
      const [calendar] = await listOf('fiscal-calendars');
      const json = { code: calendar?.code, name: 'Calendar year', yearPeriods: 12 };
      const { status, body } = await company.send<Body>('/fiscal-calendars', {
        method: 'PUT',
        json,
        headers: patient(),
      });
      expect([status, body.data.id]).toEqual([200, calendar?.id]);
    },
    async putWorkOrderStatus() {
      const [order] = await listOf('work-orders', 'filter[statusCategory]=draft');
      const json = { statusCategory: 'open' };
      const path = `/work-orders/${order?.id}/status`;
      const { body } = await company.send<Body>(path, { method: 'PUT', json, headers: key() });
      expect((await settled(body.writeId)).status).toBe('succeeded');
    },
    listWrites: answers(200, () => '/writes'),
    getWrite: answers(200, async () => `/writes/${await made()}`),
    getWorkOrderWrite: answers(200, async () => `/work-orders/writes/${await made()}`),
    retryWrite: does(202, async () => `/writes/${await refused()}/actions/retry`),
    compensateWrite: does(202, async () => `/writes/${await made()}/actions/compensate`),
    // Settled writes can neither be verified nor cancelled; the tests of writes cover the other states.
    verifyWrite: does(409, async () => `/writes/${await made()}/actions/verify`),
    cancelWrite: does(409, async () => `/writes/${await made()}/actions/cancel`),
    listChanges: answers(200, () => '/changes'),
    listCapabilities: answers(200, () => '/capabilities'),
    getCapability: answers(200, () => '/capabilities/Vendor'),
    getSyncStatus: answers(200, () => '/sync-status'),
    runQuery: does(200, () => '/query', { statement: 'select count(*) from vendors' }),
    listRawTables: answers(200, () => '/raw/tables'),
    listRawRows: answers(200, async () => {
      const { body } = await company.send<{ data: { name: string }[] }>('/raw/tables');
      return `/raw/tables/${body.data[0]?.name}/rows`;
    }),
    // It is tested in passthrough.test.ts: tokens are issued without its scope.
    sendPassthrough: does(403, () => '/passthrough', { statement: 'select 1' }),
    startSync: does(202, () => '/sync', { mode: 'incremental', entities: ['Vendor'] }),
  };

  test.each(Object.entries(others))('%s works', (_, works) => works());

  test('no operation is left out', () => {
    expect(Object.keys(others).sort()).toEqual(
      ofKind('other')
        .map(({ id }) => id)
        .sort(),
    );
  });
});
