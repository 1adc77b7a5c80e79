import { operations } from '@unified/contract';
import { type Seeded, seed, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: TestApi;
let seeded: Seeded;

beforeAll(async () => {
  api = await startApi();
  seeded = await seed(api.connection.scope);
});
afterAll(() => api.stop());

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

async function headersOf(method: string, path: string, json?: object) {
  const { headers } = await api.fetch(path, { method, ...(json && { json }) });
  return [headers.get('deprecation'), headers.get('link')];
}

const SINCE = expect.stringMatching(/^@\d{10}$/);
const to = (address: string) => `<${address}>; rel="successor-version"`;

describe('a deprecated operation', () => {
  it('names the address that replaced its own in every response', async () => {
    expect(await headersOf('GET', '/v4/items?per_page=2')).toEqual([SINCE, to('/v4/inventory-items')]);
    expect(await headersOf('GET', '/v4/v4/items')).toEqual([SINCE, to('/v4/inventory-items')]);
    expect(await headersOf('HEAD', '/v4/items')).toEqual([SINCE, to('/v4/inventory-items')]);
    expect(await headersOf('GET', `/v4/items/${UNKNOWN}`)).toEqual([SINCE, to(`/v4/inventory-items/${UNKNOWN}`)]);
    expect(await headersOf('GET', '/v4/items?colour=red')).toEqual([SINCE, to('/v4/inventory-items')]);
    expect(await headersOf('GET', `/v4/work-orders/writes/${UNKNOWN}`)).toEqual([SINCE, to(`/v4/writes/${UNKNOWN}`)]);
  });

  it('names its own address if that has a newer method', async () => {
    const path = `/v4/vendors/${seeded.vendors[0]}`;
    expect(await headersOf('PUT', path, { name: 'ACME' })).toEqual([SINCE, to(path)]);
  });

  it('names an action if it was an action with another name', async () => {
    const path = `/v4/work-orders/${seeded.workOrders[0]}`;
    const headers = await headersOf('PUT', `${path}/status`, { statusCategory: 'open' });
    expect(headers).toEqual([SINCE, to(`${path}/actions/set-status`)]);
  });

  it('names nothing if nothing replaced it', async () => {
    expect(await headersOf('PUT', '/v4/fiscal-calendars', { code: 'none' })).toEqual([SINCE, null]);
  });
});

it('any other operation has neither header', async () => {
  expect(await headersOf('GET', '/v4/vendors')).toEqual([null, null]);
  expect(await headersOf('GET', '/v4/nothing')).toEqual([null, null]);
  expect(await headersOf('PATCH', `/v4/vendors/${seeded.vendors[0]}`, {})).toEqual([null, null]);
});

it('the replacement of an operation is not deprecated', () => {
  const current = new Set(operations.filter(({ deprecated }) => !deprecated).map(({ path }) => path));
  const successors = operations.flatMap(({ deprecation }) => deprecation?.successor ?? []);
  expect(successors).toContain('/inventory-items');
  expect(successors.filter((path) => !current.has(path))).toEqual([]);
});
