import { randomUUID } from 'node:crypto';
import {
  clientDocument,
  type Entity,
  earlierDocument,
  earlierOperations,
  entityOf,
  type Operation,
  operations,
} from '@unified/contract';
import { changeApplicationSettings } from '@unified/store';
import { checkedFetch, type Sent } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exampleOf } from './documented-bodies.ts';
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
  readonly code: string;
  readonly message: string;
}

const ID = '0199d2a4-0000-7000-8000-000000000000';
const served = earlierOperations(operations);
const ofKind = (...kinds: Operation['kind'][]) => served.filter(({ kind }) => kinds.includes(kind));
const at = ({ path }: Operation, id: string) => path.replace(/\{\w+\}/, id);

let company: Company;
let codes = 0;

beforeAll(async () => {
  company = await startCompany();
  const application = company.store.application(company.applicationId);
  await changeApplicationSettings(application, { apiVersion: 'v3' });
}, START_MS);
afterAll(() => company.stop());

/** Sends a request below `/v3`. The response is compared with the document of version 3. */
function send<Sought = Body>(path: string, { headers, ...sent }: Sent & { readonly token?: string } = {}) {
  const { token = company.token, ...rest } = sent;
  const authorization = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return checkedFetch<Sought>(`${company.baseUrl}/v3${path}`, { ...rest, headers: { ...authorization, ...headers } });
}

const patient = () => ({ 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' });
const listOf = async (path: string) => (await send<{ data: Named[] }>(`${path}?per_page=5`)).body.data;

function bodyOf(operation: Operation): Readonly<Record<string, unknown>> {
  const example = exampleOf(operation) ?? {};
  return 'code' in example ? { ...example, code: `V3-${++codes}` } : example;
}

async function created(operation: Operation): Promise<string> {
  const { status, body } = await send(operation.path, { method: 'POST', json: bodyOf(operation), headers: patient() });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.data.id;
}

/** A new record of the operation's entity if there is a create at its address, otherwise a record from the list. */
async function recordFor({ entity = '' }: Operation): Promise<string> {
  const { collection } = entityOf(entity) as Entity;
  const create = ofKind('create').find((each) => each.entity === entity);
  return create ? created(create) : ((await listOf(`/${collection}`))[0]?.id ?? '');
}

describe.each(served)('$id', (operation) => {
  const method = operation.method.toUpperCase();
  const json = method === 'GET' ? {} : { json: exampleOf(operation) ?? {} };

  test('is refused without a token', async () => {
    const answer = await send(at(operation, ID), { method, ...json, token: '' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'SERVICE_UNAUTHORIZED' } });
  });

  test('is refused with an unknown parameter, and names the address in version 4', async () => {
    const { status, headers, body } = await send(`${at(operation, ID)}?unheardOf=1`, { method, ...json });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(headers.get('sunset')).toBeNull();
    expect(headers.get('link')).toMatch(/^<\/v4\/.+>; rel="successor-version"$/);
  });
});

test.each(ofKind('list'))('$id returns the page of version 4', async ({ path }) => {
  const { body } = await send<{ data: Named[] }>(`${path}?per_page=5`);
  expect(body.data.length).toBeGreaterThan(0);
  expect(body).toEqual((await company.send(`${path}?per_page=5`)).body);
});

test.each(ofKind('get'))('$id returns the record of version 4', async (operation) => {
  const [first] = await listOf(`/${operation.path.split('/')[1]}`);
  const path = at(operation, first?.id ?? '');
  const { status, headers, body } = await send(path);
  expect([status, body.data.id]).toEqual([200, first?.id]);
  expect(body).toEqual((await company.send(path)).body);
  expect(headers.get('link')).toContain(first?.id);
});

test.each(ofKind('create'))('$id creates a record that version 4 returns', async (operation) => {
  const id = await created(operation);
  expect((await company.send<Body>(`${operation.path}/${id}`)).body.data.id).toBe(id);
});

test.each(ofKind('replace'))('$id replaces a record', async (operation) => {
  const id = await recordFor(operation);
  const sent = { method: 'PUT', json: bodyOf(operation), headers: patient() };
  const { status, body } = await send(at(operation, id), sent);
  expect({ status, body }).toMatchObject({ status: 200, body: { data: { id } } });
});

describe('of operations outside the conventions', () => {
  const others: Readonly<Record<string, () => Promise<void>>> = {
    async replaceFiscalCalendarByCode() {
      const [calendar] = await listOf('/fiscal-calendars');
      const json = { code: calendar?.code, name: 'Calendar year', yearPeriods: 12 };
      const { status, body } = await send('/fiscal-calendars', { method: 'PUT', json, headers: patient() });
      expect([status, body.data.id]).toEqual([200, calendar?.id]);
    },
    async putWorkOrderStatus() {
      const [order] = await listOf('/work-orders');
      const json = { statusCategory: 'open' };
      const { status, headers } = await send(`/work-orders/${order?.id}/status`, { method: 'PUT', json });
      expect(status).toBe(202);
      expect(headers.get('location')).toMatch(/^\/v4\/writes\//);
    },
    async getWorkOrderWrite() {
      const headers = { Prefer: 'respond-async' };
      const made = await send('/sites', { method: 'POST', json: { name: `Site ${++codes}` }, headers });
      const { status, body } = await send(`/work-orders/writes/${made.body.writeId}`);
      expect([status, body.writeId]).toEqual([200, made.body.writeId]);
    },
  };

  test.each(Object.entries(others))('%s works', (_, works) => works());

  test('none is left out', () => {
    expect(Object.keys(others).sort()).toEqual(
      ofKind('other')
        .map(({ id }) => id)
        .sort(),
    );
  });
});

test.each([
  ['PATCH', `/vendors/${ID}`, 405],
  ['DELETE', `/work-orders/${ID}`, 405],
  ['POST', `/work-orders/${ID}/actions/cancel`, 404],
  ['POST', '/comments/batch', 405],
  ['GET', '/changes', 404],
])('%s %s exists only in version 4', async (method, path, expected) => {
  const { status, body } = await send(path, { method });
  expect(status).toBe(expected);
  if (status === 404) expect(body.message).toContain(`Did you mean "/v4${path}"?`);
});

test('a key that was used in one version is known in the other', async () => {
  const sent = { method: 'POST', json: { name: `Site ${++codes}` }, headers: patient() };
  const first = await send('/sites', sent);
  const again = await company.send<Body>('/sites', sent);
  expect([first.status, again.status, again.body.data.id]).toEqual([201, 200, first.body.data.id]);
});

describe('the document', () => {
  const document = earlierDocument(clientDocument());

  test('has exactly the operations that are served', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, node]) => {
        const { operationId, deprecated } = node as { operationId?: string; deprecated?: boolean };
        return operationId === undefined ? [] : [`${operationId} ${method} ${path} ${deprecated}`];
      }),
    );
    const expected = served.map(({ id, method, path }) => `${id} ${method} ${path} true`);
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  test('is served, with the address of the server and its own guide', async () => {
    const { body } = await checkedFetch<typeof document>(`${company.baseUrl}/openapi.v3.json`);
    expect(body.servers).toEqual([expect.objectContaining({ url: `${company.store.publicUrl}/v3` })]);
    expect(body.info.description).toMatch(/^# Version 3\n/);
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
  });

  test('contains every component that it refers to, and no other', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/(\w+\/[^"/]+)"/g)].map(([, name]) => name));
    const { securitySchemes: _, ...components } = document.components;
    const present = Object.entries(components).flatMap(([kind, nodes]) =>
      Object.keys(nodes).map((n) => `${kind}/${n}`),
    );
    expect(present.toSorted()).toEqual([...referred].toSorted());
  });
});
