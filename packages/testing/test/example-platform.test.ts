import { checkSystem } from '@unified/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Shop, type Shops, startShops } from './shop.ts';
import { START_MS } from './stack.ts';

interface Answer {
  readonly data: { readonly id: string; readonly code: string; readonly lines: readonly { readonly id: string }[] };
}

const EXAMPLE = new URL('../../connectors/examples/small-erp/', import.meta.url);
const ROWS = `
  INSERT INTO supplier (number, name) VALUES ('S-0001', 'ACME Supplies');
  INSERT INTO article (number, name) VALUES ('A-1', 'Bolt'), ('A-2', 'Nut');`;

let shops: Shops;
let shop: Shop;

beforeAll(async () => {
  shops = await startShops({ platform: EXAMPLE, tables: new URL('tables.sql', EXAMPLE) });
  shop = await shops.open('small_erp', ROWS);
}, START_MS);
afterAll(() => shops?.stop());

const write = (method: 'POST' | 'PATCH', path: string, json: object) =>
  shop.send<Answer>(path, { method, json, headers: { Prefer: 'wait=30' } });
const rows = () =>
  shop.sql('SELECT line, article, quantity::float, price::float FROM purchase_order_line ORDER BY line');

test('a check of the example finds no problem', async () => {
  expect(await checkSystem(shops.platform, shop.settings)).toMatchObject({
    problems: [],
    streams: shops.platform.streams.map(({ name }) => ({ stream: name, blocked: false })),
  });
});

test('the example writes an order with its lines, changes one of them, and approves the order', async () => {
  const line = (item: string, quantity: number) => ({ item: { _displayValue: item }, quantity, unitPrice: 0.5 });
  const lines = [line('Bolt', 10), line('Nut', 20)];
  const created = await write('POST', '/purchase-orders', { vendor: { _displayValue: 'ACME Supplies' }, lines });
  expect([created.status, created.body.data.code]).toEqual([201, 'PO-0001']);
  expect(await rows()).toEqual([
    { line: 1, article: 'A-1', quantity: 10, price: 0.5 },
    { line: 2, article: 'A-2', quantity: 20, price: 0.5 },
  ]);
  const { id, lines: [first, second] = [] } = created.body.data;
  const changed = [{ id: first?.id, quantity: 15 }, { id: second?.id }];
  expect((await write('PATCH', `/purchase-orders/${id}`, { lines: changed })).status).toBe(200);
  expect(await rows()).toMatchObject([{ quantity: 15 }, { quantity: 20 }]);
  expect((await write('POST', `/purchase-orders/${id}/actions/approve`, {})).status).toBe(200);
  expect(await shop.sql('SELECT status FROM purchase_order')).toEqual([{ status: 'approved' }]);
});
