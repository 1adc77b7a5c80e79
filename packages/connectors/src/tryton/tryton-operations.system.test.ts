import { describe, expect, test } from 'vitest';
import { idOf, reference, rejected, trytonOfFile } from '../../test/running-tryton.ts';
import type { Row } from '../driver.ts';

const { tryton, connection } = await trytonOfFile();
const { rpc } = tryton;
const customer = String(await idOf(tryton, 'party.party', 'code', 'C001'));
const vendor = String(await idOf(tryton, 'party.party', 'code', 'V001'));
const plate = await idOf(tryton, 'product.product', 'code', 'PLATE-1');
const pump = await idOf(tryton, 'product.product', 'code', 'PUMP-1');
const unit = await idOf(tryton, 'product.uom', 'symbol', 'u');
const warehouse = await idOf(tryton, 'stock.location', 'type', 'warehouse');
const bill = await idOf(tryton, 'production.bom', 'name', 'Pump');

const inTryton = (model: string, key: string, fields: readonly string[]) =>
  rpc.one(model, [['id', '=', Number(key)]], fields);
const stateOf = async (model: string, key: string) => (await inTryton(model, key, ['state'])).state;
const isThere = async (model: string, key: string) =>
  (await rpc.search(model, [['id', '=', Number(key)]])).length === 1;
/** Every action of an entity leads a record from a state to another. */
const actionsOf = (entity: string) => Object.keys(connection.mapping(entity).actions).sort();
const line = (more: Row = {}): Row => ({
  item: reference('Item', plate),
  quantity: 2,
  unit: reference('Unit', unit),
  ...more,
});

describe('a sales order', () => {
  const order = (more: Row = {}): Row => ({
    customer: reference('Customer', customer),
    lines: [line({ unitPrice: 25 })],
    ...more,
  });

  test('is created in Tryton with its header and lines, changed and deleted', async () => {
    const head = { description: 'Plates for hall B', purchaseOrderNumber: 'PO-77', notes: 'Call first' };
    const dates = { orderDate: '2026-11-20', requestedDate: '2026-12-04' };
    const key = await connection.create('SalesOrder', order({ ...head, ...dates }));
    const fields = ['description', 'reference', 'comment', 'party.code', 'sale_date', 'shipping_date', 'state'];
    expect(await inTryton('sale.sale', key, [...fields, 'lines.quantity', 'lines.product.code'])).toMatchObject({
      description: 'Plates for hall B',
      reference: 'PO-77',
      comment: 'Call first',
      'party.': { code: 'C001' },
      sale_date: { year: 2026, month: 11, day: 20 },
      state: 'draft',
      'lines.': [{ quantity: 2, 'product.': { code: 'PLATE-1' } }],
    });
    expect(await connection.read('SalesOrder', key)).toMatchObject({ ...head, statusCategory: 'draft', subtotal: 50 });
    await connection.update('SalesOrder', key, { description: 'Plates for hall C', notes: null });
    expect(await inTryton('sale.sale', key, fields)).toMatchObject({
      description: 'Plates for hall C',
      comment: null,
      reference: 'PO-77',
    });
    await connection.act('SalesOrder', key, 'cancel');
    await connection.driver.writes.remove(connection.stream('sale.sale'), key, connection.intent);
    expect(await isThere('sale.sale', key)).toBe(false);
  });

  test('is confirmed, which Tryton processes; cancelled, and reopened', async () => {
    const key = await connection.create('SalesOrder', order());
    await connection.act('SalesOrder', key, 'set-status', { statusCategory: 'open' });
    expect(await stateOf('sale.sale', key)).toBe('processing');
    expect(await connection.read('SalesOrder', key)).toMatchObject({ statusCategory: 'open' });
    const other = await connection.create('SalesOrder', order());
    await connection.act('SalesOrder', other, 'cancel');
    expect(await stateOf('sale.sale', other)).toBe('cancelled');
    await connection.act('SalesOrder', other, 'reopen');
    expect(await stateOf('sale.sale', other)).toBe('draft');
    expect(actionsOf('SalesOrder')).toEqual(['cancel', 'reopen', 'set-status']);
  });
});

describe('a purchase requisition', () => {
  const requisition = (): Row => ({
    title: 'Plates for January',
    requiredDate: '2026-12-15',
    site: reference('Site', warehouse),
    lines: [line({ estimatedUnitPrice: 18, vendor: reference('Vendor', vendor) })],
  });

  test('is created in Tryton with its lines, changed and deleted', async () => {
    const key = await connection.create('PurchaseRequisition', requisition());
    const fields = ['description', 'supply_date', 'lines.quantity', 'lines.supplier'];
    expect(await inTryton('purchase.requisition', key, fields)).toMatchObject({
      description: 'Plates for January',
      supply_date: { year: 2026, month: 12, day: 15 },
      'lines.': [{ quantity: 2, supplier: Number(vendor) }],
    });
    await connection.update('PurchaseRequisition', key, { title: 'Plates for March' });
    expect(await inTryton('purchase.requisition', key, fields)).toMatchObject({ description: 'Plates for March' });
    await connection.act('PurchaseRequisition', key, 'cancel');
    await connection.driver.writes.remove(connection.stream('purchase.requisition'), key, connection.intent);
    expect(await isThere('purchase.requisition', key)).toBe(false);
  });

  test('is submitted, approved, rejected and cancelled', async () => {
    const submitted = async () => {
      const key = await connection.create('PurchaseRequisition', requisition());
      await connection.act('PurchaseRequisition', key, 'submit');
      expect(await stateOf('purchase.requisition', key)).toBe('waiting');
      return key;
    };
    const approved = await submitted();
    await connection.act('PurchaseRequisition', approved, 'approve');
    expect(['approved', 'processing']).toContain(await stateOf('purchase.requisition', approved));
    const rejectedOne = await submitted();
    await connection.act('PurchaseRequisition', rejectedOne, 'reject');
    expect(await stateOf('purchase.requisition', rejectedOne)).toBe('rejected');
    expect(actionsOf('PurchaseRequisition')).toEqual(['approve', 'cancel', 'reject', 'submit']);
  });
});

describe('a production order', () => {
  const order = (): Row => ({
    item: reference('Item', pump),
    quantity: 1,
    unit: reference('Unit', unit),
    billOfMaterial: reference('BillOfMaterial', bill),
    site: reference('Site', warehouse),
    plannedStartAt: '2026-12-01T00:00:00Z',
    plannedEndAt: '2026-12-03T00:00:00Z',
  });

  test('is created in Tryton with the materials of its bill, changed and deleted', async () => {
    const key = await connection.create('ProductionOrder', { ...order(), description: 'For hall B' });
    const fields = ['reference', 'quantity', 'product', 'planned_date', 'inputs.product', 'inputs.quantity'];
    const stored = await inTryton('production', key, fields);
    expect(stored).toMatchObject({ reference: 'For hall B', product: pump, planned_date: { day: 3 } });
    expect(stored['inputs.']).toHaveLength(2);
    await connection.update('ProductionOrder', key, { description: 'For hall C' });
    expect(await inTryton('production', key, fields)).toMatchObject({ reference: 'For hall C' });
    await connection.driver.writes.remove(connection.stream('production'), key, connection.intent);
    expect(await isThere('production', key)).toBe(false);
  });

  test('is started with materials in stock, and closed', async () => {
    const key = await connection.create('ProductionOrder', order());
    await connection.act('ProductionOrder', key, 'start');
    expect(await stateOf('production', key)).toBe('running');
    await connection.act('ProductionOrder', key, 'close');
    expect(await stateOf('production', key)).toBe('done');
    expect(await connection.read('ProductionOrder', key)).toMatchObject({ statusCategory: 'closed' });
    expect(actionsOf('ProductionOrder')).toEqual(['close', 'reopen', 'start']);
  });

  test('without enough materials waits for them instead of being started, and is reopened', async () => {
    const key = await connection.create('ProductionOrder', { ...order(), quantity: 5_000 });
    await expect(connection.act('ProductionOrder', key, 'start')).rejects.toMatchObject({ kind: 'rejected' });
    expect(await stateOf('production', key)).toBe('waiting');
    await connection.act('ProductionOrder', key, 'reopen');
    expect(await stateOf('production', key)).toBe('draft');
  });

  test('cannot be closed before it is started', async () => {
    const key = await connection.create('ProductionOrder', order());
    await expect(connection.act('ProductionOrder', key, 'close')).rejects.toMatchObject(
      rejected(/has no effect|can not call/),
    );
  });
});

test('a shipment is completed through every step before, and a count is posted or cancelled', async () => {
  const shipment = String(await idOf(tryton, 'stock.shipment.out', 'state', 'waiting'));
  await connection.act('Shipment', shipment, 'complete');
  expect(await stateOf('stock.shipment.out', shipment)).toBe('done');
  const count = String(await idOf(tryton, 'stock.inventory', 'state', 'draft'));
  await connection.act('InventoryDocument', count, 'cancel');
  expect(await stateOf('stock.inventory', count)).toBe('cancelled');
  const { location, company } = await inTryton('stock.inventory', count, ['location', 'company']);
  const lines = [['create', [{ product: plate, quantity: 90 }]]];
  const date = { __class__: 'date', year: 2026, month: 11, day: 1 };
  const other = String(await rpc.createOne('stock.inventory', { location, company, date, lines }));
  await connection.act('InventoryDocument', other, 'post');
  expect(await stateOf('stock.inventory', other)).toBe('done');
});
