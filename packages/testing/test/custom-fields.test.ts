import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, type Shop, type Shops, startShops, type Vendor } from './shop.ts';
import { START_MS } from './stack.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

/** A name that would end an SQL statement if it were inserted into one. */
const ODD = `größe "x" (mm) 'ü'; --`;
const none = { isIndexed: false, isFilterable: true, isRequired: false, label: null };
const unlimited = { maxLength: null, minimum: null, maximum: null, decimals: null };

interface Page {
  readonly meta: { readonly total: number };
  readonly data: readonly Vendor[];
}
interface WriteRecord {
  readonly writeId: string;
  readonly status: string;
  readonly customFields: object;
  readonly warnings: readonly { readonly field: string }[];
  readonly result: { readonly record: Readonly<Record<string, string>> } | null;
  readonly error: { readonly code: string } | null;
}

let shops: Shops;
let shop: Shop;

beforeAll(async () => {
  shops = await startShops();
  shop = await shops.open('one');
}, START_MS);
afterAll(() => shops?.stop());

const list = (query: string, at = shop) => at.send<Page>(`/vendors?${query}`);
const codes = async (query: string, at = shop) => (await list(query, at)).body.data.map(({ code }) => code).join('');
const filtered = (condition: string, value: string, at = shop) => {
  const query = new URLSearchParams({ [`filter[customFields.${condition}]`]: value, sort: 'code', with_total: 'true' });
  return list(String(query), at);
};
const write = <Body = Answer>(method: string, path: string, json: object, at = shop) =>
  at.send<Body>(path, { method, json, headers: { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' } });

async function byCode(code: string, at = shop): Promise<Vendor> {
  const { body } = await list(`filter[code]=${code}`, at);
  return body.data[0] ?? expect.fail(`no vendor ${code}`);
}

/** A separate vendor for a test that changes it. */
async function created(customFields: object, at = shop): Promise<Vendor> {
  const { status, body } = await write(
    'POST',
    '/vendors',
    { name: 'New', code: `T-${randomUUID()}`, customFields },
    at,
  );
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Custom fields of a vendor as they are in the database of the system. */
const row = async ({ code }: Vendor) => (await shop.sql('SELECT * FROM supplier WHERE code = $1', [code]))[0];

describe('reading', () => {
  test('columns that no word reads are custom fields, except lists, objects, bytes, secrets and reserved names', async () => {
    const { customFields } = await byCode('A');
    expect(customFields).toEqual({
      ...{ id: 1, color: 'red', price: 9.5, pieces: 3, fragile: true, since: '2026-02-01', doubled: 6 },
      ...{ checked: '2026-11-20T09:30:00.000Z', counted: expect.stringMatching(/^2026-11-20T/), priority: 'high' },
      ...{ 'a[b]': null, batch: null, [ODD]: 'S' },
    });
  });

  test('the capabilities describe their types and limits, and which can be written', async () => {
    const { body } = await shop.send<{ data: { customFields: { name: string }[]; writeFields: string[] } }>(
      '/capabilities/Vendor',
    );
    const fields = Object.fromEntries(body.data.customFields.map(({ name, ...field }) => [name, field]));
    const integers = { ...unlimited, minimum: -2147483648, maximum: 2147483647, decimals: 0 };
    const writable = { ...none, isWritable: true };
    expect(body.data.writeFields).toContain('customFields');
    expect(fields).toEqual({
      id: { ...none, ...integers, type: 'number', isWritable: false },
      color: { ...writable, ...unlimited, type: 'string', maxLength: 10 },
      price: { ...writable, type: 'number', ...unlimited, minimum: -9999.99, maximum: 9999.99, decimals: 2 },
      pieces: { ...writable, ...integers, type: 'number' },
      fragile: { ...writable, ...unlimited, type: 'boolean' },
      since: { ...writable, ...unlimited, type: 'date' },
      checked: { ...writable, ...unlimited, type: 'dateTime' },
      counted: { ...writable, ...unlimited, type: 'dateTime' },
      priority: { ...writable, ...unlimited, type: 'string', isRequired: true },
      doubled: { ...none, ...integers, type: 'number', isWritable: false },
      'a[b]': { ...writable, ...unlimited, type: 'string' },
      batch: { ...writable, ...unlimited, type: 'string' },
      [ODD]: { ...writable, ...unlimited, type: 'string' },
    });
  });

  test.each([
    ['color', 'red', 'A'],
    ['color:neq', 'red', 'BC'],
    ['color:in', 'red,Red%', 'AB'],
    ['color:gt', 'a', 'A'],
    ['color:contains', 'ED%', 'B'],
    ['color:startsWith', 'r', 'AB'],
    ['color:endsWith', 'd', 'A'],
    ['color', 'null', 'C'],
    ['price', '9.5', 'A'],
    ['price:neq', '9.50', 'BC'],
    ['price:in', '9.5,100', 'AB'],
    ['price:gt', '9.5', 'B'],
    ['price:gte', '9.5', 'AB'],
    ['price:lt', '100', 'A'],
    ['price:lte', '100', 'AB'],
    ['fragile', 'true', 'A'],
    ['fragile:neq', 'true', 'BC'],
    ['since', '2026-02-01', 'A'],
    ['since:lt', '2000-01-01', 'B'],
    ['since:gte', '1999-12-31', 'AB'],
    ['checked', '2026-11-20T10:30:00+01:00', 'A'],
    ['checked:gt', '2026-11-20T09:30:00Z', 'B'],
    ['checked:neq', 'null', 'AB'],
    ['a[b]', 'both', 'B'],
    ['a[b]:startsWith', 'bo', 'B'],
    [ODD, 'S', 'A'],
    [`${ODD}:in`, 'S,M', 'AB'],
  ])('filter[customFields.%s]=%s', async (condition, value, expected) => {
    const { body } = await filtered(condition, value);
    const known = body.data.filter(({ code }) => code.length === 1);
    expect(known.map(({ code }) => code).join('')).toBe(expected);
  });

  test.each([
    ['colour', 'red', 'customFields.color'],
    ['color:like', 'red', undefined],
    ['fragile:gt', 'true', undefined],
    ['price', 'much', undefined],
    ['a.b', 'dot', undefined],
    ['__proto__', 'x', undefined],
  ])('filter[customFields.%s]=%s is refused', async (condition, value, meant) => {
    const { status, body } = await filtered(condition, value);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_FILTER' } });
    if (meant) expect(body).toMatchObject({ details: [{ didYouMean: meant }] });
  });

  test('lists cannot be sorted by them', async () => {
    const { status, body } = await list('sort=customFields.color');
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_SORT' } });
  });
});

describe('writing', () => {
  const values = {
    ...{ color: 'blue', price: 12.25, pieces: 4, fragile: false, since: '2026-03-01' },
    ...{ checked: '2026-11-20T10:00:00+02:00', priority: 'high', [ODD]: `'; DROP TABLE supplier; --` },
  };

  test('a create stores the values in their columns, and returns them as they are read back', async () => {
    const vendor = await created({ ...values, counted: '2026-06-01T12:00:00Z' });
    const stored = { ...values, checked: '2026-11-20T08:00:00.000Z', counted: '2026-06-01T12:00:00.000Z', doubled: 8 };
    expect(vendor.customFields).toMatchObject(stored);
    expect(await row(vendor)).toMatchObject({
      ...values,
      price: '12.25',
      since: expect.any(Date),
      checked: expect.any(Date),
    });
  });

  test('an update changes only the names that it contains, and null clears one', async () => {
    const { id } = await created(values);
    const { status, body } = await write('PATCH', `/vendors/${id}`, { customFields: { pieces: 5, color: null } });
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { name: 'New' } } });
    const changed = { ...values, checked: '2026-11-20T08:00:00.000Z', pieces: 5, color: null, doubled: 10 };
    expect(body.data.customFields).toMatchObject(changed);
    expect((await write('PATCH', `/vendors/${id}`, { customFields: {} })).body.data.customFields).toMatchObject(
      changed,
    );
  });

  test('a replacement clears those that it omits, but neither columns that need a value nor computed ones', async () => {
    const { id, code } = await created(values);
    const { status, body } = await write('PUT', `/vendors/${id}`, { name: 'New', code, customFields: { pieces: 6 } });
    expect(status, JSON.stringify(body)).toBe(200);
    const cleared = { color: null, price: null, fragile: null, since: null, checked: null, counted: null, [ODD]: null };
    expect(body.data.customFields).toMatchObject({ ...cleared, pieces: 6, doubled: 12, priority: 'high' });
    const { body: without } = await write('PUT', `/vendors/${id}`, { name: 'New', code });
    expect(without.data.customFields).toMatchObject({ ...cleared, pieces: null, doubled: null, priority: 'high' });
  });

  test.each([
    [{ batch: 'no uuid' }, 'customFields.batch'],
    [{ 'a[b]': 'never' }, 'customFields.a[b]'],
  ])('%j is refused by the connected system with the field', async (customFields, field) => {
    const { id } = await byCode('C');
    for (const [method, path] of [
      ['POST', '/vendors'],
      ['PATCH', `/vendors/${id}`],
    ] as const) {
      const { status, body } = await write(method, path, { name: 'Refused', customFields });
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { code: 'SERVICE_REJECTED', message: expect.stringContaining(field), details: [{}, { field }] },
      });
      expect(body.message).not.toMatch(/supplier|check|uuid"/);
    }
  });

  const wrong: [object, string, object][] = [
    [{ colour: 'red' }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/colour', didYouMean: 'color' }],
    [{ toString: 'x' }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/toString' }],
    [{ api_key: 'x' }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/api_key' }],
    [{ code: 'x' }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/code' }],
    [{ attributes: 'x' }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/attributes' }],
    [{ doubled: 4 }, 'SERVICE_READ_ONLY_FIELD', { path: 'body/customFields/doubled' }],
    [{ id: 4 }, 'SERVICE_READ_ONLY_FIELD', { field: 'customFields.id' }],
    [{ color: 5 }, 'SERVICE_INVALID_BODY', { field: 'customFields.color', message: expect.stringMatching(/a string/) }],
    [{ color: 'eleven long' }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/at most 10 characters/) }],
    [{ color: { _displayValue: 'red' } }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/color' }],
    [{ color: ['red'] }, 'SERVICE_INVALID_BODY', { path: 'body/customFields/color' }],
    [{ price: '9.5' }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/a number/) }],
    [{ price: 9.555 }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/2 digits/) }],
    [{ price: 10000 }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/at most 9999.99/) }],
    [{ pieces: 1.5 }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/whole number/) }],
    [{ pieces: 2147483648 }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/2147483647/) }],
    [{ fragile: 'true' }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/true or false/) }],
    [{ since: '2026-02-30' }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/a date/) }],
    [{ checked: '2026-11-20' }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/a date-time/) }],
    [{ priority: null }, 'SERVICE_INVALID_BODY', { message: expect.stringMatching(/must have a value/) }],
  ];
  test.each(wrong)('%j is refused before anything is queued', async (customFields, code, detail) => {
    const { id } = await byCode('A');
    const before = await shop.send('/writes?per_page=1');
    for (const [method, path, json] of [
      ['PATCH', `/vendors/${id}`, { customFields }],
      ['POST', '/vendors', { name: 'Wrong', customFields }],
      ['PUT', `/vendors/${id}`, { name: 'Wrong', customFields }],
    ] as const) {
      const { status, body } = await write(method, path, json);
      expect({ status, body }).toMatchObject({ status: 400, body: { code, details: [detail] } });
    }
    expect((await shop.send('/writes?per_page=1')).body).toEqual(before.body);
  });

  test.each(['__proto__', 'constructor'])('the reserved name %s is refused', async (name) => {
    const text = `{"name": "Wrong", "customFields": {"${name}": "x"}}`;
    const { status, body } = await shop.send('/vendors', {
      method: 'POST',
      text,
      headers: { 'Content-Type': 'application/json' },
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_BODY' } });
  });

  test('a batch names the item and its field, and queues nothing', async () => {
    const subject = { id: (await byCode('A')).id, rel: 'Vendor' };
    const note = (body: string, customFields: object) => ({ subject, body, customFields });
    const first = note('One', { color: 'red' });
    const items = [first, note('Two', { colour: 'red', price: 'x' })];
    const { status, body } = await write('POST', '/comments/batch', { items });
    const details = [
      { path: 'body/items/1/customFields/colour', didYouMean: 'color' },
      { field: 'items[1].customFields.price' },
    ];
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_BODY', details } });
    expect(await shop.sql('SELECT FROM note')).toEqual([]);
    const two = [first, note('Two', { color: 'green' })];
    const done = await write<{ data: { record: Vendor }[] }>('POST', '/comments/batch', { items: two });
    expect(done.body.data.map(({ record }) => record.customFields.color)).toEqual(['red', 'green']);
  });

  test('a listed field that the mapping does not make writable can only be read', async () => {
    const { body } = await shop.send<Page>('/customers');
    const [{ id } = expect.fail('no customer')] = body.data;
    const refused = await write('PATCH', `/customers/${id}`, { customFields: { rating: 1 } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'SERVICE_READ_ONLY_FIELD' } });
    const done = await write('PATCH', `/customers/${id}`, { customFields: { color: 'green' } });
    expect(done.body.data.customFields).toEqual({ color: 'green', rating: 5 });
    expect((await shop.send<Page>('/customers?filter[customFields.color]=green')).body.data).toHaveLength(1);
  });

  test('a dry run shows what would be sent, and a write record what was sent and what is stored', async () => {
    const vendor = await created(values);
    const planned = await write<WriteRecord>('PUT', `/vendors/${vendor.id}?dryRun=true`, {
      name: 'New',
      customFields: { pieces: 7 },
    });
    expect(planned.body).toMatchObject({ status: 'planned', customFields: { pieces: 7, color: null } });
    expect((await row(vendor))?.pieces).toBe(4);
    const sent = await shop.send<WriteRecord>(`/vendors/${vendor.id}`, {
      method: 'PATCH',
      json: { customFields: { pieces: 7 } },
      headers: { Prefer: 'respond-async' },
    });
    expect(sent.body.customFields).toEqual({ pieces: 7 });
    await vi.waitFor(async () => {
      const { body } = await shop.send<WriteRecord>(`/writes/${sent.body.writeId}`);
      expect(body).toMatchObject({ status: 'succeeded', customFields: { pieces: 7 }, warnings: [] });
      expect(body.result?.record).toMatchObject({ 'customFields.pieces': '7', 'customFields.color': 'blue' });
    }, 30_000);
  });

  test('compensation restores the previous values of the fields that were changed', async () => {
    const vendor = await created(values);
    const { headers } = await write('PATCH', `/vendors/${vendor.id}`, { customFields: { pieces: 8, color: null } });
    await shop.sql(`UPDATE supplier SET since = '2020-01-01' WHERE code = $1`, [vendor.code]);
    await shop.send(`/writes/${headers.get('Write-Id')}/actions/compensate`, { method: 'POST' });
    await vi.waitFor(async () => expect(await row(vendor)).toMatchObject({ pieces: 4, color: 'blue' }), 30_000);
    expect(await shop.sql('SELECT since::text FROM supplier WHERE code = $1', [vendor.code])).toEqual([
      { since: '2020-01-01' },
    ]);
  });

  test('a value that the system stores differently is a warning of the write', async () => {
    await shop.sql(`CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.color := upper(NEW.color); RETURN NEW; END $$`);
    await shop.sql('CREATE TRIGGER shout BEFORE UPDATE OF color ON supplier FOR EACH ROW EXECUTE FUNCTION shout()');
    const { id } = await created({});
    const { body, headers } = await write('PATCH', `/vendors/${id}`, { customFields: { color: 'loud', pieces: 1 } });
    await shop.sql('DROP TRIGGER shout ON supplier');
    expect(body.data.customFields).toMatchObject({ color: 'LOUD', pieces: 1 });
    const { body: record } = await shop.send<WriteRecord>(`/writes/${headers.get('Write-Id')}`);
    expect(record.warnings).toMatchObject([{ code: 'VALUE_ADJUSTED', field: 'customFields.color' }]);
  });
});

describe('changes in the system', () => {
  test('a changed value is in the change log as customFields', async () => {
    const { id } = await created({ color: 'red' });
    const { body: start } = await shop.send<{ meta: { next_cursor: string } }>('/changes?per_page=200');
    await shop.sql(
      `UPDATE supplier SET color = 'green' WHERE code = (SELECT code FROM supplier ORDER BY id DESC LIMIT 1)`,
    );
    await shop.sync('incremental');
    const { body } = await shop.send(`/changes?cursor=${start.meta.next_cursor}`);
    const fields = expect.arrayContaining(['customFields']);
    expect(body.data).toContainEqual(expect.objectContaining({ kind: 'updated', entity: 'Vendor', id, fields }));
  });

  test('a column that is added or dropped is a field, or no field, after the next full sync', async () => {
    const other = await shops.open('changing');
    const { id } = await byCode('A', other);
    await other.sql(`ALTER TABLE supplier ADD weight numeric(5, 1), DROP COLUMN color`);
    await other.sql(`UPDATE supplier SET weight = 2.5 WHERE code = 'A'`);
    await other.sync('full');
    expect((await byCode('A', other)).customFields).toMatchObject({ weight: 2.5 });
    expect(Object.keys((await byCode('B', other)).customFields)).not.toContain('color');
    expect((await filtered('weight:gt', '2', other)).body.data).toHaveLength(1);
    expect((await filtered('color', 'red', other)).status).toBe(400);
    const done = await write('PATCH', `/vendors/${id}`, { customFields: { weight: 3 } }, other);
    expect(done.body.data.customFields).toMatchObject({ weight: 3 });
    const refused = await write('PATCH', `/vendors/${id}`, { customFields: { color: 'red' } }, other);
    expect(refused).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_BODY' } });
  });
});

test('two tenants have the same name with different types', async () => {
  const other = await shops.open('two', 'ALTER TABLE supplier ALTER color TYPE integer USING length(color)');
  expect((await byCode('A', other)).customFields.color).toBe(3);
  expect(await codes('filter[customFields.color:gte]=4', other)).toBe('B');
  const { id } = await byCode('A', other);
  expect((await write('PATCH', `/vendors/${id}`, { customFields: { color: 'red' } }, other)).status).toBe(400);
  expect((await write('PATCH', `/vendors/${id}`, { customFields: { color: 7 } }, other)).status).toBe(200);
  expect((await filtered('color:gte', '4')).status).toBe(200);
  expect((await byCode('A')).customFields.color).toBe('red');
});

test('500 columns and a value of 1 MB are listed, filtered and written', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `c${index}`);
  const add = names.map((name) => `ADD ${name} text`).join(', ');
  const other = await shops.open(
    'wide',
    `ALTER TABLE supplier ${add}; UPDATE supplier SET c499 = 'last' WHERE code = 'B';`,
  );
  expect(await codes('filter[customFields.c499]=last', other)).toBe('B');
  const { id } = await byCode('A', other);
  const every = Object.fromEntries(names.map((name) => [name, name]));
  const { status, body } = await write('PATCH', `/vendors/${id}`, { customFields: every }, other);
  expect({ status, fields: body.data.customFields }).toMatchObject({ status: 200, fields: every });
  const large = 'ü'.repeat(500_000);
  await other.sql(`UPDATE supplier SET c0 = $1 WHERE code = 'C'`, [large]);
  await other.sync('incremental');
  expect((await byCode('C', other)).customFields.c0).toBe(large);
  expect(await codes('filter[customFields.c0:contains]=üüü', other)).toBe('C');
  const sent = 'x'.repeat(990_000);
  const changed = await write('PATCH', `/vendors/${id}`, { customFields: { c1: sent } }, other);
  expect(changed.body.data.customFields.c1).toBe(sent);
  const refused = await write('PATCH', `/vendors/${id}`, { customFields: { c1: 'x'.repeat(1_000_000) } }, other);
  expect(refused).toMatchObject({ status: 413, body: { code: 'SERVICE_BODY_TOO_LARGE' } });
});
