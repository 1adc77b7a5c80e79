import { seedSandbox } from '@unified/connectors/sandbox';
import { entities } from '@unified/contract';
import { find } from '@unified/store';
import { expect, test } from 'vitest';
import { startWorld } from '../test/world.ts';

const world = await startWorld();
const { engine } = world;

test('a whole company is read, takes an order with lines and an action', { timeout: 400_000 }, async () => {
  let url = '';
  const scope = await world.connect('sandbox', (given) => {
    url = given;
    return { url, schema: 'erp' };
  });
  await seedSandbox({ url, schema: 'erp' });
  await world.worker({ syncs: 2 });
  const left = async () =>
    (await engine.syncStatus(scope)).filter(({ lastSuccessAt }) => lastSuccessAt === null).length;
  await expect.poll(left, { timeout: 60_000, interval: 100 }).not.toBe(0);
  await expect.poll(left, { timeout: 300_000, interval: 100 }).toBe(0);
  expect((await engine.syncStatus(scope)).map(({ error }) => error).filter(Boolean)).toEqual([]);

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
  const { writeId } = await engine.submitWrite(scope, request);
  const created = await engine.waitForWrite(scope, writeId, 20_000);
  expect(created).toMatchObject({ status: 'succeeded', synced: true, warnings: [] });
  expect(created.resolvedRefs.map(({ field }) => field)).toEqual(['vendor', 'lines[0].item']);

  const order = JSON.parse((await find(scope, entities.PurchaseOrder, created.targetId ?? '')) ?? '');
  expect(order).toMatchObject({ statusCategory: 'draft', subtotal: 67.5, vendor: { _displayValue: 'ACME Supplies' } });
  expect(order.availableActions).toEqual(['submit', 'cancel', 'set-status']);
  expect(order.lines).toHaveLength(2);
  const line = JSON.parse((await find(scope, entities.PurchaseOrderLine, order.lines[0].id)) ?? '');
  expect(line).toMatchObject({ quantity: 500, purchaseOrder: { id: order.id } });

  const submit = { operation: 'submitPurchaseOrder', entity: 'PurchaseOrder', op: 'action', action: 'submit' } as const;
  const asked = await engine.submitWrite(scope, { ...submit, targetId: order.id, input: {} });
  expect(await engine.waitForWrite(scope, asked.writeId, 20_000)).toMatchObject({
    status: 'succeeded',
    result: { record: { statusCategory: 'pending_approval' } },
  });
});
