import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk, meant, readBy } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

let item: Awaited<ReturnType<typeof named>>;
let places: { readonly [hall in 'A' | 'B']: Awaited<ReturnType<typeof named>> };
let bins: { readonly [hall in 'A' | 'B']: Awaited<ReturnType<typeof named>> };

/** A new item for each test, with 100 pieces in hall A. */
beforeEach(async () => {
  const key = await create('Item', { name: 'Test bolt', itemType: 'part', unit: await coded('Unit', 'STK') });
  const { values } = await sandbox.record('Item', key);
  item = { id: key, entity: 'Item', _idValue: key, code: String(values.code), _displayValue: 'Test bolt' };
  places = { A: await named('Location', 'Storeroom HAM-A'), B: await named('Location', 'Storeroom HAM-B') };
  bins = { A: await named('Bin', 'HAM-A-S1-0101'), B: await named('Bin', 'HAM-B-S1-0102') };
  await move({ transactionType: 'receipt', quantity: 100, location: places.A, bin: bins.A, unitCost: 0.5 });
});

const move = (more: Row) => create('InventoryTransaction', { item, ...more });
const lines = (...more: Row[]) => more.map((line) => ({ item, ...line }));

/** Stock of the item, as "bin: quantity". */
async function stock(): Promise<readonly string[]> {
  const levels = await sandbox.records('StockLevel');
  const binOf = Object.fromEntries(Object.values(bins).map((bin) => [bin._idValue, bin._displayValue]));
  return levels
    .filter(({ references }) => refersTo(references.item, item._idValue))
    .map(({ values, references }) => `${binOf[keyIn(references.bin)] ?? 'elsewhere'}: ${values.onHand}`);
}

async function movementsOf(document: string) {
  const movements = await sandbox.records('InventoryTransaction');
  return movements
    .filter(({ references }) => refersTo(references.document, document))
    .map(({ values: { transactionType, quantity, balanceAfter } }) => [transactionType, quantity, balanceAfter]);
}

const keyIn = (reference: unknown) => String((reference as { value?: string } | null)?.value);
const refersTo = (reference: unknown, value: string) => keyIn(reference) === value;
const words = (pattern: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(pattern) });

describe('an inventory transaction', () => {
  test('in packages moves their content, if the item has a vendor of such packages', async () => {
    const receipt = { transactionType: 'receipt', quantity: 3, location: places.A, bin: bins.A, unitCost: 40 };
    const packages = { ...receipt, unit: await coded('Unit', 'PAK') };
    await expect(move(packages)).rejects.toMatchObject(
      words(new RegExp(`^EH-010: item ${item.code} is kept in STK, and PAK cannot be converted`)),
    );
    const vendor = await named('Vendor', 'ACME Supplies');
    await create('SupplyOption', { item, vendor, unit: packages.unit, unitQuantity: 50, price: 40 });
    const { values, references } = await sandbox.record('InventoryTransaction', await move(packages));
    expect(values).toMatchObject({ quantity: 150, unitCost: 0.8, totalCost: 120, balanceAfter: 250 });
    expect(references.unit).toMatchObject({ value: 'STK' });
    expect(await stock()).toEqual(['HAM-A-S1-0101: 250']);
  });

  test('does not issue blocked stock', async () => {
    const blocked = { item, location: places.B, bin: bins.B, stockStatus: 'blocked', onHand: 10 };
    const { values } = await sandbox.record('StockLevel', await create('StockLevel', blocked));
    expect(values).toMatchObject({ available: 0 });
    await expect(move({ transactionType: 'issue', quantity: -1, location: places.B })).rejects.toMatchObject(
      words(new RegExp(`^BW-013: stock ${values.code} of item ${item.code} is blocked`)),
    );
  });

  test('moves stock immediately and shows the remaining quantity', async () => {
    const key = await move({ transactionType: 'consume', quantity: -30, location: places.A });
    const { values, references } = await sandbox.record('InventoryTransaction', key);
    expect(values).toMatchObject({
      quantity: -30,
      balanceAfter: 70,
      unitCost: 0.5,
      totalCost: -15,
      postedAt: expect.any(String),
    });
    // It is taken from the bin with the largest quantity.
    expect(references.bin).toMatchObject({ value: bins.A._idValue });
    expect(await stock()).toEqual(['HAM-A-S1-0101: 70']);
    expect((await sandbox.record('Item', item._idValue)).values.quantityOnHand).toBe(70);
  });

  test('cannot take more than is in stock, add stock with an issue, or be changed', async () => {
    const here = { location: places.A };
    await expect(move({ transactionType: 'issue', quantity: -101, ...here })).rejects.toMatchObject(
      words(/^BW-012: only 100.000 STK of item IT-\d+ are in stock, but 101/),
    );
    await expect(move({ transactionType: 'issue', quantity: 5, ...here })).rejects.toMatchObject(words(/^BW-011/));
    await expect(move({ transactionType: 'receipt', quantity: 5, ...here, bin: bins.B })).rejects.toMatchObject(
      words(/^FA-011: bin HAM-B-S1-0102 is not at location HAM-A-S1/),
    );
    const key = await move({ transactionType: 'scrap', quantity: -1, ...here });
    const later = sandbox.driver.writes.update(
      sandbox.stream('InventoryTransaction'),
      key,
      { menge: -2 },
      sandbox.intent(),
    );
    await expect(later).rejects.toMatchObject(words(/^BW-020/));
  });
});

describe('an inventory document', () => {
  const document = (documentType: string, more: Row) => create('InventoryDocument', { documentType, ...more });

  test('completes its lines, moves nothing as a draft, and moves stock when it is posted', async () => {
    const key = await document('transfer', {
      ...{ fromLocation: places.A, toLocation: places.B, toBin: bins.B },
      lines: lines({ quantity: 25, unitCost: 0.5 }, { quantity: 15, fromBin: bins.A }),
    });
    expect((await sandbox.record('InventoryDocument', key)).values).toMatchObject({
      ...{ code: expect.stringMatching(/^INV-\d+$/), statusCategory: 'draft', totalQuantity: 40, totalValue: 12.5 },
      lines: [
        {
          ...{ line: 1, item: readBy('Item', item.code), description: 'Test bolt', quantity: 25 },
          ...{ unit: readBy('Unit', 'STK'), unitCost: 0.5 },
        },
        { line: 2, quantity: 15, fromBin: readBy('Bin', 'HAM-A-S1-0101') },
      ],
    });
    expect(await stock()).toEqual(['HAM-A-S1-0101: 100']);
    const posted = await act('InventoryDocument', key, 'post', { postedAt: `${day(0)}T09:30:00Z`, note: 'By cart' });
    expect(posted.values).toMatchObject({
      ...{ statusCategory: 'posted', postedAt: `${day(0)}T09:30:00.000Z`, postingDate: day(0) },
    });
    expect(await stock()).toEqual(['HAM-A-S1-0101: 60', 'HAM-B-S1-0102: 40']);
    expect(await movementsOf(key)).toEqual([
      ['transfer_out', -25, 75],
      ['transfer_in', 25, 25],
      ['transfer_out', -15, 60],
      ['transfer_in', 15, 40],
    ]);
  });

  test('transfers goods at the cost of their source, so that goods in transit are cleared', async () => {
    await move({ transactionType: 'receipt', quantity: 10, location: places.B, bin: bins.B, unitCost: 0.8 });
    const key = await document('transfer', {
      ...{ fromLocation: places.A, toLocation: places.B, toBin: bins.B },
      lines: lines({ quantity: 25 }),
    });
    const { values } = await act('InventoryDocument', key, 'post');
    const movements = await sandbox.records('InventoryTransaction');
    const moved = movements.filter(({ references }) => refersTo(references.document, key));
    expect(moved.map(({ values: { unitCost, totalCost } }) => [unitCost, totalCost])).toEqual([
      [0.5, -12.5],
      [0.5, 12.5],
    ]);
    const posted = (await sandbox.records('JournalLine')).filter(
      ({ values: { reference } }) => reference === values.code,
    );
    const totals = Map.groupBy(posted, ({ references }) => keyIn(references.account));
    const cents = (account: string) =>
      (totals.get(account) ?? []).reduce((sum, line) => sum + Math.round(Number(line.values.amount) * 100), 0);
    expect([cents('1130'), cents('1170'), cents('5060')]).toEqual([750, 0, -750]);
  });

  test('reverses its movements when it is cancelled, and stays cancelled', async () => {
    const key = await document('issue', { fromLocation: places.A, lines: lines({ quantity: 60 }) });
    await act('InventoryDocument', key, 'post');
    const again = act('InventoryDocument', key, 'post');
    await expect(again).rejects.toMatchObject(words(/^LB-050: document INV-\d+ has status B/));
    const reason = await named('Taxonomy', 'Entered by mistake');
    const { values, references } = await act('InventoryDocument', key, 'cancel', { reason, note: 'Wrong store' });
    expect(values).toMatchObject({ statusCategory: 'cancelled', cancelledAt: expect.any(String) });
    expect(references.cancelReason).toMatchObject({ value: 'S-ERR' });
    expect(await movementsOf(key)).toEqual([
      ['issue', -60, 40],
      ['adjustment', 60, 100],
    ]);
    expect(await stock()).toEqual(['HAM-A-S1-0101: 100']);
    await expect(act('InventoryDocument', key, 'cancel')).rejects.toMatchObject(words(/^LB-051/));
  });

  test('of a count looks up the expected quantity and posts the difference', async () => {
    const key = await document('count', { location: places.A, isBlind: true, lines: lines({}) });
    const begun = await sandbox.record('InventoryDocument', key);
    expect(begun.values).toMatchObject({ executionStatus: 'open', lines: [{ expectedQuantity: 100 }] });
    await expect(act('InventoryDocument', key, 'post')).rejects.toMatchObject(
      words(/^LB-017: line 1 .* is not counted/),
    );
    const counted = sandbox
      .mapping('InventoryDocument')
      .write({ lines: lines({ countedQuantity: 97 }) }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('InventoryDocument'), key, counted.values, sandbox.intent());
    const { values } = await act('InventoryDocument', key, 'post');
    expect(values).toMatchObject({
      ...{ executionStatus: 'completed', lines: [{ countedQuantity: 97, varianceQuantity: -3 }] },
      countedAt: expect.any(String),
    });
    expect(await movementsOf(key)).toEqual([['count', -3, 97]]);
  });

  test('of a pick takes the quantity found and reports the shortage', async () => {
    const key = await document('pick', {
      ...{ fromLocation: places.A, lines: lines({ quantity: 8, pickedQuantity: 6 }) },
    });
    expect((await sandbox.record('InventoryDocument', key)).values.executionStatus).toBe('in_progress');
    expect((await act('InventoryDocument', key, 'post')).values.executionStatus).toBe('short');
    expect(await stock()).toEqual(['HAM-A-S1-0101: 94']);
  });

  test('of a transfer is in progress when it has left, is in transit, and has no progress once it is cancelled', async () => {
    const key = await document('transfer', {
      ...{ fromLocation: places.A, toLocation: places.B, toBin: bins.B },
      ...{ shippedAt: `${day(0)}T08:00:00Z`, lines: lines({ quantity: 20, shippedQuantity: 20 }) },
    });
    expect((await sandbox.record('InventoryDocument', key)).values.executionStatus).toBe('in_progress');
    const cancelled = await act('InventoryDocument', key, 'cancel');
    expect(cancelled.values).toMatchObject({ statusCategory: 'cancelled', executionStatus: null });
    const other = await document('transfer', {
      ...{ fromLocation: places.A, toLocation: places.B, toBin: bins.B, lines: lines({ quantity: 20 }) },
    });
    expect((await sandbox.record('InventoryDocument', other)).values.executionStatus).toBe('open');
    expect((await act('InventoryDocument', other, 'post')).values.executionStatus).toBe('completed');
  });

  test.each<[string, string, () => Row, RegExp]>([
    ['without lines', 'receipt', () => ({ toLocation: places.A }), /^LB-013/],
    ['without a place', 'receipt', () => ({ lines: lines({ quantity: 1 }) }), /^LB-016/],
    ['without a quantity', 'issue', () => ({ fromLocation: places.A, lines: lines({}) }), /^LB-018/],
    [
      'of more than is in stock',
      'issue',
      () => ({ fromLocation: places.A, lines: lines({ quantity: 500 }) }),
      /^BW-012/,
    ],
  ])('%s is not posted', async (_, documentType, more, refusal) => {
    const key = await document(documentType, more());
    await expect(act('InventoryDocument', key, 'post')).rejects.toMatchObject(words(refusal));
    expect((await sandbox.record('InventoryDocument', key)).values.statusCategory).toBe('draft');
    expect(await stock()).toEqual(['HAM-A-S1-0101: 100']);
  });

  test('accepts only items, bins and reasons that exist', async () => {
    const wrong: readonly [Row, RegExp][] = [
      [{ lines: [{ item: meant('Item', 'IT-0') }] }, /^LB-011: item IT-0 does not exist/],
      [{ lines: lines({ toBin: meant('Bin', 'Z-9') }) }, /^LB-012: bin Z-9 does not exist/],
      [{ reasonCode: await named('Taxonomy', 'Duplicate') }, /^LB-015: S-DUP is not a reason/],
    ];
    for (const [more, refusal] of wrong)
      await expect(document('adjustment', more)).rejects.toMatchObject(words(refusal));
  });
});

describe('a dispense transaction', () => {
  test('takes stock, adjusts it to a corrected quantity, and returns it when deleted', async () => {
    const key = await create('DispenseTransaction', { item, quantity: 12, location: places.A, dispenser: 'COUNTER' });
    expect((await sandbox.record('DispenseTransaction', key)).values).toMatchObject({
      quantity: 12,
      dispenser: 'COUNTER',
    });
    expect(await stock()).toEqual(['HAM-A-S1-0101: 88']);
    const { values } = sandbox.mapping('DispenseTransaction').write({ quantity: 10 }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('DispenseTransaction'), key, values, sandbox.intent());
    expect(await stock()).toEqual(['HAM-A-S1-0101: 90']);
    await sandbox.driver.writes.remove(sandbox.stream('DispenseTransaction'), key, sandbox.intent());
    expect(await stock()).toEqual(['HAM-A-S1-0101: 100']);
  });

  test('cannot be deleted after its work order is settled', async () => {
    const orders = await sandbox.records('WorkOrder');
    const settled = orders.find(({ values }) => values.statusCategory === 'closed')?._idValue ?? '';
    const workOrder = await sandbox.resolve({ entity: 'WorkOrder', by: '_idValue', value: settled });
    const key = await create('DispenseTransaction', { item, quantity: 1, workOrder });
    const deleted = sandbox.driver.writes.remove(sandbox.stream('DispenseTransaction'), key, sandbox.intent());
    await expect(deleted).rejects.toMatchObject(words(/^AG-021/));
  });
});

describe('a supply option', () => {
  test('that is preferred replaces the vendor of the item', async () => {
    const [vendor, other] = [await named('Vendor', 'ACME Supplies'), await coded('Vendor', 'V-1043')];
    const options = [
      await create('SupplyOption', { item, vendor, price: 11.4, isPreferred: true }),
      await create('SupplyOption', { item, vendor: other, price: 10.9, isPreferred: true }),
    ];
    const { references } = await sandbox.record('Item', item._idValue);
    expect(references).toMatchObject({
      ...{ preferredVendor: { value: other._idValue }, supplyOptions: options.map((value) => ({ value })) },
    });
    expect((await sandbox.record('SupplyOption', options[0] ?? '')).values).toMatchObject({
      ...{ isPreferred: false, _displayValue: 'Test bolt, ACME Supplies' },
    });
  });

  test('must end after it begins', async () => {
    const odd = { validFromDate: day(11), validToDate: day(-19) };
    const answer = create('SupplyOption', { item, vendor: await named('Vendor', 'ACME Supplies'), ...odd });
    await expect(answer).rejects.toMatchObject(words(/^BQ-011/));
  });
});
