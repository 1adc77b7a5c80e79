import type { MappedRecord } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const valuesOf = async (entity: string, key: string) => (await sandbox.record(entity, key)).values;
const update = (entity: string, key: string, input: Record<string, unknown>) =>
  sandbox.driver.writes.update(
    sandbox.stream(entity),
    key,
    sandbox.mapping(entity).write(input, { op: 'update' }).values,
    sandbox.intent(),
  );
/** Key of the record that a relation points to; for a list, the last one. */
const one = ({ references }: MappedRecord, name: string) => [references[name] ?? []].flat().at(-1)?.value ?? '';
const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('an asset', () => {
  const fresh = (more = {}) => create('Asset', { name: 'Conveyor at gate 3', assetType: 'equipment', ...more });

  test('is put into use, breaks down, and is scrapped permanently', async () => {
    const key = await fresh();
    expect(await valuesOf('Asset', key)).toMatchObject({
      code: expect.stringMatching(/^AS-\d+$/),
      statusCategory: 'commissioning',
      isActive: true,
      isPhysical: true,
    });
    const used = await act('Asset', key, 'set-status', { status: await named('Status', 'In operation') });
    expect(used).toMatchObject({
      values: { statusCategory: 'operational' },
      references: { status: { value: 'ANL/20' } },
    });
    const reason = await named('Taxonomy', 'Breakdown');
    const down = await act('Asset', key, 'set-status', { statusCategory: 'down', reason, note: 'Belt torn' });
    expect(down.values.statusCategory).toBe('down');
    const effectiveAt = `${day(0)}T08:15:00Z`;
    const gone = await act('Asset', key, 'set-status', { statusCategory: 'disposed', effectiveAt });
    expect(gone.values).toMatchObject({ statusCategory: 'disposed', decommissionedDate: day(0) });
    await expect(act('Asset', key, 'set-status', { statusCategory: 'operational' })).rejects.toMatchObject(
      refusal(/^AN-040: asset AS-\d+ is scrapped/),
    );
  });

  test('loses value in a straight line over its useful life', async () => {
    const life = { purchaseCost: 12_000, residualValue: 2_000, inServiceDate: day(-6167) };
    const written = await fresh({ ...life, usefulLifeMonths: 60 });
    expect((await valuesOf('Asset', written)).currentValue).toBe(2_000);
    const unused = await fresh({ ...life, inServiceDate: day(23053), usefulLifeMonths: 60 });
    expect((await valuesOf('Asset', unused)).currentValue).toBe(12_000);
  });

  test('changes status only for a reason from the matching list', async () => {
    const reason = await named('Taxonomy', 'Fasteners');
    const wrong = act('Asset', await fresh(), 'set-status', { statusCategory: 'down', reason });
    await expect(wrong).rejects.toMatchObject(refusal(/^AN-014: G-FAST is not a reason for a change of status$/));
  });

  test('shows its meters, and when its next maintenance is due', async () => {
    const key = await fresh();
    const asset = { _idValue: key, entity: 'Asset', code: key };
    const meter = await create('Meter', { name: 'Hours at gate 3', asset, unit: await coded('Unit', 'H') });
    expect((await sandbox.record('Asset', key)).references.meters).toEqual([
      { entity: 'Meter', by: '_idValue', value: meter },
    ]);
    const template = await create('MaintenanceTemplate', { name: 'Grease gate 3', assets: [asset] });
    const trigger = { template: { _idValue: template, entity: 'MaintenanceTemplate' }, kind: 'time' };
    const own = await create('MaintenanceTrigger', { ...trigger, startDate: day(17), isRecurring: true });
    expect((await valuesOf('MaintenanceTrigger', own)).nextFireAt).toBe(`${day(17)}T06:00:00.000Z`);
    expect(await sandbox.record('MaintenanceTemplate', template)).toMatchObject({
      values: { nextDueAt: `${day(17)}T06:00:00.000Z` },
      references: { triggers: [{ value: own }] },
    });
    expect((await valuesOf('Asset', key)).nextMaintenanceDate).toBe(day(17));
  });

  test('is handed out and returned once, and cannot be handed out when it is out of service', async () => {
    const key = await fresh();
    const asset = { _idValue: key, entity: 'Asset' };
    const slip = { asset, assigneeType: 'employee', employee: await named('Employee', 'Maria Keller') };
    const out = await create('AssetAssignment', { ...slip, assignedAt: `${day(0)}T06:00:00Z` });
    expect((await valuesOf('AssetAssignment', out)).statusCategory).toBe('active');
    const back = { completedAt: `${day(6)}T13:30:00Z`, condition: 'Display scratched', note: 'Calibrate' };
    expect((await act('AssetAssignment', out, 'complete', back)).values).toMatchObject({
      statusCategory: 'completed',
      completedAt: `${day(6)}T13:30:00.000Z`,
      conditionIn: 'Display scratched',
    });
    await expect(act('AssetAssignment', out, 'complete')).rejects.toMatchObject(refusal(/^AZ-040/));
    await act('Asset', key, 'set-status', { statusCategory: 'decommissioned' });
    const late = create('AssetAssignment', { ...slip, assignedAt: `${day(7)}T06:00:00Z` });
    await expect(late).rejects.toMatchObject(refusal(/^AZ-005: asset AS-\d+ .* is out of service/));
  });
});

describe('a meter reading', () => {
  const read = (meter: string, value: number, hour: number, more = {}) =>
    create('MeterReading', {
      meter: { _idValue: meter, entity: 'Meter' },
      value,
      readAt: `${day(-1)}T0${hour}:00:00Z`,
      ...more,
    });

  test('is of the past, in the unit of its meter, and below the value at which it restarts', async () => {
    const [unit, minutes] = [await coded('Unit', 'H'), await coded('Unit', 'MIN')];
    const meter = await create('Meter', { name: 'Hours', unit, meterType: 'continuous', rolloverValue: 1_000 });
    await expect(read(meter, 5, 1, { readAt: `${day(2)}T00:00:00Z` })).rejects.toMatchObject(
      refusal(/^ZS-012: .* which is in the future$/),
    );
    await expect(read(meter, 1_000, 1)).rejects.toMatchObject(refusal(/^ZS-013: .* cannot show 1000/));
    await expect(read(meter, 5, 1, { unit: minutes })).rejects.toMatchObject(
      refusal(/^ZS-014: .* counts in H, not in MIN/),
    );
    expect((await valuesOf('MeterReading', await read(meter, 999, 1))).value).toBe(999);
  });

  test('is compared with the previous one, also across a rollover, and updates its meter', async () => {
    const unit = await coded('Unit', 'H');
    const meter = await create('Meter', { name: 'Hours', unit, meterType: 'continuous', rolloverValue: 1_000 });
    expect((await valuesOf('MeterReading', await read(meter, 990, 1))).delta).toBeNull();
    await expect(read(meter, 12, 2)).rejects.toMatchObject(refusal(/^ZS-011: reading 12.* is below the previous one/));
    expect((await valuesOf('MeterReading', await read(meter, 12, 2, { isRollover: true }))).delta).toBe(22);
    expect(await valuesOf('Meter', meter)).toMatchObject({
      lastReading: 12,
      lastReadingAt: `${day(-1)}T02:00:00Z`,
    });
  });
});

describe('a maintenance trigger', () => {
  test('by meter needs a meter', async () => {
    const template = {
      _idValue: await create('MaintenanceTemplate', { name: 'Grease' }),
      entity: 'MaintenanceTemplate',
    };
    const blind = create('MaintenanceTrigger', { template, kind: 'meter' });
    await expect(blind).rejects.toMatchObject(refusal(/^WA-007/));
  });
});

describe('a work request', () => {
  const fresh = async (more = {}) =>
    create('WorkRequest', {
      name: 'Conveyor squeaks',
      description: 'Since the night shift',
      requestedBy: await named('Employee', 'Maria Keller'),
      priorityLevel: 2,
      estimatedHours: 1.5,
      ...more,
    });

  test('is approved and becomes an order with the reported data', async () => {
    const key = await fresh({ isAssetDown: true, problemCode: await named('Taxonomy', 'Unusual noise') });
    expect((await valuesOf('WorkRequest', key)).statusCategory).toBe('pending_approval');
    expect((await act('WorkRequest', key, 'approve', { note: 'Before the weekend' })).values).toMatchObject({
      statusCategory: 'approved',
      approvedAt: expect.any(String),
    });
    const converted = await act('WorkRequest', key, 'set-status', { statusCategory: 'converted' });
    expect(converted.values.statusCategory).toBe('converted');
    expect(await sandbox.record('WorkOrder', one(converted, 'workOrder'))).toMatchObject({
      values: {
        name: 'Conveyor squeaks',
        description: 'Since the night shift',
        statusCategory: 'draft',
        priorityLevel: 2,
        isAssetDown: true,
        estimatedDurationMinutes: 90,
      },
      references: { workRequest: { value: key }, requestedBy: { value: '4711' }, problemCode: { value: 'P-NOISE' } },
    });
    await expect(act('WorkRequest', key, 'cancel')).rejects.toMatchObject(refusal(/^ME-043/));
  });

  test('is rejected with a reason from the matching list', async () => {
    const key = await fresh();
    await expect(act('WorkRequest', key, 'reject', { note: 'No' })).rejects.toMatchObject({ kind: 'rejected' });
    const wrong = act('WorkRequest', key, 'reject', { reason: await named('Taxonomy', 'Duplicate') });
    await expect(wrong).rejects.toMatchObject(refusal(/^ME-014: S-DUP is not a reason for rejection$/));
    const rejected = await act('WorkRequest', key, 'reject', { reason: await named('Taxonomy', 'Not a fault') });
    expect(rejected).toMatchObject({
      values: { statusCategory: 'rejected', rejectedAt: expect.any(String) },
      references: { rejectionReason: { value: 'J-NOFAULT' } },
    });
    await expect(act('WorkRequest', key, 'approve')).rejects.toMatchObject(refusal(/^ME-041/));
  });

  test('is withdrawn by its reporter', async () => {
    const reason = await named('Taxonomy', 'No longer needed');
    expect(await act('WorkRequest', await fresh(), 'cancel', { reason })).toMatchObject({
      values: { statusCategory: 'cancelled', cancelledAt: expect.any(String) },
      references: { cancelReason: { value: 'S-NOT' } },
    });
  });
});

describe('a work task', () => {
  /** An open step of the kind, of an order in progress. */
  async function open(taskType: string): Promise<MappedRecord> {
    for (const task of await sandbox.records('WorkTask')) {
      const isOpen = ['open', 'in_progress'].includes(String(task.values.statusCategory));
      if (!isOpen || task.values.taskType !== taskType) continue;
      const order = await valuesOf('WorkOrder', one(task, 'workOrder'));
      if (order.statusCategory === 'in_progress') return task;
    }
    throw new Error(`There is no open step of kind ${taskType}`);
  }

  test('accepts one of its options, and no other value', async () => {
    const { _idValue: key, values } = await open('multiple');
    expect(values.options).toEqual(['Good', 'Worn', 'Replace']);
    await expect(act('WorkTask', key, 'complete', { value: 'Fine' })).rejects.toMatchObject(
      refusal(/^AU-053: Fine is not an option of step WO-\d+\/30; choose one of Good, Worn, Replace$/),
    );
    const completedAt = `${day(0)}T07:30:00Z`;
    expect(
      (await act('WorkTask', key, 'complete', { value: 'Worn', notes: 'Until spring', completedAt })).values,
    ).toMatchObject({
      statusCategory: 'completed',
      value: 'Worn',
      notes: 'Until spring',
      completedAt: `${day(0)}T07:30:00.000Z`,
    });
    await expect(act('WorkTask', key, 'complete')).rejects.toMatchObject(refusal(/^AU-056/));
  });

  test('that reads a meter creates a reading, which the order shows', async () => {
    const task = await open('meter');
    const key = task._idValue;
    await expect(act('WorkTask', key, 'complete', { value: 'much' })).rejects.toMatchObject(refusal(/^AU-055/));
    const done = await act('WorkTask', key, 'complete', { value: '9000000,5' });
    expect(done.values).toMatchObject({ numericValue: 9_000_000.5 });
    const order = await sandbox.record('WorkOrder', one(task, 'workOrder'));
    expect(await sandbox.record('MeterReading', one(order, 'meterReadings'))).toMatchObject({
      values: { value: 9_000_000.5, readingSource: 'work_order' },
      references: { meter: { value: one(task, 'meter') } },
    });
  });

  test('can be changed while its order is in progress, and must be done before the order is completed', async () => {
    const task = await open('signature');
    const key = task._idValue;
    await update('WorkTask', key, { name: 'Sign at gate 3', assignedTo: await named('Employee', 'Maria Keller') });
    expect(await sandbox.record('WorkTask', key)).toMatchObject({
      values: { name: 'Sign at gate 3' },
      references: { assignedTo: { value: '4711' } },
    });
    await expect(act('WorkOrder', one(task, 'workOrder'), 'complete')).rejects.toMatchObject(
      refusal(/^AU-054: .*Sign at gate 3/),
    );
    const finished = (await sandbox.records('WorkTask')).find(({ values }) => values.statusCategory === 'completed');
    const settled = finished?._idValue ?? '';
    await act('WorkOrder', settled.split('/')[0] ?? '', 'set-status', { statusCategory: 'closed' });
    await expect(update('WorkTask', settled, { notes: 'Late' })).rejects.toMatchObject(refusal(/^AU-051/));
  });
});

describe('an alarm', () => {
  test('is closed once, with a reason', async () => {
    const found = (await sandbox.records('Alarm')).find(({ values }) => values.statusCategory === 'active');
    const key = found?._idValue ?? '';
    const reason = await named('Taxonomy', 'Cause removed');
    expect(await act('Alarm', key, 'close', { reason, note: 'Fan filter cleaned' })).toMatchObject({
      values: { statusCategory: 'closed', closedAt: expect.any(String) },
      references: { closeReason: { value: 'Q-DONE' } },
    });
    await expect(act('Alarm', key, 'close', { reason })).rejects.toMatchObject(refusal(/^AL-040/));
  });
});

describe('a work order', () => {
  test('shows its material and resources', async () => {
    const key = await create('WorkOrder', { name: 'Rewind the motor' });
    const order = { _idValue: key, entity: 'WorkOrder' };
    const item = await named('Item', 'Hex bolt M8 × 40');
    const material = await create('OrderMaterial', { order, item, plannedQuantity: 4 });
    const resource = await create('OrderResource', { order, kind: 'labor', plannedHours: 2 });
    expect((await sandbox.record('WorkOrder', key)).references).toMatchObject({
      materials: [{ entity: 'OrderMaterial', value: material }],
      resources: [{ entity: 'OrderResource', value: resource }],
    });
  });
});

describe('a converted work order', () => {
  const ordered = { name: 'Rewind the motor', estimatedCost: 340.5 };

  test('becomes a purchase order, which it shows even after it is settled', async () => {
    const key = await create('WorkOrder', ordered);
    await expect(act('WorkOrder', key, 'convert', { target: 'purchase_order' })).rejects.toMatchObject(
      refusal(/^AU-049: .* only released orders/),
    );
    await act('WorkOrder', key, 'set-status', { statusCategory: 'closed' });
    await expect(act('WorkOrder', key, 'convert', { target: 'purchase_order' })).rejects.toMatchObject(
      refusal(/^AU-061: work order WO-\d+ has no vendor/),
    );
    const vendor = await named('Vendor', 'ACME Supplies');
    const bought = await act('WorkOrder', key, 'convert', { target: 'purchase_order', vendor, note: 'Urgent' });
    expect(await sandbox.record('PurchaseOrder', one(bought, 'purchaseOrders'))).toMatchObject({
      values: { title: 'Rewind the motor', statusCategory: 'draft', subtotal: 340.5, notes: 'Urgent' },
      references: { vendor: { value: '1042' }, workOrder: { value: key } },
    });
  });

  test('becomes a requisition of the person assigned to it', async () => {
    const key = await create('WorkOrder', ordered);
    await act('WorkOrder', key, 'accept');
    await expect(act('WorkOrder', key, 'convert', { target: 'purchase_requisition' })).rejects.toMatchObject(
      refusal(/^AU-062: .* needs one$/),
    );
    await act('WorkOrder', key, 'assign', { assignedTo: await named('Employee', 'Maria Keller') });
    const asked = await act('WorkOrder', key, 'convert', { target: 'purchase_requisition', note: 'Urgent' });
    expect(await sandbox.record('PurchaseRequisition', one(asked, 'purchaseRequisitions'))).toMatchObject({
      values: { title: 'Rewind the motor', statusCategory: 'draft', subtotal: 340.5, notes: 'Urgent' },
      references: { requestedBy: { value: '4711' }, workOrder: { value: key } },
    });
  });

  test('is invoiced to its customer at cost, once it has one', async () => {
    const key = await create('WorkOrder', {
      name: 'Rewind the motor',
      customer: await named('Customer', 'Baker & Sons'),
    });
    await act('WorkOrder', key, 'set-status', { statusCategory: 'in_progress' });
    await expect(act('WorkOrder', key, 'convert', { target: 'invoice' })).rejects.toMatchObject(refusal(/^AU-064/));
    const order = { _idValue: key, entity: 'WorkOrder' };
    await create('OrderResource', { order, kind: 'labor', actualHours: 2, rate: 45 });
    const { references } = await act('WorkOrder', key, 'convert', { target: 'invoice', note: 'As agreed' });
    const line = (await sandbox.records('InvoiceLine')).find((each) => one(each, 'workOrder') === key);
    expect(line?.values).toMatchObject({ description: 'Rewind the motor', unitPrice: 90 });
    const invoice = line ? one(line, 'invoice') : '';
    expect(references.invoices).toEqual([{ entity: 'Invoice', by: '_idValue', value: invoice }]);
    expect(await sandbox.record('Invoice', invoice)).toMatchObject({
      values: { invoiceType: 'accounts_receivable', statusCategory: 'draft', subtotal: 90 },
      references: { customer: { value: '2007' } },
    });
  });
});
