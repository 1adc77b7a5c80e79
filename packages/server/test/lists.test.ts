import { clientDocument, entities } from '@unified/contract';
import { connect, type Seeded, seed, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Vendor = Record<string, unknown> & { id: string; name: string; code: string };
interface Page {
  readonly meta: Record<string, unknown>;
  readonly data: readonly Vendor[];
}

let api: TestApi;
let seeded: Seeded;

beforeAll(async () => {
  api = await startApi();
  seeded = await seed(api.connection.scope, { vendors: 121 });
});
afterAll(() => api.stop());

const list = async (query = '', path = '/v4/vendors') => (await api.fetch<Page>(`${path}?${query}`)).body;
const names = async (query: string) => (await list(query)).data.map(({ name }) => name);

describe('a list', () => {
  it('returns the first 50 records by default', async () => {
    const { meta, data } = await list();
    expect(data).toHaveLength(50);
    expect(meta).toEqual({ current_page: 1, per_page: 50, has_more: true, next_cursor: expect.any(String) });
  });

  it('returns each record once over all pages, without the deleted one', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`per_page=50&page=${page}`)));
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids)).toEqual(new Set(seeded.vendors.slice(0, 120)));
    expect(ids).toHaveLength(120);
    expect(pages.map(({ meta }) => meta.has_more)).toEqual([true, true, false]);
  });

  it('returns each record once by cursor, in the requested order', async () => {
    const codes: string[] = [];
    let query = 'per_page=50&sort=-code';
    for (let cursor: unknown = ''; cursor !== null; query = `per_page=50&sort=-code&cursor=${cursor}`) {
      const { meta, data } = await list(query);
      codes.push(...data.map(({ code }) => code));
      cursor = meta.next_cursor;
    }
    expect(codes).toHaveLength(120);
    expect(codes).toEqual(codes.toSorted().reverse());
  });

  it('returns an empty page beyond the end', async () => {
    const { meta, data } = await list('page=1000000&per_page=500');
    expect(data).toEqual([]);
    expect(meta).toMatchObject({ current_page: 1000000, has_more: false, next_cursor: null });
  });

  it('counts only on request', async () => {
    expect((await list('per_page=50&with_total=true')).meta).toMatchObject({ total: 120, last_page: 3 });
    expect((await list('filter[name]=none&with_total=true')).meta).toMatchObject({ total: 0, last_page: 1 });
  });

  it('is the same at the address with the version segment twice', async () => {
    expect(await list('per_page=2', '/v4/v4/vendors')).toEqual(await list('per_page=2'));
  });

  it('is empty for another connection', async () => {
    const other = await connect(api.store, { applicationId: api.connection.applicationId });
    const { body } = await api.fetch<Page>('/v4/vendors', { token: other.token });
    expect(body.data).toEqual([]);
    const { status } = await api.fetch(`/v4/vendors/${seeded.vendors[0]}`, { token: other.token });
    expect(status).toBe(404);
  });
});

describe('a list whose conditions are plain parameters', () => {
  const plain = (query: string) => query.replaceAll(/filter\[([^\]]+)\]/g, '$1');
  const response = async (query: string) => {
    const { status, body } = await api.fetch<Page & { readonly code: string }>(`/v4/vendors?${query}`);
    return { status, body };
  };

  it.each([
    'filter[name]=ACME Supplies 0',
    'filter[name:in]=ACME Supplies 0,Border Steel 1&sort=-name',
    'filter[name:contains]=tools&filter[code:lt]=V-00050&per_page=3&with_total=true',
    'filter[isActive]=true&page=2&per_page=20',
    'filter[currency.code]=EUR&fields=name',
    'filter[_updatedAt:gte]=2026-01-01&filter[phone]=null',
    'filter[currency]=0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b',
    'filter[name:like]=x',
    'filter[isActive]=maybe',
    'filter[name.code]=x',
    'filter[name]=',
  ])('is that with filter[…]: %s', async (query) => {
    const expected = await response(query);
    expect(await response(plain(query))).toEqual(expected);
    expect(plain(query)).not.toContain('filter');
  });

  it('returns other vendors than the unfiltered list', async () => {
    expect(await names('name:in=ACME Supplies 0,Border Steel 1&sort=-name')).toEqual([
      'Border Steel 1',
      'ACME Supplies 0',
    ]);
  });

  it('is refused if a condition is sent in both forms', async () => {
    const both = await response('name=a&filter[name]=a');
    expect([both.status, both.body.code]).toEqual([400, 'SERVICE_INVALID_FILTER']);
    expect((await response('name=a&filter[name:neq]=b')).status).toBe(200);
  });

  it('is not possible at an address that returns one record', async () => {
    const { body } = await api.fetch<{ code: string }>(`/v4/vendors/${seeded.vendors[0]}?name=a`);
    expect(body.code).toBe('SERVICE_INVALID_PARAMETER');
  });

  it('is unambiguous, because no field has the name of a parameter of its list', () => {
    const described = Object.values(clientDocument().components?.parameters ?? {}) as { in: string; name: string }[];
    const parameters = described.flatMap((each) => (each.in === 'query' ? each.name : []));
    const same = Object.values(entities).flatMap((entity) => parameters.filter((name) => entity.field[name]));
    expect(parameters).toContain('modified_after');
    expect(same).toEqual([]);
  });
});

describe('a filtered list', () => {
  it.each([
    ['filter[name]=ACME Supplies 0', ['ACME Supplies 0']],
    ['filter[name:in]=ACME Supplies 0,Border Steel 1', ['ACME Supplies 0', 'Border Steel 1']],
    ['filter[name:contains]=čAPEK tools 2&filter[code:lt]=V-00003', ['Čapek Tools 2']],
    ['filter[name:startsWith]=50%25 off_parts 3&filter[code:lte]=V-00003', ['50% Off_Parts 3']],
    ['filter[name:contains]=%25%25', []],
    ['filter[name:endsWith]=Works 4', ['Delta "Quoted" Works 4']],
    ['filter[legalName]=null', ['ACME Supplies 0']],
    ['filter[leadTimeDays:gte]=29&filter[leadTimeDays:lt]=29.5&filter[code:lt]=V-00040', ['Delta "Quoted" Works 29']],
    ['filter[isActive]=false&filter[code:in]=V-00000,V-00001', ['Border Steel 1']],
    ['filter[partnerSinceDate]=2020-01-01&filter[code:lt]=V-00020', ['ACME Supplies 0']],
    ['filter[partnerSinceDate:lt]=2020-01-02T00:00:00%2B01:00&filter[code:lt]=V-00020', ['ACME Supplies 0']],
    ['filter[_idValue]=1', ['ACME Supplies 0']],
    ['filter[_deletedAt:neq]=null', []],
    ['modified_after=2026-01-05T22:30:00Z', ['Delta "Quoted" Works 119']],
  ])('%s', async (query, expected) => {
    expect(await names(`${query}&sort=code`)).toEqual(expected);
  });

  it('names the target of a relation by its id', async () => {
    const [eur, usd] = seeded.currencies;
    const { data } = await list(`filter[currency]=${usd}&per_page=500`);
    expect(data.map(({ currency }) => (currency as { id: string }).id)).toEqual(Array(data.length).fill(usd));
    expect(data.length).toBe(40);
    expect((await list(`filter[currency:in]=${eur},${usd}&per_page=500`)).data.length).toBe(79);
  });

  it('excludes records without a link from neq on a relation, but not those without a value from neq on a field', async () => {
    const [eur] = seeded.currencies;
    expect((await list(`filter[currency:neq]=${eur}&with_total=true`)).meta.total).toBe(80);
    expect((await list('filter[legalName:neq]=unknown&with_total=true')).meta.total).toBe(120);
  });
});

describe('expansion', () => {
  it('replaces references with full records, two levels deep', async () => {
    const { data } = await list('expand=currency,accountPayable.parent&sort=code&per_page=2');
    expect(data[0]?.currency).toBeNull();
    expect(data[1]).toMatchObject({
      currency: { code: 'USD', _implements: expect.arrayContaining(['Currency']) },
      accountPayable: { code: '401', parent: { code: '400', name: 'Account 0' } },
    });
  });

  it.each([
    ['one record', () => `/v4/vendors/${seeded.vendors[1]}?`],
    ['a list', () => `/v4/vendors?filter[id]=${seeded.vendors[1]}&`],
  ])('is also known as extend when %s is read', async (_, address) => {
    const [expanded, extended] = await Promise.all(
      ['expand', 'extend'].map((name) => api.fetch(`${address()}${name}=currency`)),
    );
    expect(extended?.body).toEqual(expanded?.body);
    expect([expanded?.body.data].flat()).toMatchObject([{ currency: { code: 'USD' } }]);
    const both = await api.fetch(`${address()}expand=currency&extend=currency`);
    expect(both.body).toEqual(expanded?.body);
  });
});

describe('fields', () => {
  const required = entities.Vendor.fields.filter((field) => field.required).map(({ name }) => name);

  it('return the required and the listed fields, in a list and in a record', async () => {
    const { data, meta } = await list('fields=currency,code&sort=code&per_page=2');
    for (const record of data) expect(Object.keys(record).sort()).toEqual([...required, 'currency'].sort());
    expect(data[1]).toMatchObject({ code: 'V-00001', currency: { _displayValue: 'USD', href: expect.any(String) } });
    expect(meta.next_cursor).toEqual((await list('sort=code&per_page=2')).meta.next_cursor);
    const one = await api.fetch(`/v4/vendors/${seeded.vendors[1]}?fields=code,currency`);
    expect(one.body.data).toEqual(data[1]);
  });

  it('need not include expanded fields', async () => {
    const { data } = await list('fields=name&expand=currency&sort=code&per_page=2');
    expect(Object.keys(data[1] ?? {}).sort()).toEqual([...required, 'currency'].sort());
    expect(data[1]).toMatchObject({
      id: seeded.vendors[1],
      name: 'Border Steel 1',
      currency: (await api.fetch(`/v4/currencies/${seeded.currencies[1]}`)).body.data,
    });
  });
});

describe('one record', () => {
  it('is returned with references that link to their targets', async () => {
    const { body } = await api.fetch<{ data: Vendor }>(`/v4/vendors/${seeded.vendors[1]}`);
    const { href, ...reference } = body.data.currency as { href: string };
    expect(reference).toMatchObject({ id: seeded.currencies[1], _displayValue: 'USD', rel: 'Currency' });
    const target = await api.fetch(new URL(href).pathname);
    expect(target.body).toMatchObject({ data: { code: 'USD' } });
  });

  it('is returned after its deletion, with the time of the deletion', async () => {
    const { body } = await api.fetch(`/v4/vendors/${seeded.vendors.at(-1)}`);
    expect(body).toMatchObject({ data: { _deletedAt: '2026-06-01T00:00:00.000Z' } });
  });

  it('is not found by an unknown id', async () => {
    const { status, body } = await api.fetch('/v4/vendors/0199d2a4-0000-7000-8000-000000000000');
    expect([status, body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
  });
});

it('responds to HEAD like GET, without the body', async () => {
  const headers = { 'Accept-Encoding': 'identity' };
  const head = await api.fetch('/v4/vendors', { method: 'HEAD', headers });
  const get = await api.fetch('/v4/vendors', { headers });
  expect(head.status).toBe(200);
  expect(head.body).toBeUndefined();
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
});
