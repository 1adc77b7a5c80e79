import type { ResolvedReference, Row } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk, readBy } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, approve, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** Keys of the single references of a request. */
function idsSent(request: Row): Row {
  const single = Object.entries(request).filter(([, target]) => !Array.isArray(target));
  return Object.fromEntries(single.map(([name, target]) => [name, (target as ResolvedReference)._idValue]));
}

/** Keys of the single references of a record. */
async function idsOf(references: MappedRecord['references']): Promise<Row> {
  const single = Object.entries(references).flatMap(([name, target]) =>
    target && 'value' in target && target.entity !== 'PurchaseRequisition' ? [{ name, target }] : [],
  );
  const found = single.map(async ({ name, target }) => [name, (await sandbox.resolve(target))._idValue]);
  return Object.fromEntries(await Promise.all(found));
}

describe('a purchase requisition', () => {
  async function fresh(more: Row = {}): Promise<string> {
    return create('PurchaseRequisition', {
      title: 'Spare parts for January',
      requestedBy: await named('Employee', 'Maria Keller'),
      lines: [
        { item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500 },
        { description: 'Crane for one day', quantity: 1, estimatedUnitPrice: 680 },
      ],
      ...more,
    });
  }
  async function approved(more: Row = {}): Promise<string> {
    const key = await fresh(more);
    await act('PurchaseRequisition', key, 'submit');
    await act('PurchaseRequisition', key, 'approve', { note: 'Within budget' });
    return key;
  }
  const lineOf = (key: string, line: number) => ({ entity: 'PurchaseRequisitionLine', _idValue: `${key}/${line}` });
  const orderOf = ({ purchaseOrders }: MappedRecord['references']) =>
    [purchaseOrders ?? []].flat().at(0)?.value ?? expect.fail('no order was made');
  const record = (key: string) => sandbox.record('PurchaseRequisition', key);

  test('gets number, prices and totals from the system, and its lines are records', async () => {
    const key = await fresh();
    const { values, references } = await record(key);
    expect(values).toMatchObject({
      code: expect.stringMatching(/^PR-\d+$/),
      statusCategory: 'draft',
      subtotal: 735,
      taxTotal: 139.65,
      total: 874.65,
    });
    expect(references).toMatchObject({
      currency: { value: 'EUR' },
      lines: [1, 2].map((line) => ({ value: `${key}/${line}` })),
      purchaseOrders: [],
    });
    expect(await sandbox.record('PurchaseRequisitionLine', `${key}/1`)).toMatchObject({
      values: { description: 'Hex bolt M8 × 40', estimatedUnitPrice: 0.11, total: 55, orderedQuantity: 0 },
      references: { requisition: { value: key }, unit: { value: 'STK' }, currency: { value: 'EUR' } },
    });
  });

  test('accepts every field of its header and lines', async () => {
    const [place, project] = [await named('Location', 'Storeroom HAM-A'), await coded('Project', 'PJ-101')];
    const shared = {
      project,
      account: await coded('Account', '5030'),
      vendor: await named('Vendor', 'ACME Supplies'),
      deliveryLocation: place,
      businessUnit: await coded('BusinessUnit', '4100'),
      workOrder: await coded('WorkOrder', 'WO-10001'),
      taxonomies: [await coded('Taxonomy', 'X-OPEX'), await coded('Taxonomy', 'X-ENER')],
    };
    const header = {
      code: 'PR-T1',
      title: 'All of it',
      description: 'd',
      requiredDate: day(28),
      priorityLevel: 2,
      shippingMethod: 'Road',
      shippingAddress: {
        addressee: 'Gate 3',
        line1: 'Hafenstr. 4',
        city: 'Hamburg',
        postalCode: '20457',
        countryCode: 'DE',
      },
      justification: 'Machine is down',
      notes: 'n',
    };
    const own = {
      organization: await coded('Organization', '010'),
      site: await coded('Site', 'HAM'),
      currency: await coded('Currency', 'EUR'),
    };
    const line = {
      line: 10,
      description: 'Welding',
      quantity: 2,
      estimatedUnitPrice: 60,
      requiredDate: day(20),
      manufacturerPartNumber: 'HA-1',
    };
    const unit = await coded('Unit', 'H');
    const key = await fresh({ ...header, ...own, ...shared, lines: [{ ...line, ...shared, unit }] });
    const [kept, keptLine] = [await record(key), await sandbox.record('PurchaseRequisitionLine', `${key}/10`)];
    expect(kept.values).toMatchObject(header);
    expect(await idsOf(kept.references)).toMatchObject(idsSent({ ...own, ...shared }));
    expect(keptLine.values).toMatchObject({ ...line, total: 120 });
    expect(await idsOf(keptLine.references)).toMatchObject(idsSent({ ...shared, unit }));
    for (const { references } of [kept, keptLine])
      expect(references.taxonomies).toMatchObject([{ value: 'X-OPEX' }, { value: 'X-ENER' }]);
  });

  test('is rejected for a reason, reworked, submitted again and approved', async () => {
    const key = await fresh();
    expect((await act('PurchaseRequisition', key, 'submit')).values).toMatchObject({
      statusCategory: 'pending_approval',
      requestedAt: expect.any(String),
    });
    await expect(act('PurchaseRequisition', key, 'reject')).rejects.toMatchObject({ kind: 'rejected' });
    const reason = await named('Taxonomy', 'Available in stock');
    expect(await act('PurchaseRequisition', key, 'reject', { reason })).toMatchObject({
      values: { statusCategory: 'rejected', rejectedAt: expect.any(String) },
      references: { rejectionReason: { value: 'RJ-STOCK' } },
    });
    const reworked = {
      requestedBy: await named('Employee', 'Maria Keller'),
      lines: [{ description: 'Crane for two days', quantity: 2, estimatedUnitPrice: 600 }],
    };
    expect((await replace('PurchaseRequisition', key, reworked)).values).toMatchObject({
      title: null,
      subtotal: 1_200,
    });
    expect(await act('PurchaseRequisition', key, 'submit')).toMatchObject({
      values: { rejectedAt: null },
      references: { rejectionReason: null },
    });
    expect((await act('PurchaseRequisition', key, 'approve')).values).toMatchObject({
      statusCategory: 'approved',
      approvedAt: expect.any(String),
    });
    await expect(replace('PurchaseRequisition', key, reworked)).rejects.toMatchObject({
      words: expect.stringMatching(/^BA-031: requisition PR-\d+ is already approved/),
    });
  });

  test('becomes a purchase order in two steps, and its lines show the quantities received', async () => {
    const key = await approved({ project: await coded('Project', 'PJ-101') });
    const vendor = await named('Vendor', 'ACME Supplies');
    const part = {
      target: 'purchase_order',
      vendor,
      lines: [{ line: lineOf(key, 1), quantity: 200 }],
      note: 'By telephone',
    };
    const some = await act('PurchaseRequisition', key, 'convert', part);
    expect(some).toMatchObject({
      values: { statusCategory: 'partially_ordered' },
      references: { purchaseOrders: [{ entity: 'PurchaseOrder' }] },
    });
    const order = orderOf(some.references);
    expect(await sandbox.record('PurchaseOrder', order)).toMatchObject({
      values: { statusCategory: 'draft', title: 'Spare parts for January', memo: 'By telephone', subtotal: 22 },
      references: {
        vendor: { value: '1042' },
        requisition: { value: key },
        requestedBy: { value: '4711' },
        project: { value: '600101' },
      },
    });
    expect((await sandbox.record('PurchaseOrderLine', `${order}/1`)).references.requisitionLine).toMatchObject({
      value: `${key}/1`,
    });
    const rest = await act('PurchaseRequisition', key, 'convert', { target: 'purchase_order', vendor });
    expect(rest).toMatchObject({ values: { statusCategory: 'ordered' }, references: { purchaseOrders: [{}, {}] } });
    await approve('PurchaseOrder', order);
    await act('PurchaseOrder', order, 'receive');
    expect((await sandbox.record('PurchaseRequisitionLine', `${key}/1`)).values).toMatchObject({
      orderedQuantity: 500,
      receivedQuantity: 200,
    });
    await expect(
      act('PurchaseRequisition', key, 'convert', { target: 'purchase_order', vendor }),
    ).rejects.toMatchObject({
      words: expect.stringMatching(/^BA-054: .* cannot be ordered$/),
    });
  });

  test('is ordered in its own currency from a vendor with another one', async () => {
    const dollars = (await sandbox.records('Vendor')).find(
      ({ values, references }) => values.isActive && (references.currency as Row | null)?.value === 'USD',
    );
    const vendor = { entity: 'Vendor', _idValue: dollars?._idValue ?? expect.fail('no vendor is paid in dollars') };
    const { references } = await act('PurchaseRequisition', await approved(), 'convert', {
      target: 'purchase_order',
      vendor,
    });
    const order = orderOf(references);
    expect(await sandbox.record('PurchaseOrder', order)).toMatchObject({
      values: { subtotal: 735, exchangeRate: 1 },
      references: { currency: { value: 'EUR' } },
    });
    expect(await sandbox.record('PurchaseOrderLine', `${order}/1`)).toMatchObject({
      values: { unitPrice: 0.11 },
      references: { currency: { value: 'EUR' } },
    });
  });

  test('can be ordered again when the order is cancelled', async () => {
    const key = await approved({ vendor: await named('Vendor', 'ACME Supplies') });
    const { references } = await act('PurchaseRequisition', key, 'convert', { target: 'purchase_order' });
    const order = orderOf(references);
    await act('PurchaseOrder', order, 'cancel', { reason: await named('Taxonomy', 'Duplicate') });
    expect((await record(key)).values.statusCategory).toBe('approved');
  });

  test('becomes a request for quotation and stays approved', async () => {
    const key = await approved();
    const vendor = await named('Vendor', 'ACME Supplies');
    const { values, references } = await act('PurchaseRequisition', key, 'convert', { target: 'rfq', vendor });
    expect(values.statusCategory).toBe('approved');
    const asked = (await sandbox.records('Rfq')).find(
      ({ references }) => (references.requisition as Row | null)?.value === key,
    );
    expect(asked).toMatchObject({
      values: {
        statusCategory: 'draft',
        subtotal: 735,
        lines: [
          { item: readBy('Item', 'IT-30118'), quantity: 500, unit: readBy('Unit', 'STK'), targetUnitPrice: 0.11 },
          { line: 2, item: null, description: 'Crane for one day', quantity: 1 },
        ],
      },
      references: { vendors: [{ value: '1042' }] },
    });
    expect(references.rfqs).toEqual([{ entity: 'Rfq', by: '_idValue', value: asked?._idValue }]);
  });

  test('is converted only with a vendor, and only with its own lines', async () => {
    const [key, other] = [await approved(), await approved()];
    await expect(act('PurchaseRequisition', key, 'convert', { target: 'purchase_order' })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BA-044: requisition PR-\d+ has no suggested vendor; specify a vendor$/),
    });
    const foreign = {
      target: 'purchase_order',
      vendor: await named('Vendor', 'ACME Supplies'),
      lines: [{ line: lineOf(other, 1) }],
    };
    await expect(act('PurchaseRequisition', key, 'convert', foreign)).rejects.toMatchObject({
      words: expect.stringMatching(/^BA-041/),
    });
    expect((await record(key)).references.purchaseOrders).toEqual([]);
  });

  test('is withdrawn, and cannot be changed afterwards', async () => {
    const key = await fresh();
    const withdrawn = await act('PurchaseRequisition', key, 'cancel', { reason: await named('Taxonomy', 'Duplicate') });
    expect(withdrawn).toMatchObject({
      values: { statusCategory: 'cancelled' },
      references: { cancelReason: { value: 'S-DUP' } },
    });
    await expect(act('PurchaseRequisition', key, 'submit')).rejects.toMatchObject({
      words: expect.stringMatching(/^BA-050/),
    });
  });

  test.each([
    [
      'a large one without a justification',
      { lines: [{ description: 'Lathe', quantity: 1, estimatedUnitPrice: 80_000 }] },
      /^BA-016/,
    ],
    ['an empty line', { lines: [{ quantity: 1 }] }, /^BA-011/],
    [
      'a quantity of zero',
      { lines: [{ description: 'Air', quantity: 0 }] },
      /^BA-012: the quantity of a line must be above zero$/,
    ],
  ])('%s is refused with the message from the system', async (_, more, words) => {
    const refused = fresh(more).then((key) => act('PurchaseRequisition', key, 'submit'));
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(words) });
  });

  test('is rejected only with a reason from the list of rejections', async () => {
    const key = await fresh();
    await act('PurchaseRequisition', key, 'submit');
    const wrong = act('PurchaseRequisition', key, 'reject', { reason: await named('Taxonomy', 'Duplicate') });
    await expect(wrong).rejects.toMatchObject({ words: 'BA-014: S-DUP is not a reason for a rejection' });
  });
});
