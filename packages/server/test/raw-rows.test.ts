import { deleteRawRows, saveRawRows, saveSyncState } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Row {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
}
interface Page {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly allowed?: readonly string[]; readonly didYouMean?: string }[];
}

const TABLE = 'stock.item';
const ROWS: Readonly<Record<string, Record<string, unknown>>> = {
  a: {
    name: 'Bolt',
    price: '9.50',
    active: true,
    api_token: 'sk-secret',
    owner: { name: 'Ann', password: 'pw-secret' },
  },
  b: { name: 'bolt 100%', price: '100', active: false, api_token: null, lines: [{ pin: 1, secret: 'deep-secret' }] },
  c: { name: null, price: '-3', active: true, note: 'only here' },
  d: { name: 'Nut', price: 'unknown', 'a:b': 'colon', text: 'NUL \u0000 in it' },
  e: { name: 'Washer' },
};

let api: TestApi;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi();
  connection = await api.connect();
  const { scope } = connection;
  const rows = Object.entries(ROWS).map(([key, row]) => ({ key, row }));
  await saveRawRows(scope, TABLE, [...rows, { key: 'gone', row: { name: 'Bolt' } }]);
  await deleteRawRows(scope, TABLE, ['gone']);
  await saveSyncState(scope, TABLE, { cursor: { columns: { name: 'varchar', price: 'numeric', empty: 'text' } } });
});
afterAll(() => api.stop());

const get = <Body = Page>(path: string, token = connection.token) => api.fetch<Body>(`/v4${path}`, { token });
const list = (query: string) => get(`/raw/tables/${TABLE}/rows?${query}`);
const keys = async (query: string) => (await list(query)).body.data.map(({ key }) => key).join('');
const filter = (column: string, value: string) => `filter[${encodeURIComponent(column)}]=${encodeURIComponent(value)}`;

it('does not order rows by a secret, though its column is in none of the first rows', async () => {
  const { scope, token } = await api.connect();
  const rows = Array.from({ length: 30 }, (_, n) => ({ key: String(n).padStart(2, '0'), row: { name: `Row ${n}` } }));
  await saveRawRows(scope, TABLE, [...rows, { key: 'last', row: { name: 'Last', api_token: 'sk-secret' } }]);
  for (const query of ['sort=-api_token', filter('api_token:startsWith', 'sk')]) {
    const { status, body } = await get(`/raw/tables/${TABLE}/rows?per_page=1&${query}`, token);
    expect([status, JSON.stringify(body).includes('sk-')]).toEqual([400, false]);
  }
});

it('lists the streams of a connection, with the number of rows that exist and their columns', async () => {
  const { status, body } = await get<{ data: { name: string; columns: { name: string }[] }[] }>('/raw/tables');
  const table = body.data.find(({ name }) => name === TABLE);
  expect([status, table]).toMatchObject([200, { rows: 5, entities: [], updatedAt: null }]);
  expect(table?.columns).toContainEqual({ name: 'price', type: 'numeric', isHidden: false });
  expect(table?.columns).toContainEqual({ name: 'empty', type: 'text', isHidden: false });
  expect(table?.columns).toContainEqual({ name: 'api_token', type: null, isHidden: true });
});

it('returns rows as the system sent them, but for values whose names suggest a secret', async () => {
  const { body } = await list('');
  expect(body.data.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(body.data[0]?.row).toEqual({
    ...ROWS.a,
    api_token: '[hidden]',
    owner: { name: 'Ann', password: '[hidden]' },
  });
  expect(body.data[1]?.row).toEqual({ ...ROWS.b, lines: [{ pin: 1, secret: '[hidden]' }] });
  expect(body.data[3]?.row).toEqual(ROWS.d);
  expect(JSON.stringify(body)).not.toContain('-secret');
});

describe('a filter', () => {
  it.each([
    ['name', 'Bolt', 'a'],
    ['name:neq', 'Bolt', 'bcde'],
    ['name:in', 'Bolt,Nut', 'ad'],
    ['name:contains', 'BOLT', 'ab'],
    ['name:contains', '0%', 'b'],
    ['name:contains', '%', 'b'],
    ['name:startsWith', 'bol', 'ab'],
    ['name:endsWith', 'er', 'e'],
    ['name', 'null', 'c'],
    ['name:neq', 'null', 'abde'],
    ['price', '100', 'b'],
    ['price:gt', '9', 'ab'],
    ['price:lte', '9.5', 'ac'],
    ['price:gte', 'u', 'd'],
    ['active', 'true', 'ac'],
    ['note', 'only here', 'c'],
    ['empty', 'x', ''],
    ['name', "' or true --", ''],
  ])('%s=%s selects %j', async (column, value, expected) => {
    expect(await keys(filter(column, value))).toBe(expected);
  });

  it('compares neither lists nor objects, which may contain secrets', async () => {
    expect(await keys(filter('owner:contains', 'secret'))).toBe('');
    expect(await keys(filter('lines:contains', 'secret'))).toBe('');
  });

  it.each([
    [filter('api_token', 'sk-secret'), 'hidden'],
    [filter('api_token:startsWith', 'sk'), 'hidden'],
    [filter('nmae', 'Bolt'), 'Did you mean "name"?'],
    [filter('name:like', 'Bolt'), 'cannot be compared'],
    [Array.from({ length: 11 }, (_, index) => filter(`c${index}`, '1')).join('&'), 'more than 10'],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_FILTER']);
    expect(body.message).toContain(message);
    expect(JSON.stringify(body)).not.toContain('sk-secret');
  });
});

describe('sorting', () => {
  it.each([
    ['key', 'abcde'],
    ['-key', 'edcba'],
    ['price', 'cabde'],
    ['-price', 'edbac'],
    ['name', 'adebc'],
    ['savedAt', 'abcde'],
  ])('by %s returns %s, on one page or on several', async (sort, expected) => {
    expect(await keys(`sort=${sort}`)).toBe(expected);
    let found = '';
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: Page } = await list(`sort=${sort}&per_page=2${cursor && `&cursor=${cursor}`}`);
      found += body.data.map(({ key }) => key).join('');
      cursor = body.meta.next_cursor;
    }
    expect(found).toBe(expected);
  });

  it.each(['api_token', '-api_token', 'nmae', ''])('by %j is refused', async (sort) => {
    expect((await list(`sort=${sort}`)).status).toBe(400);
  });

  it('refuses the cursor of another order, and one that no page returned', async () => {
    const { body } = await list('sort=price&per_page=2');
    const forged = Buffer.from(JSON.stringify([1, "'"])).toString('base64url');
    for (const query of [`sort=name&cursor=${body.meta.next_cursor}`, 'cursor=nonsense', `cursor=${forged}`])
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_CURSOR' } });
  });
});

describe('access', () => {
  it('an unknown stream is not found, and the nearest one is named', async () => {
    const { status, body } = await get('/raw/tables/stock.itme/rows');
    expect([status, body.code, body.message]).toMatchObject([
      404,
      'SERVICE_NOT_FOUND',
      expect.stringContaining(`"${TABLE}"`),
    ]);
  });

  it('another connection does not have the rows', async () => {
    const other = await api.connect();
    expect((await get(`/raw/tables/${TABLE}/rows`, other.token)).status).toBe(404);
    const { body } = await get<{ data: { name: string }[] }>('/raw/tables', other.token);
    expect(body.data.map(({ name }) => name)).not.toContain(TABLE);
  });

  it.each([
    ['entities', { access: [{ entity: 'Vendor' }] }],
    ['fields', { access: [{ entity: 'Vendor', fields: ['notes'] }] }],
    ['writing', { scopes: ['write' as const] }],
  ])('a token that is restricted to %s cannot read around its limits', async (_, limits) => {
    const token = await connection.issueToken(limits);
    for (const path of ['/raw/tables', `/raw/tables/${TABLE}/rows`])
      expect(await get(path, token)).toMatchObject({ status: 403, body: { code: 'SERVICE_FORBIDDEN' } });
  });

  it('a read-only token can read raw rows', async () => {
    const token = await connection.issueToken({ scopes: ['read'] });
    expect((await get(`/raw/tables/${TABLE}/rows`, token)).status).toBe(200);
  });
});

it('ends a page early if the response would be too large', async () => {
  const modest = await startApi({ largestResponse: 1_000 });
  try {
    const { scope, token } = modest.connection;
    await saveRawRows(
      scope,
      'big',
      ['1', '2', '3'].map((key) => ({ key, row: { text: 'x'.repeat(400) } })),
    );
    const { body } = await modest.fetch<Page>('/v4/raw/tables/big/rows', { token });
    expect([body.data.map(({ key }) => key), body.meta.has_more]).toEqual([['1', '2'], true]);
  } finally {
    await modest.stop();
  }
});
