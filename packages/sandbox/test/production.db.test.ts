import type { ResolvedReference, Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, named, coded } = desk(() => sandbox);
let product: ResolvedReference;
let bolt: ResolvedReference;

beforeAll(async () => {
  sandbox = await startSandbox();
  product = await named('Item', 'Checkweigher NW 100');
  bolt = await named('Item', 'Hex bolt M8 × 40');
});
afterAll(() => sandbox.stop());

const byKey = (entity: string, key: string): ResolvedReference => ({
  id: `id of ${key}`,
  _idValue: key,
  code: key,
  _displayValue: key,
  entity,
});
/** Keys of the records that a list of relations refers to. */
async function keysOf(entity: string, key: string, field: string): Promise<string[]> {
  const { references } = await sandbox.record(entity, key);
  return [references[field] ?? []].flat().map((reference) => reference?.value ?? '');
}
async function change(entity: string, key: string, input: Row) {
  const { values } = sandbox.mapping(entity).write(input, { op: 'update' });
  await sandbox.driver.writes.update(sandbox.stream(entity), key, values, sandbox.intent());
  return sandbox.record(entity, key);
}
/** Total cost of the material that was issued for an order. */
async function materialCost(key: string): Promise<number> {
  const materials = await keysOf('ProductionOrder', key, 'materials');
  const records = await Promise.all(materials.map((material) => sandbox.record('OrderMaterial', material)));
  return records.reduce((sum, { values }) => sum + Number(values.totalCost), 0);
}
/** Quantity of the product that an order put into stock. */
async function madeBy(key: string): Promise<number> {
  const movements = (await sandbox.records('InventoryTransaction')).filter(
    ({ references }) => [references.sourceDocument].flat()[0]?.value === key,
  );
  const made = movements.filter(({ references }) => [references.item].flat()[0]?.value === product._idValue);
  return made.reduce((sum, { values }) => sum + Number(values.quantity), 0);
}
const minutesLater = (moment: string, minutes: number) =>
  new Date(Date.parse(moment) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('a routing', () => {
  const operation = {
    sequence: 20,
    name: 'Galvanize frame',
    description: 'Zinc layer 80 µm',
    setupMinutes: 15,
    runMinutesPerUnit: 12.5,
    batchSize: 4,
    queueMinutes: 60,
    moveMinutes: 5,
    hourlyCost: 88.4,
    isSubcontracted: true,
    requiresQualityCheck: false,
  };

  test('accepts every field of its header and operations', async () => {
    const header = { code: 'RT-T1', name: 'Short', description: 'Small lots', revision: 'B', isActive: true };
    const [workCenter, vendor] = [
      await named('WorkCenter', 'Welding booth HAM'),
      await named('Vendor', 'ACME Supplies'),
    ];
    const site = await named('Site', 'Plant Hamburg');
    const operations = [{ name: 'Weld' }, { ...operation, workCenter, vendor }];
    const key = await create('ProductionRouting', { ...header, isDefault: false, item: product, site, operations });
    expect(await sandbox.record('ProductionRouting', key)).toMatchObject({
      values: { ...header, isDefault: false, totalMinutes: 92.5 },
      references: {
        item: { value: product._idValue },
        site: { value: '1000' },
        operations: [{ value: `${key}/1` }, { value: `${key}/20` }],
      },
    });
    expect(await sandbox.record('ProductionRoutingOperation', `${key}/20`)).toMatchObject({
      values: operation,
      references: {
        routing: { value: key },
        workCenter: { value: workCenter._idValue },
        vendor: { value: vendor._idValue },
      },
    });
  });

  test('is the only default of its item, and its operations are all replaced', async () => {
    const operations = [{ name: 'Weld' }, { name: 'Test' }];
    const first = await create('ProductionRouting', { name: 'One', item: bolt, isDefault: true, operations });
    await create('ProductionRouting', { name: 'Two', item: bolt, isDefault: true, operations });
    expect((await sandbox.record('ProductionRouting', first)).values.isDefault).toBe(false);
    await replace('ProductionRouting', first, { name: 'One', operations: [{ name: 'Press' }] });
    expect(await keysOf('ProductionRouting', first, 'operations')).toEqual([`${first}/1`]);
  });
});

describe('a bill of materials', () => {
  test('accepts every field of its header and lines, and computes its cost', async () => {
    const header = {
      code: 'BOM-T1',
      name: 'For retrofits',
      description: 'Before 2015',
      quantity: 2,
      bomType: 'manufacture',
      revision: 'C',
      isActive: true,
      isDefault: false,
      validFromDate: day(-323),
      validToDate: day(41),
      scrapPercent: 10,
      notes: 'n',
    };
    const line = {
      line: 10,
      description: 'Bolt, zinc plated',
      quantity: 100,
      scrapPercent: 2,
      isPhantom: false,
      isOptional: true,
      isAlternativeAllowed: true,
      unitCost: 0.5,
      reference: '4711-1',
      notes: '24 Nm',
    };
    const workCenter = await named('WorkCenter', 'Welding booth HAM');
    const steps = [{ name: 'Weld', sequence: 10, workCenter, setupMinutes: 20, runMinutesPerUnit: 20, hourlyCost: 60 }];
    const routing = byKey('ProductionRouting', await create('ProductionRouting', { name: 'R', operations: steps }));
    const relations = {
      item: product,
      unit: await coded('Unit', 'SET'),
      organization: await coded('Organization', '010'),
      site: await named('Site', 'Plant Hamburg'),
      currency: await coded('Currency', 'EUR'),
      routing,
    };
    const of = {
      item: bolt,
      unit: await coded('Unit', 'PAK'),
      location: await named('Location', 'Storeroom HAM-A'),
      operation: byKey('ProductionRoutingOperation', `${routing._idValue}/10`),
      childBom: await coded('BillOfMaterial', 'BOM-20001'),
    };
    const key = await create('BillOfMaterial', { ...header, ...relations, lines: [{ ...line, ...of }] });
    const bill = await sandbox.record('BillOfMaterial', key);
    // 100 bolts with 2 % scrap, an hour of welding for two pieces, a tenth of the material.
    expect(bill.values).toMatchObject({
      ...header,
      materialCost: 51,
      operatingCost: 60,
      scrapCost: 5.1,
      totalCost: 116.1,
    });
    expect(bill.references).toMatchObject({
      item: { value: product._idValue },
      unit: { value: 'SET' },
      organization: { value: '010' },
      site: { value: '1000' },
      currency: { value: 'EUR' },
      routing: { value: routing._idValue },
      lines: [{ value: `${key}/10` }],
    });
    expect(await sandbox.record('BillOfMaterialLine', `${key}/10`)).toMatchObject({
      values: { ...line, totalCost: 51 },
      references: {
        billOfMaterial: { value: key },
        item: { value: bolt._idValue },
        unit: { value: 'PAK' },
        location: { value: of.location._idValue },
        operation: { value: of.operation._idValue },
        childBom: { value: '20001' },
      },
    });
  });

  test('takes description, unit and cost of a component from the item, and numbers lines from one', async () => {
    const key = await create('BillOfMaterial', { item: product, quantity: 1, lines: [{ item: bolt, quantity: 4 }] });
    expect((await sandbox.record('BillOfMaterial', key)).values).toMatchObject({
      code: expect.stringMatching(/^BOM-\d+$/),
      totalCost: 0.44,
    });
    expect(await sandbox.record('BillOfMaterialLine', `${key}/1`)).toMatchObject({
      values: { description: 'Hex bolt M8 × 40', unitCost: 0.11 },
      references: { unit: { value: 'STK' } },
    });
  });

  test('cannot contain itself, directly or through another bill', async () => {
    const direct = create('BillOfMaterial', { item: product, quantity: 1, lines: [{ item: product, quantity: 1 }] });
    await expect(direct).rejects.toMatchObject(
      refusal(/^ST-011: bill of materials BOM-\d+ would contain itself through/),
    );
    const lines = [{ item: bolt, quantity: 1 }];
    const inner = await create('BillOfMaterial', { item: product, quantity: 1, lines });
    const childBom = byKey('BillOfMaterial', inner);
    const outer = await create('BillOfMaterial', { item: product, quantity: 1, lines: [{ ...lines[0], childBom }] });
    const loop = { item: product, quantity: 1, lines: [{ ...lines[0], childBom: byKey('BillOfMaterial', outer) }] };
    await expect(replace('BillOfMaterial', inner, loop)).rejects.toMatchObject(refusal(/^ST-011/));
  });
});

describe('a production order', () => {
  const fresh = (more: Row = {}) =>
    create('ProductionOrder', { item: product, quantity: 2, plannedStartAt: `${day(11)}T06:00:00Z`, ...more });
  const report = async (operation: string, values: Row) => {
    const { references, values: known } = await sandbox.record('ProductionOrderOperation', operation);
    const order = [references.productionOrder].flat()[0]?.value ?? '';
    const needed = { productionOrder: byKey('ProductionOrder', order), sequence: known.sequence, name: known.name };
    return change('ProductionOrderOperation', operation, {
      ...needed,
      plannedMinutes: known.plannedMinutes,
      ...values,
    });
  };

  test('is created as planned, with the operations of the routing and the material of the bill of its item', async () => {
    const key = await fresh();
    const { values, references } = await sandbox.record('ProductionOrder', key);
    expect(values).toMatchObject({
      code: expect.stringMatching(/^MO-\d+$/),
      description: 'Checkweigher NW 100',
      statusCategory: 'planned',
      actualCost: 0,
    });
    const [bill, routing] = [references.billOfMaterial, references.routing].flat();
    const operations = await keysOf('ProductionOrder', key, 'operations');
    const steps = await keysOf('ProductionRouting', routing?.value ?? '', 'operations');
    expect(operations).toHaveLength(steps.length);
    const [step, first] = [
      await sandbox.record('ProductionRoutingOperation', steps[0] ?? ''),
      await sandbox.record('ProductionOrderOperation', operations[0] ?? ''),
    ];
    expect(first.values).toMatchObject({
      name: step.values.name,
      statusCategory: 'pending',
      plannedStartAt: minutesLater(`${day(11)}T06:00:00Z`, Number(step.values.queueMinutes)),
      plannedMinutes: Number(step.values.setupMinutes) + 2 * Number(step.values.runMinutesPerUnit),
    });
    const materials = await keysOf('ProductionOrder', key, 'materials');
    expect(materials).toHaveLength((await keysOf('BillOfMaterial', bill?.value ?? '', 'lines')).length);
    const { values: material } = await sandbox.record('OrderMaterial', materials[0] ?? '');
    expect(material).toMatchObject({ requiredDate: day(11), issuedQuantity: 0, isStockItem: true });
    expect(material.reservedQuantity).toBe(material.plannedQuantity);
  });

  test('needs the parts of a phantom component', async () => {
    const inner = { item: await named('Item', 'Conveyor NW 100'), quantity: 2, lines: [{ item: bolt, quantity: 10 }] };
    const childBom = byKey('BillOfMaterial', await create('BillOfMaterial', inner));
    const lines = [{ item: inner.item, quantity: 3, isPhantom: true, childBom }];
    const bill = await create('BillOfMaterial', { item: product, quantity: 1, lines });
    const key = await fresh({ billOfMaterial: byKey('BillOfMaterial', bill) });
    const [material, ...others] = await keysOf('ProductionOrder', key, 'materials');
    expect(others).toEqual([]);
    expect(await sandbox.record('OrderMaterial', material ?? '')).toMatchObject({
      values: { plannedQuantity: 30 },
      references: { item: { value: bolt._idValue } },
    });
  });

  test('goes from start through its last operation to closing, and can be reopened', async () => {
    const key = await fresh();
    const started = await act('ProductionOrder', key, 'start', { startedAt: `${day(11)}T06:20:00Z`, note: 'Go' });
    expect(started.values).toMatchObject({ statusCategory: 'in_progress', startedAt: `${day(11)}T06:20:00.000Z` });
    const operations = await keysOf('ProductionOrder', key, 'operations');
    const times = { actualStartAt: `${day(11)}T06:20:00Z`, actualEndAt: `${day(11)}T09:20:00Z` };
    for (const operation of operations.slice(0, -1)) await report(operation, { ...times, completedQuantity: 2 });
    expect((await sandbox.record('ProductionOrder', key)).values.statusCategory).toBe('in_progress');
    const last = await report(operations.at(-1) ?? '', {
      ...times,
      completedQuantity: 1,
      scrappedQuantity: 1,
      actualMinutes: 90,
      hourlyCost: 40,
    });
    expect(last.values).toMatchObject({ statusCategory: 'completed', actualCost: 60 });
    expect((await sandbox.record('ProductionOrder', key)).values).toMatchObject({
      statusCategory: 'completed',
      completedAt: `${day(11)}T09:20:00.000Z`,
      producedQuantity: 1,
      scrappedQuantity: 1,
      actualCost: expect.closeTo(60 + (await materialCost(key)), 2),
    });
    expect(await madeBy(key)).toBe(1);
    expect(await materialCost(key)).toBeGreaterThan(0);
    const closed = await act('ProductionOrder', key, 'close', { producedQuantity: 2, scrappedQuantity: 0 });
    expect(closed.values).toMatchObject({
      statusCategory: 'closed',
      closedAt: expect.any(String),
      producedQuantity: 2,
      scrappedQuantity: 0,
    });
    expect(await madeBy(key)).toBe(2);
    await expect(change('ProductionOrder', key, { notes: 'x' })).rejects.toMatchObject(
      refusal(/^FA-030: .* reopen it/),
    );
    await expect(report(operations[0] ?? '', { completedQuantity: 1 })).rejects.toMatchObject(refusal(/^FA-030/));
    expect((await act('ProductionOrder', key, 'reopen', { note: 'Came back' })).values).toMatchObject({
      statusCategory: 'in_progress',
      closedAt: null,
    });
  });

  test('starts with its first operation if it was not started before, and keeps that start time', async () => {
    const key = await fresh();
    const [operation = ''] = await keysOf('ProductionOrder', key, 'operations');
    const begun = await report(operation, { actualStartAt: `${day(11)}T07:00:00Z` });
    expect(begun.values.statusCategory).toBe('in_progress');
    expect((await sandbox.record('ProductionOrder', key)).values).toMatchObject({
      statusCategory: 'in_progress',
      startedAt: `${day(11)}T07:00:00.000Z`,
    });
  });

  test.each([
    ['close', /^FA-041: production order MO-\d+ has status 10 and cannot be closed$/],
    ['reopen', /^FA-042/],
  ])('%s is refused while it is planned', async (action, words) => {
    await expect(act('ProductionOrder', await fresh(), action)).rejects.toMatchObject(refusal(words));
  });

  test('is started once', async () => {
    const key = await fresh();
    await act('ProductionOrder', key, 'start');
    await expect(act('ProductionOrder', key, 'start')).rejects.toMatchObject(refusal(/^FA-040: .* has status 30/));
  });

  test('can be deleted with operations and material before it starts, but not afterwards', async () => {
    const [key, begun] = [await fresh(), await fresh()];
    const [[operation = ''], [material = '']] = [
      await keysOf('ProductionOrder', key, 'operations'),
      await keysOf('ProductionOrder', key, 'materials'),
    ];
    await sandbox.driver.writes.remove(sandbox.stream('ProductionOrder'), key, sandbox.intent());
    expect(await sandbox.driver.read(sandbox.stream('ProductionOrderOperation'), operation)).toBeNull();
    expect(await sandbox.driver.read(sandbox.stream('OrderMaterial'), material)).toBeNull();
    await act('ProductionOrder', begun, 'start');
    const refused = sandbox.driver.writes.remove(sandbox.stream('ProductionOrder'), begun, sandbox.intent());
    await expect(refused).rejects.toMatchObject(refusal(/^FA-021: .* close it instead$/));
  });

  test('is refused for a blocked item', async () => {
    const blocked = (await sandbox.records('Item')).find(({ values }) => values.isActive === false);
    const item = byKey('Item', blocked?._idValue ?? '');
    await expect(fresh({ item })).rejects.toMatchObject(refusal(/^AR-022: item IT-\d+ is blocked for production$/));
  });
});

test('changes of parts change bills, routings and orders', async () => {
  const steps = { name: 'R', operations: [{ name: 'Weld' }] };
  const routing = await create('ProductionRouting', steps);
  const bill = { item: product, quantity: 1, routing: byKey('ProductionRouting', routing) };
  const lines = [{ item: bolt, quantity: 1 }];
  const made = [
    ['ProductionRouting', routing],
    ['BillOfMaterial', await create('BillOfMaterial', { ...bill, lines })],
    [
      'ProductionOrder',
      await create('ProductionOrder', { item: bolt, quantity: 1, plannedStartAt: `${day(11)}T06:00:00Z` }),
    ],
  ] as const;
  const times = () =>
    Promise.all(
      made.map(async ([entity, key]) => Date.parse(String((await sandbox.record(entity, key)).values._updatedAt))),
    );
  const before = await times();
  await change('ProductionRouting', routing, { operations: [{ name: 'Bend' }] });
  await create('OrderMaterial', { order: byKey(...made[2]), item: bolt, plannedQuantity: 1 });
  const after = await times();
  expect(after.map((time, index) => time > (before[index] ?? 0))).toEqual([true, true, true]);
});

describe('material and resources of an order', () => {
  const needed = (order: ResolvedReference) => create('OrderMaterial', { order, item: bolt, plannedQuantity: 48 });

  test('is reserved until the order is closed, and again when it is reopened', async () => {
    const key = await create('ProductionOrder', { item: bolt, quantity: 1, plannedStartAt: `${day(11)}T06:00:00Z` });
    const material = await needed(byKey('ProductionOrder', key));
    const reserved = async () => (await sandbox.record('OrderMaterial', material)).values.reservedQuantity;
    expect(await reserved()).toBe(48);
    await act('ProductionOrder', key, 'start');
    await act('ProductionOrder', key, 'close');
    expect(await reserved()).toBe(0);
    await act('ProductionOrder', key, 'reopen');
    expect(await reserved()).toBe(48);
    expect((await change('OrderMaterial', material, { isStockItem: false })).values.reservedQuantity).toBe(0);
  });

  test('can belong to a work order, adds to its cost, and is deleted with it', async () => {
    const key = await create('WorkOrder', { name: 'Replace bearing of conveyor 2' });
    const order = byKey('WorkOrder', key);
    const material = await needed(order);
    const [worker] = await sandbox.records('LaborResource');
    const laborResource = byKey('LaborResource', worker?._idValue ?? '');
    const resource = await create('OrderResource', { order, kind: 'labor', laborResource, actualHours: 2 });
    expect(await sandbox.record('OrderResource', resource)).toMatchObject({
      values: { rate: worker?.values.hourlyRate, cost: 2 * Number(worker?.values.hourlyRate) },
      references: { order: { entity: 'WorkOrder', value: key }, currency: { value: 'EUR' } },
    });
    await change('OrderResource', resource, { rate: 45.5 });
    await create('OrderResource', { order, kind: 'service', actualHours: 3, rate: 100 });
    expect((await sandbox.record('WorkOrder', key)).values).toMatchObject({
      laborCost: 91,
      serviceCost: 300,
      totalCost: 391,
    });
    await sandbox.driver.writes.remove(sandbox.stream('WorkOrder'), key, sandbox.intent());
    expect(await sandbox.driver.read(sandbox.stream('OrderMaterial'), material)).toBeNull();
    expect(await sandbox.driver.read(sandbox.stream('OrderResource'), resource)).toBeNull();
  });

  test('is refused for an order that is settled or does not exist', async () => {
    const settled = (await sandbox.records('WorkOrder')).find(({ values }) => values.statusCategory === 'closed');
    await expect(needed(byKey('WorkOrder', settled?._idValue ?? ''))).rejects.toMatchObject(refusal(/^AU-030/));
    await expect(needed(byKey('WorkOrder', '1'))).rejects.toMatchObject(
      refusal(/^AM-004: order 1 of kind A does not exist$/),
    );
  });
});

test.each([
  ['BillOfMaterial', { validFromDate: day(-292), validToDate: day(-293) }, /ST-008: the bill of materials cannot end/],
  ['BillOfMaterial', { quantity: 0 }, /ST-010/],
  ['ProductionOrder', { plannedEndAt: `${day(10)}T06:00:00Z` }, /FA-008: the planned end/],
  ['ProductionOrder', { quantity: 0 }, /FA-010/],
  [
    'ProductionOrderOperation',
    { actualStartAt: `${day(12)}T06:00:00Z`, actualEndAt: `${day(11)}T06:00:00Z` },
    /FV-008/,
  ],
  ['OrderMaterial', { plannedQuantity: 0 }, /AM-010/],
  ['OrderResource', { startedAt: `${day(12)}T06:00:00Z`, finishedAt: `${day(11)}T06:00:00Z` }, /RS-008/],
])('a %s with %o is refused', async (entity, odd, words) => {
  const order = byKey('ProductionOrder', '700001');
  const least: Readonly<Record<string, Row>> = {
    BillOfMaterial: { item: product, quantity: 1, lines: [{ item: bolt, quantity: 1 }] },
    ProductionOrder: { item: product, quantity: 1, plannedStartAt: `${day(11)}T06:00:00Z` },
    ProductionOrderOperation: { productionOrder: order, sequence: 90, name: 'Touch up paint' },
    OrderMaterial: { order, item: bolt, plannedQuantity: 1 },
    OrderResource: { order, kind: 'labor' },
  };
  await expect(create(entity, { ...least[entity], ...odd })).rejects.toMatchObject(refusal(words));
});
