import { entities } from '@unified/contract';
import { type StoredCustomField, saveCustomFields, saveRecords } from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Page {
  readonly meta: Record<string, unknown>;
  readonly data: readonly { readonly name: string; readonly customFields: object }[];
}

const readOnly = { isWritable: false, isRequired: false, limits: {} };
const fields: readonly StoredCustomField[] = [
  { name: 'guete', type: 'string', isIndexed: true, ...readOnly, limits: { maxLength: 1 } },
  { name: 'audit_am', type: 'date', isIndexed: false, ...readOnly },
  { name: 'rahmen_eur', type: 'number', isIndexed: false, ...readOnly },
  { name: 'kz_rahmen', type: 'boolean', isIndexed: false, ...readOnly },
];

const vendors: Readonly<Record<string, object>> = {
  a: { guete: 'A', audit_am: '2026-02-01', rahmen_eur: 9, kz_rahmen: true },
  b: { guete: 'B', audit_am: null, rahmen_eur: 100.5, kz_rahmen: false },
  c: { guete: null, audit_am: '2025-12-31', rahmen_eur: null, kz_rahmen: null },
  d: {},
};

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  const { scope } = api.connection;
  const records = Object.entries(vendors).map(([name, customFields]) => ({
    ...{ _source: 'v', _idValue: name, references: {} },
    values: { name, customFields },
  }));
  await saveCustomFields(scope, entities.Vendor, fields);
  await saveRecords(scope, entities.Vendor, records, { indexed: fields.slice(0, 1) });
});
afterAll(() => api.stop());

const list = (query: string, path = '/v4/vendors') => api.fetch<Page>(`${path}?${query}`);

describe('custom fields', () => {
  it('are returned under their names, or as an empty object', async () => {
    const { body } = await list('');
    expect(Object.fromEntries(body.data.map((each) => [each.name, each.customFields]))).toEqual(vendors);
  });

  it.each([
    ['guete]=A', 'a'],
    ['guete:in]=A,B', 'ab'],
    ['guete]=null', 'cd'],
    ['guete:neq]=A', 'bcd'],
    ['guete:contains]=b', 'b'],
    ['kz_rahmen]=true', 'a'],
    ['rahmen_eur:gt]=10', 'b'],
    ['rahmen_eur:lte]=9.0', 'a'],
    ['audit_am:lt]=2026-01-01', 'c'],
    ['audit_am:gte]=2026-01-01&filter[customFields.kz_rahmen]=true', 'a'],
  ])('filter lists: customFields.%s', async (condition, expected) => {
    const { body } = await list(`filter[customFields.${condition}&sort=name&with_total=true`);
    expect(body.data.map(({ name }) => name).join('')).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it('filter lists by a JSON object', async () => {
    const filter = encodeURIComponent('{"customFields.rahmen_eur":{"gte":"9","lt":"100"}}');
    expect((await list(`filter=${filter}`)).body.data.map(({ name }) => name)).toEqual(['a']);
  });

  it('mean what they mean in the connection, at the same address', async () => {
    const other = await api.connect();
    const number: StoredCustomField = { name: 'guete', type: 'number', isIndexed: false, ...readOnly };
    await saveCustomFields(other.scope, entities.Vendor, [number]);
    const record = { _source: 'v', _idValue: '1', values: { name: 'x', customFields: { guete: 5 } }, references: {} };
    await saveRecords(other.scope, entities.Vendor, [record]);
    const path = '/v4/vendors?filter[customFields.guete]=5.0';
    expect((await api.fetch<Page>(path)).body.data).toEqual([]);
    expect((await api.fetch<Page>(path, { token: other.token })).body.data).toMatchObject([{ name: 'x' }]);
  });

  it.each([
    ['/v4/vendors', 'guette]=1', { didYouMean: 'customFields.guete' }],
    ['/v4/vendors', 'audit_an]=1', { didYouMean: 'customFields.audit_am' }],
    ['/v4/vendors', 'rahmen_eur:contains]=1', { allowed: expect.arrayContaining(['gte']) }],
    ['/v4/vendors', 'rahmen_eur]=much', {}],
    ['/v4/currencies', 'guete]=A', { allowed: [] }],
  ])('%s?filter[customFields.%s is refused', async (path, condition, detail) => {
    const { status, body } = await list(`filter[customFields.${condition}`, path);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_FILTER', details: [{ message: expect.any(String), ...detail }] },
    });
  });

  it.each(['customfields.guete', 'CustomFields.guete', 'custom_fields.guette'])(
    'are suggested for another spelling: %s',
    async (name) => {
      const { status, body } = await list(`filter[${name}]=A`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: [{ didYouMean: 'customFields.guete' }] },
      });
    },
  );

  it.each(['__proto__', 'x', 'color'])('are not suggested if only the prefix is alike: %s', async (name) => {
    const { body } = await list(`filter[customFields.${name}]=A`);
    expect(body).toMatchObject({ code: 'SERVICE_INVALID_FILTER' });
    expect(JSON.stringify(body)).not.toMatch(/did ?you ?mean/i);
  });

  it('are returned by sparse records only if they are selected', async () => {
    expect((await list('fields=customFields&per_page=1')).body.data[0]).toHaveProperty('customFields');
    expect((await list('fields=email&per_page=1')).body.data[0]).not.toHaveProperty('customFields');
  });

  it('are listed in the capabilities of their entity', async () => {
    const { scope, token } = await api.connect({ platform: 'tryton' });
    await saveCustomFields(scope, entities.Vendor, fields);
    const path = '/v4/capabilities/Vendor';
    const { body } = await api.fetch<{ data: { customFields: object[] } }>(path, { token });
    const none = { maxLength: null, minimum: null, maximum: null, decimals: null };
    const shown = fields.map(({ limits, ...field }) => ({
      ...field,
      ...none,
      ...limits,
      label: null,
      isFilterable: true,
    }));
    expect(body.data.customFields).toEqual(shown);
  });
});
