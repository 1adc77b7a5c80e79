import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Line {
  readonly id: string;
  readonly line: number;
  readonly quantity: number;
  readonly customFields: Readonly<Record<string, unknown>>;
}
interface Order {
  readonly id: string;
  readonly lines: readonly { readonly id: string }[];
}
interface Written {
  readonly data: Order;
  readonly code: string;
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

const write = (method: string, path: string, json: object, token = company.token) =>
  company.send<Written>(path, {
    method,
    json,
    token,
    headers: { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' },
  });
const bodyWith = (...lines: readonly object[]) => ({
  vendor: { _displayValue: 'ACME Supplies' },
  lines: lines.map((customFields) => ({ item: { _displayValue: 'Hex bolt M8 × 40' }, quantity: 10, customFields })),
});

/** A separate purchase order for a test that changes it. */
async function ordered(...lines: readonly object[]): Promise<Order> {
  const { status, body } = await write('POST', '/purchase-orders', bodyWith(...lines));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function list(query: string): Promise<readonly Line[]> {
  const { status, body } = await company.send<{ data: Line[] }>(`/purchase-order-lines?sort=line&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const fieldsOf = async ({ id }: Order) =>
  (await list(`filter[purchaseOrder]=${id}`)).map(({ customFields }) => customFields);

async function change({ id }: Order, json: object, method = 'PATCH'): Promise<string | null> {
  const { status, body, headers } = await write(method, `/purchase-orders/${id}`, json);
  expect(status, JSON.stringify(body)).toBe(200);
  return headers.get('Write-Id');
}

const unset = { zeugnis: null, muster: null, geprueft_am: null };

test('the capabilities of the lines list which can be written', async () => {
  const { body } = await company.send<{ data: { customFields: { name: string; isWritable: boolean }[] } }>(
    '/capabilities/PurchaseOrderLine',
  );
  const writable = body.data.customFields.map(({ name, isWritable }) => [name, isWritable]);
  expect(Object.fromEntries(writable)).toEqual({ zeugnis: true, muster: true, geprueft_am: false });
});

test('a create stores those of its lines, and lists can be filtered by them', async () => {
  const order = await ordered({ zeugnis: 'OWN-1', muster: 2 }, {});
  expect(await fieldsOf(order)).toEqual([{ ...unset, zeugnis: 'OWN-1', muster: 2 }, unset]);
  const found = await list('filter[customFields.zeugnis]=OWN-1');
  expect(found.map(({ id }) => id)).toEqual([order.lines[0]?.id]);
});

describe('an update', () => {
  test('of one line keeps what it omits, and the other lines', async () => {
    const order = await ordered({ zeugnis: '3.1', muster: 2 }, { zeugnis: '2.2' });
    const [first, second] = order.lines;
    await change(order, { lines: [{ id: first?.id, customFields: { muster: 5 } }, { id: second?.id }] });
    expect(await fieldsOf(order)).toEqual([
      { ...unset, zeugnis: '3.1', muster: 5 },
      { ...unset, zeugnis: '2.2' },
    ]);
  });

  test('clears a field with null, adds lines with fields, and is compensated', async () => {
    const order = await ordered({ zeugnis: '3.1', muster: 2 });
    const added = { quantity: 1, description: 'Jig', customFields: { zeugnis: '2.1' } };
    const id = await change(order, { lines: [{ id: order.lines[0]?.id, customFields: { zeugnis: null } }, added] });
    expect(await fieldsOf(order)).toEqual([
      { ...unset, muster: 2 },
      { ...unset, zeugnis: '2.1' },
    ]);
    await company.send(`/writes/${id}/actions/compensate`, { method: 'POST' });
    await vi.waitFor(async () => expect(await fieldsOf(order)).toEqual([{ ...unset, zeugnis: '3.1', muster: 2 }]), {
      timeout: 30_000,
    });
  });

  test('by a replacement keeps those that an existing line omits', async () => {
    const order = await ordered({ zeugnis: '3.1' });
    const line = { id: order.lines[0]?.id, quantity: 11, customFields: { muster: 1 } };
    await change(order, { ...bodyWith(), lines: [line] }, 'PUT');
    expect(await fieldsOf(order)).toEqual([{ ...unset, zeugnis: '3.1', muster: 1 }]);
  });
});

describe('a body is refused', () => {
  const INVALID = 'SERVICE_INVALID_BODY';
  test.each([
    ['an unknown name', { zeugniss: '3.1' }, INVALID, { didYouMean: 'zeugnis' }],
    ['a value of another type', { muster: 'two' }, INVALID, { message: expect.stringContaining('Send a number') }],
    ['a value that is too long', { zeugnis: 'x'.repeat(9) }, INVALID, {}],
    ['a field that can only be read', { geprueft_am: '2026-11-20' }, 'SERVICE_READ_ONLY_FIELD', {}],
    ['a reserved name', JSON.parse('{"__proto__": "x"}'), INVALID, {}],
  ])('with %s in a line', async (_, customFields: object, code, detail) => {
    const [name] = Object.keys(customFields);
    const { status, body } = await write('POST', '/purchase-orders', bodyWith({}, customFields));
    const path = `body/lines/1/customFields/${name}`;
    expect({ status, body }).toMatchObject({ status: 400, body: { code, details: [{ path, ...detail }] } });
  });

  test('with a field of lines whose mapping names none', async () => {
    const lines = [{ description: 'Jig', quantity: 1, unitPrice: 5, customFields: { zeugnis: '3.1' } }];
    const json = { customer: { _displayValue: 'Baker & Sons' }, lines };
    const { status, body } = await write('POST', '/sales-orders', json);
    const path = 'body/lines/0/customFields/zeugnis';
    expect({ status, body }).toMatchObject({ status: 400, body: { code: INVALID, details: [{ path }] } });
  });

  test('of a token that has no access to the custom fields of the lines', async () => {
    const others = [{ entity: 'Item' }, { entity: 'Vendor' }, { entity: 'PurchaseOrder' }];
    const some = { entity: 'PurchaseOrderLine', fields: ['item', 'quantity', 'description'] };
    const narrow = await company.narrowedToken([...others, some]);
    const refused = await write('POST', '/purchase-orders', bodyWith({ zeugnis: '3.1' }), narrow);
    expect(refused).toMatchObject({ status: 403, body: { code: 'SERVICE_FORBIDDEN' } });
    const all = await company.narrowedToken([...others, { entity: 'PurchaseOrderLine' }]);
    expect((await write('POST', '/purchase-orders', bodyWith({ zeugnis: '3.1' }), all)).status).toBe(201);
  });
});
