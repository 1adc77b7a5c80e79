import { beforeAll, describe, expect, test } from 'vitest';
import { freshVendor } from '../../test/fresh-vendor.ts';
import { idOf, reference, rejected, trytonOfFile } from '../../test/running-tryton.ts';
import type { Intent } from '../driver.ts';
import { openTryton } from './open-tryton.ts';

const { tryton, connection } = await trytonOfFile();
const vendor = String(await idOf(tryton, 'party.party', 'code', 'V001'));
const item = await idOf(tryton, 'product.product', 'code', 'PUMP-1');
const unit = await idOf(tryton, 'product.uom', 'symbol', 'u');

describe('a create whose response was lost', () => {
  const values = () => connection.mapping('Vendor').write({ ...freshVendor, code: 'V-LOST' }, { op: 'create' }).values;
  const stream = () => connection.stream('party.party');
  const intent = async (secondsAgo: number): Promise<Intent> => ({
    writeId: 'w',
    position: await connection.driver.writes.positionBeforeCreate(stream(), 'w', {}),
    sentAt: new Date(Date.now() - secondsAgo * 1000).toISOString(),
  });

  test('is found by the values sent', async () => {
    const before = await intent(0);
    await tryton.rpc.createOne('party.party', { name: 'Another party' });
    const { key } = await connection.driver.writes.create(stream(), values(), before);
    expect(await connection.driver.writes.findCreated(stream(), values(), before)).toEqual({ key });
  });

  test('is not mistaken for an older record with the same values', async () => {
    expect(await connection.driver.writes.findCreated(stream(), values(), await intent(61))).toBeNull();
  });

  test('counts as not done only when it can no longer take effect', async () => {
    const late = await intent(10);
    const error = await connection.driver.writes.findCreated(stream(), values(), late).catch((refusal) => refusal);
    const secondsAgo = (Date.now() - Date.parse(late.sentAt)) / 1000;
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(error.retryAfter).toBeLessThanOrEqual(50);
    expect(error.retryAfter).toBeGreaterThanOrEqual(Math.floor(60 - secondsAgo));
  });

  test('of an order is found among orders that differ', async () => {
    const orders = connection.stream('purchase.purchase');
    const input = (reference_: string, quantities: number[]) => ({
      vendor: reference('Vendor', vendor),
      reference: reference_,
      lines: quantities.map((quantity) => ({ item: reference('Item', item), quantity })),
    });
    const position = await connection.driver.writes.positionBeforeCreate(orders, 'w', {});
    await connection.create('PurchaseOrder', input('A', [1]));
    await connection.create('PurchaseOrder', input('B', [1, 2]));
    const wanted = await connection.create('PurchaseOrder', input('B', [1]));
    const sent = connection.mapping('PurchaseOrder').write(input('B', [1]), { op: 'create' }).values;
    const at = { writeId: 'w', position, sentAt: new Date().toISOString() };
    expect(await connection.driver.writes.findCreated(orders, sent, at)).toEqual({ key: wanted });
  });
});

describe('a warning from Tryton', () => {
  const templates = () => ({
    ...connection.stream('product.product'),
    name: 'product.template',
    options: { fields: ['name', 'purchase_uom'] },
  });
  let template: string;
  let dozen: number;

  beforeAll(async () => {
    const fields = ['template.products', 'party', 'company', 'currency'];
    const supply = await tryton.rpc.one('purchase.product_supplier', [], fields);
    const { id: supplied, products } = supply['template.'] as { id: number; products: number[] };
    template = String(supplied);
    const { party, company, currency } = supply;
    const variant = { template: supplied, product: products[0], party, company, currency };
    await tryton.rpc.createOne('purchase.product_supplier', variant);
    const units = await tryton.rpc.one('product.uom', [['id', '=', unit]], ['category']);
    dozen = await tryton.rpc.createOne('product.uom', {
      name: 'Dozen',
      symbol: 'dz',
      category: units.category,
      factor: 12,
      rate: 0.083333333333,
      digits: 0,
      rounding: 1,
    });
  });

  test('rejects the write with its message', async () => {
    const writing = connection.driver.writes.update(templates(), template, { purchase_uom: dozen }, connection.intent);
    await expect(writing).rejects.toMatchObject(
      rejected(/purchase (UoM|unit of measure) on which the purchase prices are based/i),
    );
    expect(await tryton.rpc.one('product.template', [['id', '=', Number(template)]], ['purchase_uom'])).toMatchObject({
      purchase_uom: unit,
    });
  });

  test('is confirmed if the platform declares it', async () => {
    const { url, database, user, password } = tryton;
    const options = { ...connection.platform.options, confirmWarnings: [''] };
    const driver = openTryton(
      { ...connection.platform, options },
      { url, database, user, password, allowPrivateHosts: true },
    );
    await driver.writes.update(templates(), template, { purchase_uom: dozen }, connection.intent);
    await driver.close();
    expect(await tryton.rpc.one('product.template', [['id', '=', Number(template)]], ['purchase_uom'])).toMatchObject({
      purchase_uom: dozen,
    });
  });
});
