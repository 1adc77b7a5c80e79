import { entities, type MappedRecord } from '@unified/contract';
import { saveRecords } from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Page {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly object[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
  readonly data: readonly { readonly code: string; readonly vendor: { readonly customFields: object } }[];
}

const NOTE = 'x'.repeat(990_000);
const LIMIT = 2_500_000;
const TOO_LARGE = { status: 400, code: 'SERVICE_RESPONSE_TOO_LARGE' };

let api: TestApi;

/** Four vendors of almost a megabyte each, and four orders from the first of them. */
beforeAll(async () => {
  api = await startApi({ largestResponse: LIMIT });
  const { scope } = api.connection;
  await saveRecords(scope, entities.Vendor, [1, 2, 3, 4].map(vendor));
  await saveRecords(scope, entities.PurchaseOrder, [1, 2, 3, 4].map(order));
});
afterAll(() => api.stop());

function vendor(n: number): MappedRecord {
  const values = { code: `V-${n}`, name: `Vendor ${n}`, customFields: { note: NOTE } };
  return { _source: 'vendor', _idValue: String(n), values, references: {} };
}

function order(n: number): MappedRecord {
  const references = { vendor: { entity: 'Vendor', by: '_idValue', value: '1' } } as const;
  return { _source: 'order', _idValue: String(n), values: { code: `PO-${n}` }, references };
}

async function get(path: string) {
  const { status, body } = await api.fetch<Page>(`/v4${path}`);
  return { status, body, code: body.code, codes: body.data?.map(({ code }) => code) };
}

/** The codes of all records after a page, and the number of records on each of the following pages. */
async function following(path: string, first: Page) {
  const codes = first.data.map(({ code }) => code);
  const sizes: number[] = [];
  for (let { meta } = first; meta.next_cursor !== null; ) {
    const { body } = await get(`${path}&cursor=${meta.next_cursor}`);
    codes.push(...body.data.map(({ code }) => code));
    sizes.push(body.data.length);
    ({ meta } = body);
  }
  return { codes, sizes };
}

test('a numbered page whose records exceed the limit of a response is refused with what to do', async () => {
  const { status, body } = await get('/vendors');
  expect({ status, code: body.code }).toEqual(TOO_LARGE);
  expect(body.message).toContain('more than 2.5 MB. Request fewer records with per_page');
  expect(body.details).toEqual([{ largestBytes: LIMIT }]);
  expect((await get('/vendors?per_page=2')).codes).toHaveLength(2);
});

test('a page by cursor ends early instead, and no record is left out', async () => {
  const { body } = await get('/vendors?per_page=1&sort=code');
  expect(await following('/vendors?per_page=3&sort=code', body)).toEqual({
    codes: ['V-1', 'V-2', 'V-3', 'V-4'],
    sizes: [2, 1],
  });
});

test('the copies of a record that several others refer to count', async () => {
  expect(await get('/purchase-orders?expand=vendor')).toMatchObject(TOO_LARGE);
  expect((await get('/purchase-orders')).codes).toHaveLength(4);
  const { body } = await get('/purchase-orders?per_page=1&sort=code&expand=vendor');
  expect(body.data[0]?.vendor.customFields).toEqual({ note: NOTE });
  expect(await following('/purchase-orders?per_page=3&sort=code&expand=vendor', body)).toEqual({
    codes: ['PO-1', 'PO-2', 'PO-3', 'PO-4'],
    sizes: [2, 1],
  });
});

test('fields that are not returned do not count', async () => {
  expect((await get('/purchase-orders?fields=code')).codes).toHaveLength(4);
});
