import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Reference {
  readonly id: string;
  readonly rel: string;
  readonly _displayValue: string;
}
interface Party {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly vendor: Reference | null;
  readonly customer: Reference | null;
  readonly partner: Reference | null;
  readonly parent: Reference | null;
}
interface Body {
  readonly data: Party & readonly Party[];
  readonly code: string;
  readonly message: string;
}

interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

const headers = () => ({ 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' });
const get = async (path: string) => (await company.send<Body>(path)).body.data;
const write = (method: 'POST' | 'PATCH' | 'PUT', path: string, json: object) =>
  company.send<Body>(path, { method, headers: headers(), json });

describe('a firm that is vendor and customer', () => {
  test('is one partner with both roles', async () => {
    const all = await company.all<Party>('/partners');
    const both = all.filter(({ roles }) => roles.length === 2);
    expect(both.length).toBeGreaterThan(10);
    const { id, vendor, customer, name } = both[0] ?? expect.fail('none is both');
    expect(await get(`/vendors/${vendor?.id}`)).toMatchObject({ name, partner: { id, rel: 'Partner' } });
    expect(await get(`/customers/${customer?.id}`)).toMatchObject({ name, partner: { id, rel: 'Partner' } });
    const [vendors, customers] = await Promise.all(['/vendors', '/customers'].map((path) => company.all<Party>(path)));
    expect(all.length).toBe((vendors?.length ?? 0) + (customers?.length ?? 0) - both.length);
  });

  test('is found by role, record and parent, and expanded', async () => {
    const all = await company.all<Party>('/partners');
    const { id, vendor } = all.find(({ roles }) => roles.length === 2) ?? expect.fail('none is both');
    const child = all.find(({ parent }) => parent !== null);
    const customers = await get('/partners?filter[roles]=customer&per_page=20');
    expect(customers).toHaveLength(20);
    for (const { roles } of customers) expect(roles).toContain('customer');
    expect(await get(`/partners?filter[vendor]=${vendor?.id}`)).toMatchObject([{ id }]);
    expect(await get(`/partners/${id}?expand=vendor`)).toMatchObject({ vendor: { id: vendor?.id, partner: { id } } });
    expect(await get(`/partners?filter[parent]=${child?.parent?.id}`)).toContainEqual(child);
  });
});

describe('a write', () => {
  test('is filtered by a role that exists', async () => {
    const { status, body } = await company.send<Refusal>('/partners?filter[roles]=vendr');
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_FILTER']);
    expect(body.details).toMatchObject([{ didYouMean: 'vendor', allowed: ['vendor', 'customer'] }]);
  });

  test.each([
    ['without a role', []],
    ['with a role twice', ['vendor', 'vendor']],
  ])('is not created %s', async (_, roles) => {
    const { status, body } = await company.send<Refusal>('/partners', {
      method: 'POST',
      json: { name: 'Nord', roles },
    });
    expect([status, body.code, body.details.map(({ path }) => path)]).toEqual([
      400,
      'SERVICE_INVALID_BODY',
      ['body/roles'],
    ]);
  });

  test('creates a partner with the records of its roles, which can be read immediately', async () => {
    const { status, body } = await write('POST', '/partners', { name: 'Hansa Bolts', roles: ['vendor', 'customer'] });
    expect(status, JSON.stringify(body)).toBe(201);
    const { id, vendor, customer } = body.data;
    expect([vendor?._displayValue, customer?._displayValue]).toEqual(['Hansa Bolts', 'Hansa Bolts']);
    expect(await get(`/vendors/${vendor?.id}`)).toMatchObject({ name: 'Hansa Bolts', partner: { id } });
    expect(await get(`/customers/${customer?.id}`)).toMatchObject({ name: 'Hansa Bolts', partner: { id } });
  });

  test('of a vendor or customer changes its partner', async () => {
    const made = await write('POST', '/vendors', { name: 'Small Works' });
    const { partner } = made.body.data;
    expect(await get(`/partners/${partner?.id}`)).toMatchObject({ name: 'Small Works', roles: ['vendor'] });
    await write('PATCH', `/vendors/${made.body.data.id}`, { name: 'Large Works' });
    expect(await get(`/partners/${partner?.id}`)).toMatchObject({
      name: 'Large Works',
      vendor: { _displayValue: 'Large Works' },
    });
  });

  test('adds a role, keeps the id, and does not remove a role', async () => {
    const made = await write('POST', '/partners', { name: 'Nord', roles: ['vendor'] });
    const path = `/partners/${made.body.data.id}`;
    const both = await write('PUT', path, { name: 'Nord', roles: ['vendor', 'customer'] });
    expect(both.body.data).toMatchObject({ id: made.body.data.id, vendor: { id: made.body.data.vendor?.id } });
    expect(await get(`/customers/${both.body.data.customer?.id}`)).toMatchObject({ name: 'Nord' });
    const less = await write('PUT', path, { name: 'Nord', roles: ['customer'] });
    expect(less).toMatchObject({ status: 422, body: { code: 'SERVICE_REJECTED' } });
    expect(less.body.message).toContain('GP-010');
    expect((await get(path)).roles).toEqual(['vendor', 'customer']);
  });

  test('has a role that exists', async () => {
    const { status, body } = await write('POST', '/partners', { name: 'Nord', roles: ['tenant'] });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
  });
});
