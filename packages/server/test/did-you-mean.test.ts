import { addSandboxPlatform } from '@unified/sandbox';
import { type Sent, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

addSandboxPlatform();

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly didYouMean?: string }[];
}

const ID = '0199d2a4-0000-7000-8000-000000000000';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function refusal(path: string, sent?: Sent) {
  const { status, body } = await api.fetch<Refusal>(`/v4${path}`, sent);
  return { status, ...body };
}

describe('a value or name from elsewhere gets the one of this API as a suggestion', () => {
  it.each([
    ['/changes?entity=InventoryItem', 'Did you mean "Item"?'],
    ['/vendors?limit=3', 'Did you mean "per_page"?'],
    ['/vendors?filter[name:like]=x', 'Use one of '],
    ['/work-orders?filter[status]=open', 'To filter by state, use statusCategory.'],
    ['/vendors/V-1001', 'To find a record by its code, filter the list: GET /vendors?filter[code]=….'],
  ])('%s', async (path, advice) => {
    expect((await refusal(path)).message).toContain(advice);
  });
});

describe('a misspelled name in a query gets the nearest valid one as a suggestion', () => {
  it.each([
    ['a field to filter by', '/vendors?filter[nmae]=ACME', 'SERVICE_INVALID_FILTER', 'nmae', 'name'],
    ['an operator', '/vendors?filter[name:starts_with]=A', 'SERVICE_INVALID_FILTER', 'starts_with', 'startsWith'],
    ['a value to filter by', '/work-orders?filter[statusCategory:in]=opne', 'SERVICE_INVALID_FILTER', 'opne', 'open'],
    ['a field to sort by', '/vendors?sort=-_updatedat', 'SERVICE_INVALID_SORT', '_updatedat', '_updatedAt'],
    ['a relation', '/vendors?expand=curency', 'SERVICE_INVALID_EXPAND', 'curency', 'currency'],
    [
      'a relation of a relation',
      '/vendors?expand=accountPayable.organisation',
      'SERVICE_INVALID_EXPAND',
      'organisation',
      'organization',
    ],
    ['a field to choose', '/vendors?fields=name,is_active', 'SERVICE_INVALID_FIELDS', 'is_active', 'isActive'],
    ['a field of one record', `/vendors/${ID}?fields=cod`, 'SERVICE_INVALID_FIELDS', 'cod', 'code'],
    ['a parameter', '/vendors?perPage=5', 'SERVICE_INVALID_PARAMETER', 'perPage', 'per_page'],
    ['a field as a parameter', '/vendors?nmae=ACME', 'SERVICE_INVALID_PARAMETER', 'nmae', 'name'],
    ['the word filter', '/vendors?filtr[name]=ACME', 'SERVICE_INVALID_PARAMETER', 'filtr[name]', 'filter[name]'],
    ['a status of writes', '/writes?status=succeded', 'SERVICE_INVALID_PARAMETER', 'succeded', 'succeeded'],
    ['an entity', '/writes?entity=vendor', 'SERVICE_INVALID_PARAMETER', 'vendor', 'Vendor'],
    [
      'an entity of changes',
      '/changes?entity=PurchasOrder',
      'SERVICE_INVALID_PARAMETER',
      'PurchasOrder',
      'PurchaseOrder',
    ],
  ])('%s', async (_, path, code, sent, didYouMean) => {
    const { status, message, details, ...body } = await refusal(path);
    expect([status, body.code]).toEqual([400, code]);
    expect(message).toContain(sent);
    expect(message).toContain(`Did you mean "${didYouMean}"?`);
    expect(details).toMatchObject([{ didYouMean }]);
  });

  it.each([
    '/vendors?filter[colour]=red',
    '/vendors?filter[name:like]=x',
    '/vendors?sort=colour',
    '/vendors?expand=name',
    '/vendors?fields=colour',
    '/vendors?colour=red',
    '/work-orders?filter[statusCategory]=xyz',
  ])('unless nothing is close: %s', async (path) => {
    const { status, message, details } = await refusal(path);
    expect(status).toBe(400);
    expect(message).not.toContain('Did you mean');
    expect(details[0]).not.toHaveProperty('didYouMean');
  });
});

it.each(['cursor', 'fields', 'sort', 'expand', 'modified_after'])(
  'the parameter %s without a value is reported as empty, not as unknown',
  async (name) => {
    const message = `"${name}" is empty. Leave it out, or give it a value.`;
    expect(await refusal(`/vendors?${name}=`)).toMatchObject({
      ...{ status: 400, code: 'SERVICE_INVALID_PARAMETER', message: `query/${name}: ${message}` },
      details: [{ path: `query/${name}`, message }],
    });
    expect(await refusal(`/vendors?${name}`)).toMatchObject({ message: `query/${name}: ${message}` });
  },
);

it('a parameter that is unknown and without a value is reported as unknown', async () => {
  expect((await refusal('/vendors?curso=')).message).toContain('"curso" is unknown. Did you mean "cursor"?');
});

describe('a misspelled name in a body gets the nearest valid one as a suggestion', () => {
  it.each([
    ['a field', '/vendors', { name: 'ACME', legal_name: 'ACME Ltd' }, 'body/legal_name', 'legalName'],
    ['a field of an object', '/sites', { name: 'S', address: { citty: 'Bonn' } }, 'body/address/citty', 'city'],
    [
      'a field of a line',
      '/journal-entries',
      {
        transactionDate: '2026-11-20',
        currency: { _displayValue: 'Euro' },
        lines: [{ account: { _displayValue: '1' }, debt: 1 }],
      },
      'body/lines/0/debt',
      'debit',
    ],
    [
      'a field of an item',
      '/dispense-transactions/batch',
      { items: [{ item: { _displayValue: 'Bolt' }, quantity: 1, unitCots: 2 }] },
      'body/items/0/unitCots',
      'unitCost',
    ],
    [
      'a key of a reference',
      '/vendors',
      { name: 'A', currency: { displayValue: 'Euro' } },
      'body/currency/displayValue',
      '_displayValue',
    ],
    ['a value', `/work-orders/${ID}/actions/set-status`, { statusCategory: 'opne' }, 'body/statusCategory', 'open'],
    ['a field of an action', `/work-orders/${ID}/actions/start`, { notte: 'x' }, 'body/notte', 'note'],
    ['an entity to read', '/sync', { entities: ['Vendr'] }, 'body/entities/0', 'Vendor'],
  ])('%s', async (_, path, json, place, didYouMean) => {
    const { status, code, message, details } = await refusal(path, { method: 'POST', json });
    expect([status, code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(message).toContain(`Did you mean "${didYouMean}"?`);
    expect(details).toContainEqual(expect.objectContaining({ path: place, didYouMean }));
  });

  it.each([
    ['EUR', '{"_displayValue": "EUR"}'],
    [42, '{"_displayValue": "42"}'],
    [ID, `{"id": "${ID}"}`],
    ['', '{"id": "0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b"}'],
  ])('a reference sent as %j is shown as one', async (currency, reference) => {
    const { code, message } = await refusal('/vendors', { method: 'POST', json: { name: 'ACME', currency } });
    expect(code).toBe('SERVICE_INVALID_BODY');
    expect(message).toBe(`body/currency: Send a reference such as ${reference}, or null.`);
  });

  it.each([
    ['/purchase-orders', { vendor: { code: 'V-1' }, lines: [{ quantity: 1, total: 4 }] }, 'body/lines/0/total'],
    ['/vendors', { name: 'ACME', id: ID }, 'body/id'],
  ])('a field of %s that cannot be written is not called unknown', async (path, json, place) => {
    const { message } = await refusal(path, { method: 'POST', json });
    expect(message).toContain(`${place}: "${place.split('/').at(-1)}" can only be read. Leave it out.`);
  });

  it('a property that a reference does not have gets a message about those that it has', async () => {
    const json = { name: 'ACME', currency: { iso4217: 'EUR' } };
    const { code, message } = await refusal('/vendors', { method: 'POST', json });
    expect(code).toBe('SERVICE_INVALID_BODY');
    expect(message).toBe(
      'body/currency/iso4217: "iso4217" is unknown. Send the `id`, `_idValue`, `code` or `_displayValue` of one that exists.',
    );
  });

  it('but values of another type get a message about their type', async () => {
    const { message } = await refusal('/vendors', { method: 'POST', json: { name: 'ACME', currency: true } });
    expect(message).toBe('body/currency: Send a value of type object or null.');
  });
});

describe('a misspelled address gets the nearest one as a suggestion', () => {
  it.each([
    ['/vendor', '/v4/vendors'],
    ['/vendors/', '/v4/vendors'],
    ['/Vendors', '/v4/vendors'],
    ['/purchase_orders', '/v4/purchase-orders'],
    [`/work-order/${ID}`, `/v4/work-orders/${ID}`],
    [`/work-orders/${ID}/actions/cancle`, `/v4/work-orders/${ID}/actions/cancel`],
    [`/work-orders/${ID}/action/cancel`, `/v4/work-orders/${ID}/actions/cancel`],
  ])('%s', async (path, didYouMean) => {
    const { status, code, message, details } = await refusal(path, {
      method: path.includes('cancel') ? 'POST' : 'GET',
    });
    expect([status, code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    expect(message).toBe(`There is nothing at this address. Did you mean "${didYouMean}"?`);
    expect(details).toEqual([{ didYouMean }]);
  });

  it.each(['/nothing', '/vendors/1/2/3/4', `/${'x'.repeat(5_000)}`])('unless nothing is close: %.20s', async (path) => {
    expect((await refusal(path)).message).toBe('There is nothing at this address. Check it against the reference.');
  });

  it.each(['/v4', '/v4/'])('the base %s is followed by a path', async (path) => {
    const { status, body } = await api.fetch<Refusal>(path);
    expect([status, body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    expect(body.message).toBe(
      'This is the base of the API. Add a path to it, such as /v4/vendors. The reference is at /docs.',
    );
  });

  it('an address without the version segment', async () => {
    const { status, body } = await api.fetch<Refusal>('/vendors');
    expect([status, body.code, body.details]).toEqual([404, 'SERVICE_NOT_FOUND', [{ didYouMean: '/v4/vendors' }]]);
    expect((await api.fetch<Refusal>('/nothing')).body.message).toBe(
      'There is nothing at this address. The reference is at /docs.',
    );
  });

  it('including the entity whose capabilities are requested', async () => {
    const { token } = await api.connect({ platform: 'sandbox' });
    const MEANT =
      /"WorkOrdr" is not one of the values\. Send one of the \d+ values in the reference\. Did you mean "WorkOrder"\?$/;
    const { status, body } = await api.fetch<Refusal>('/v4/capabilities/WorkOrdr', { token });
    expect([status, body.message]).toEqual([404, expect.stringMatching(MEANT)]);
    expect(body.details).toMatchObject([{ didYouMean: 'WorkOrder' }]);
  });
});
