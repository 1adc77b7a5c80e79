import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Reference {
  readonly id: string;
  readonly _displayValue: string;
}
interface Level {
  readonly id: string;
  readonly stockStatus: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  readonly owner: Reference | null;
}
interface Stock extends Level {
  readonly onOrder: number;
  readonly projected: number;
}
interface Movement {
  readonly quantity: number;
  readonly sourceDocument: { readonly rel: string } | null;
}
interface Item {
  readonly id: string;
  readonly name: string;
  readonly hasVariants: boolean;
  readonly variantOf: Reference | null;
  readonly variantAttributes: readonly { readonly name: string; readonly value: string }[];
  readonly customsCode: string | null;
  readonly countryOfOrigin: Reference | null;
  readonly weight: number | null;
  readonly netWeight: number | null;
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

async function list<T>(path: string): Promise<readonly T[]> {
  const { status, body } = await company.send<{ data: T[] }>(path);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data.length).toBeGreaterThan(0);
  return body.data;
}

async function create<T>(path: string, json: object): Promise<T> {
  const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  const { status, body } = await company.send<{ data: T }>(path, { method: 'POST', headers, json });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

describe('stock', () => {
  test.each(['/stock-levels', '/stock-items'])('at %s is filtered by its status', async (path) => {
    for (const status of ['unrestricted', 'quality_inspection', 'blocked', 'in_transit', 'consignment']) {
      const levels = await list<Level>(`${path}?filter[stockStatus]=${status}&filter[onHand:gt]=0`);
      expect([...new Set(levels.map(({ stockStatus }) => stockStatus))]).toEqual([status]);
    }
  });

  test('is available if it can be used', async () => {
    const levels = await company.all<Level>('/stock-levels');
    const wrong = levels.filter(({ stockStatus, onHand, reserved, available }) => {
      const isUsable = stockStatus === 'unrestricted' || stockStatus === 'consignment';
      return available !== (isUsable ? onHand - reserved : 0);
    });
    expect(wrong).toEqual([]);
  });

  test('on consignment belongs to a vendor', async () => {
    const owned = await list<Level>(`/stock-levels?filter[owner:neq]=${randomUUID()}`);
    expect(owned.every(({ stockStatus }) => stockStatus === 'consignment')).toBe(true);
  });

  test('is unrestricted when it is created without a status', async () => {
    const place = { item: { _displayValue: 'Hex bolt M8 × 40' }, location: { _displayValue: 'Storeroom HAM-B' } };
    expect((await create<Level>('/stock-items', { ...place, onHand: 5 })).stockStatus).toBe('unrestricted');
    const blocked = await create<Level>('/stock-items', { ...place, onHand: 5, stockStatus: 'blocked' });
    expect(blocked).toMatchObject({ stockStatus: 'blocked', onHand: 5, available: 0 });
  });
});

describe('the stock of an item that is bought and sold', () => {
  const act = async (path: string, json: object) => {
    const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
    const { body } = await company.send<{ status: string; error: unknown }>(path, { method: 'POST', headers, json });
    expect(body).toMatchObject({ status: 'succeeded', error: null });
  };

  test('is ordered, received, reserved and shipped', async () => {
    const unit = { _displayValue: 'Piece' };
    const { id } = await create<Item>('/inventory-items', { name: 'Guide rail', itemType: 'part', unit });
    const item = { id };
    const place = { _displayValue: 'Warehouse HAM-A' };
    const quantities = async () => {
      const [level] = await list<Stock>(`/stock-levels?filter[item]=${id}`);
      return [level?.onHand, level?.onOrder, level?.reserved, level?.projected];
    };
    const vendor = { _displayValue: 'ACME Supplies' };
    const bought = { vendor, deliveryLocation: place, lines: [{ item, quantity: 40, unitPrice: 3 }] };
    const purchase = `/purchase-orders/${(await create<Item>('/purchase-orders', bought)).id}/actions`;
    await act(`${purchase}/submit`, {});
    await act(`${purchase}/approve`, {});
    expect(await quantities()).toEqual([0, 40, 0, 40]);
    await act(`${purchase}/receive`, {});
    expect(await quantities()).toEqual([40, 0, 0, 40]);
    const customer = { _displayValue: 'Baker & Sons' };
    const sold = { customer, lines: [{ item, quantity: 15, unitPrice: 5, location: place }] };
    const sale = `/sales-orders/${(await create<Item>('/sales-orders', sold)).id}/actions`;
    await act(`${sale}/set-status`, { statusCategory: 'open' });
    expect(await quantities()).toEqual([40, 0, 15, 25]);
    await act(`${sale}/ship`, {});
    expect(await quantities()).toEqual([25, 0, 0, 25]);
    const movements = await list<Movement>(`/inventory-transactions?filter[item]=${id}&sort=postedAt`);
    expect(movements.map(({ quantity, sourceDocument }) => [quantity, sourceDocument?.rel])).toEqual([
      [40, 'Receipt'],
      [-15, 'Shipment'],
    ]);
    expect((await company.send<{ data: object }>(`/inventory-items/${id}`)).body.data).toMatchObject({
      quantityOnHand: 25,
    });
  });
});

describe('items', () => {
  test('that are variants name their template and the values that distinguish them', async () => {
    const [template] = await list<Item>('/inventory-items?filter[hasVariants]=true&per_page=1');
    const variants = await list<Item>(`/inventory-items?filter[variantOf]=${template?.id}&expand=variantOf`);
    for (const variant of variants) {
      expect(variant.variantOf).toMatchObject({ id: template?.id, hasVariants: true, variantAttributes: [] });
      const [size] = variant.variantAttributes;
      expect(size).toEqual({ name: 'Size', value: expect.any(String) });
      expect(variant.name).toBe(`${template?.name} ${size?.value}`);
    }
  });

  test('are filtered by customs code and country of origin', async () => {
    const [poland] = await list<Reference>('/countries?filter[code]=PL');
    const path = `/inventory-items?filter[customsCode:startsWith]=7318&filter[countryOfOrigin]=${poland?.id}`;
    for (const item of await list<Item>(path)) {
      expect(item.customsCode).toMatch(/^7318\d{4}$/);
      expect(item.countryOfOrigin?._displayValue).toBe('Poland');
      expect(item.netWeight).toBeLessThanOrEqual(item.weight ?? 0);
    }
  });

  test('are created as variants, with their data for customs', async () => {
    const [template] = await list<Item>('/inventory-items?filter[hasVariants]=true&per_page=1');
    const sent = {
      variantAttributes: [
        { name: 'Size', value: 'M30' },
        { name: 'Material', value: 'Brass' },
      ],
      customsCode: '74153300',
      weight: 0.21,
      netWeight: 0.2,
    };
    const relations = {
      unit: { _displayValue: 'Piece' },
      variantOf: { id: template?.id },
      countryOfOrigin: { _displayValue: 'Poland' },
    };
    const item = await create<Item>('/inventory-items', {
      name: 'M30 in brass',
      itemType: 'part',
      ...relations,
      ...sent,
    });
    expect(item).toMatchObject({
      ...sent,
      variantOf: { id: template?.id },
      countryOfOrigin: { _displayValue: 'Poland' },
    });
  });
});
