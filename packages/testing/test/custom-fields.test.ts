import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company.stop());

interface Shown {
  readonly id: string;
  readonly customFields: Readonly<Record<string, unknown>>;
}

const fieldsOf = (path: string) => company.all<Shown>(path).then((all) => all.map(({ customFields }) => customFields));

test('records have the columns that the mapping lists, by their names and typed', async () => {
  const vendors = await fieldsOf('/vendors');
  expect(vendors).toContainEqual({ guete: 'A', audit_am: null, rahmen_eur: null, kz_rahmen: false });
  expect(vendors.some(({ rahmen_eur }) => typeof rahmen_eur === 'number')).toBe(true);
  expect(vendors.some(({ audit_am }) => /^\d{4}-\d\d-\d\d$/.test(String(audit_am)))).toBe(true);
  const orders = await fieldsOf('/work-orders');
  expect(orders.some(({ abnahme_am }) => /^\d{4}-\d\d-\d\dT.*Z$/.test(String(abnahme_am)))).toBe(true);
  expect(new Set(await fieldsOf('/currencies'))).toEqual(new Set([{}]));
});

test.each([
  ['/vendors', 'guete', 'B', (value: unknown) => value === 'B'],
  ['/vendors', 'guete:in', 'A,C', (value: unknown) => value === 'A' || value === 'C'],
  ['/vendors', 'guete', 'null', (value: unknown) => value === null],
  ['/vendors', 'kz_rahmen', 'true', (value: unknown) => value === true],
  ['/vendors', 'rahmen_eur:gt', '100000', (value: unknown) => Number(value) > 100_000],
  ['/vendors', 'audit_am:lt', '2026-01-01', (value: unknown) => value !== null && String(value) < '2026'],
  ['/items', 'zolltarif:startsWith', '7318.15.0', (value: unknown) => String(value).startsWith('7318.15.0')],
  ['/work-orders', 'helfer:lte', '1', (value: unknown) => value !== null && Number(value) <= 1],
])('%s are filtered by customFields.%s=%s', async (path, key, value, matches) => {
  const all = await fieldsOf(path);
  const [name = ''] = key.split(':');
  const query = `filter[customFields.${key}]=${value}&with_total=true`;
  const { body } = await company.send<{ data: Shown[]; meta: { total: number } }>(`${path}?${query}`);
  expect(body.meta.total).toBe(all.filter((fields) => matches(fields[name])).length);
  expect(body.meta.total).toBeGreaterThan(0);
  expect(body.data.every(({ customFields }) => matches(customFields[name]))).toBe(true);
});

test.each([
  ['/vendors', 'guette', '1', { didYouMean: 'customFields.guete' }],
  ['/vendors', 'rahmen_eur:contains', '1', { allowed: expect.arrayContaining(['gte']) }],
  ['/vendors', 'rahmen_eur', 'much', {}],
  ['/currencies', 'guete', 'A', { allowed: [] }],
])('%s?filter[customFields.%s]=%s is refused', async (path, key, value, detail) => {
  const { status, body } = await company.send(`${path}?filter[customFields.${key}]=${value}`);
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'SERVICE_INVALID_FILTER', details: [{ path: `query/filter[customFields.${key}]`, ...detail }] },
  });
});

test('a sparse record contains them only if they are selected', async () => {
  const { body } = await company.send<{ data: object[] }>('/vendors?fields=customFields&per_page=1');
  expect(body.data[0]).toHaveProperty('customFields.guete');
  const { body: other } = await company.send<{ data: object[] }>('/vendors?fields=email&per_page=1');
  expect(other.data[0]).not.toHaveProperty('customFields');
});

test('the capabilities of an entity list them, typed and with their labels', async () => {
  const { body } = await company.send<{ data: { customFields: object[]; readFields: string[] } }>(
    '/capabilities/Vendor',
  );
  const shown = { isFilterable: true, isIndexed: false };
  expect(body.data.customFields).toEqual([
    { name: 'guete', type: 'string', label: 'Quality class', isFilterable: true, isIndexed: true },
    { ...shown, name: 'audit_am', type: 'date', label: 'Last audit' },
    { ...shown, name: 'rahmen_eur', type: 'number', label: 'Framework budget' },
    { ...shown, name: 'kz_rahmen', type: 'boolean', label: 'Has a framework agreement' },
  ]);
  expect(body.data.readFields).toContain('customFields');
  const { body: other } = await company.send<{ data: object }>('/capabilities/Currency');
  expect(other.data).toMatchObject({ customFields: [] });
});
