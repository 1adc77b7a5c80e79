import { type Entity, entities } from '@unified/contract';
import { find, page, type WriteRecord } from '@unified/store';
import { expect, test } from 'vitest';
import { startHarness } from '../test/harness.ts';
import { companyOf, syncedCompany } from '../test/synced-company.ts';
import type { WriteRequest } from './queue/write-request.ts';

const harness = await startHarness(syncedCompany);
const { engine } = harness;
const scope = await companyOf(harness, harness.store);
await harness.worker({ syncs: 2 });

/** Queues a write and waits until it is settled. */
async function write(request: WriteRequest): Promise<WriteRecord> {
  const { writeId } = await engine.submitWrite(scope, request);
  return engine.waitForWrite(scope, writeId, 120_000);
}

async function record(entity: Entity, id: string | null | undefined) {
  return JSON.parse((await find(scope, entity, id ?? '')) ?? 'null');
}

test('a whole company accepts an order with lines and an action', async () => {
  const input = {
    title: 'Fasteners',
    vendor: { _displayValue: 'ACME Supplies' },
    orderDate: '2026-11-20',
    lines: [
      { item: { _displayValue: 'Hex bolt M8 × 40' }, quantity: 500, unitPrice: 0.11, requiredDate: '2026-12-04' },
      { lineType: 'freight', description: 'Freight', quantity: 1, unitPrice: 12.5 },
    ],
  };
  const request = { operation: 'createPurchaseOrder', entity: 'PurchaseOrder', op: 'create', input } as const;
  const created = await write(request);
  expect(created).toMatchObject({ status: 'succeeded', synced: true, warnings: [] });
  expect(created.resolvedRefs.map(({ field }) => field)).toEqual(['vendor', 'lines[0].item']);

  const order = await record(entities.PurchaseOrder, created.targetId);
  expect(order).toMatchObject({ statusCategory: 'draft', subtotal: 67.5, vendor: { _displayValue: 'ACME Supplies' } });
  expect(order.availableActions).toEqual(['submit', 'cancel', 'set-status']);
  expect(order.lines).toHaveLength(2);
  const line = await record(entities.PurchaseOrderLine, order.lines[0].id);
  expect(line).toMatchObject({ quantity: 500, purchaseOrder: { id: order.id } });

  const submit = { operation: 'submitPurchaseOrder', entity: 'PurchaseOrder', op: 'action', action: 'submit' } as const;
  expect(await write({ ...submit, targetId: order.id, input: {} })).toMatchObject({
    status: 'succeeded',
    result: { record: { statusCategory: 'pending_approval' } },
  });
});

test('a conversion names the document that it created, which is available immediately with its lines', async () => {
  const input = {
    customer: { _displayValue: 'Baker & Sons' },
    lines: [{ item: { _displayValue: 'Hex bolt M8 × 40' }, quantity: 2_000, unitPrice: 0.16 }],
  };
  const quote = await write({ operation: 'createQuote', entity: 'Quote', op: 'create', input });
  const act = (action: string, more = {}) =>
    write({ operation: action, entity: 'Quote', op: 'action', action, targetId: quote.targetId ?? '', input: more });
  await act('submit');
  const converted = await act('convert', { target: 'sales_order' });
  const link = converted.result?.links.find(({ field }) => field === 'salesOrder');
  expect(link).toMatchObject({ rel: 'SalesOrder', _idValue: expect.stringMatching(/./) });
  const order = await record(entities.SalesOrder, link?.id);
  expect(order).toMatchObject({ customer: { _displayValue: 'Baker & Sons' } });
  expect(order.lines).toMatchObject([{ rel: 'SalesOrderLine' }]);
  const line = await record(entities.SalesOrderLine, order.lines[0].id);
  expect(line).toMatchObject({ quantity: 2_000, salesOrder: { id: order.id } });
});

test('a posted document changes the stock without a requested sync', { timeout: 700_000 }, async () => {
  const transactions = async () => {
    const all = { conditions: [], sort: [], limit: 1, withTotal: true };
    return (await page(scope, entities.InventoryTransaction, all)).total;
  };
  const before = await transactions();
  const input = {
    documentType: 'transfer',
    fromLocation: { _displayValue: 'Warehouse HAM-A' },
    toLocation: { _displayValue: 'Storeroom HAM-A' },
    lines: [{ item: { _displayValue: 'IT-30118' }, quantity: 5 }],
  };
  const document = { entity: 'InventoryDocument' } as const;
  const created = await write({ ...document, operation: 'createInventoryDocument', op: 'create', input });
  const post = { ...document, operation: 'postInventoryDocument', op: 'action', action: 'post', input: {} } as const;
  expect(await write({ ...post, targetId: created.targetId ?? '' })).toMatchObject({ status: 'succeeded' });
  await expect.poll(transactions, { timeout: 500_000 }).toBe((before ?? 0) + 2);
});
