import type { MappedRecord, Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullCompany } from './company-database.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

// What an expert of such systems would find wrong in any row, in the fields of the document.

let sandbox: Sandbox;
const read = new Map<string, Promise<readonly MappedRecord[]>>();

beforeAll(async () => {
  sandbox = await startSandbox(fullCompany);
});
afterAll(() => sandbox.stop());

function recordsOf(entity: string): Promise<readonly MappedRecord[]> {
  const found = read.get(entity) ?? sandbox.records(entity);
  read.set(entity, found);
  return found;
}

/** The records for which `isRight` is false, at most five, so that a failure stays readable. */
async function wrong(entity: string, isRight: (record: MappedRecord) => boolean): Promise<unknown[]> {
  const records = await recordsOf(entity);
  expect(records.length).toBeGreaterThan(5);
  return records.filter((record) => !isRight(record)).slice(0, 5);
}

/** Whether a date or time is not after another one. A date is compared with the day of a time. */
function isInOrder(earlier: string, later: string): boolean {
  return isDay(earlier) || isDay(later)
    ? earlier.slice(0, 10) <= later.slice(0, 10)
    : Date.parse(earlier) <= Date.parse(later);
}

/** The system stores some times only as a day, which becomes midnight. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(T00:00:00Z)?$/.test(text);
}

const number = ({ values }: MappedRecord, field: string) => Number(values[field] ?? 0);
const reference = ({ references }: MappedRecord, field: string) => references[field] as Reference | null | undefined;

/** Dates and times of the life of a record, in their order; those without a value are left out. */
const lives: readonly (readonly [entity: string, ...fields: string[]])[] = [
  ['WorkOrder', 'reportedAt', 'approvedAt', 'scheduledStartAt', 'scheduledEndAt', 'dueAt'],
  ['WorkOrder', 'reportedAt', 'approvedAt', 'startedAt', 'completedAt', 'closedAt'],
  ['WorkOrder', 'reportedAt', 'cancelledAt'],
  ['WorkTask', 'startedAt', 'completedAt'],
  ['WorkRequest', 'requestedAt', 'approvedAt', 'dueAt'],
  ['WorkRequest', 'requestedAt', 'rejectedAt'],
  ['PurchaseRequisition', 'requestedAt', 'approvedAt'],
  ['PurchaseRequisition', 'requestedAt', 'rejectedAt'],
  ['PurchaseRequisition', 'requestedAt', 'requiredDate'],
  ['PurchaseOrder', 'orderDate', 'approvedAt', 'completedAt', 'closedAt'],
  ['PurchaseOrder', 'orderDate', 'requiredDate'],
  ['PurchaseOrder', 'orderDate', 'expectedDeliveryDate'],
  ['Rfq', 'issueDate', 'responseDueDate'],
  ['Quote', 'quoteDate', 'submittedAt', 'expiryDate'],
  ['SalesOrder', 'orderDate', 'shippedAt', 'closedAt'],
  ['SalesOrder', 'orderDate', 'requestedDate'],
  ['SalesOrder', 'orderDate', 'promisedDate'],
  ['Shipment', 'shippedAt', 'deliveredAt'],
  ['ReturnOrder', 'orderDate', 'approvedAt', 'completedAt'],
  ['Invoice', 'invoiceDate', 'approvedAt', 'postedAt', 'paidAt'],
  ['Invoice', 'invoiceDate', 'dueDate'],
  ['Invoice', 'postedAt', 'lastPaymentAt', 'paidAt'],
  ['Invoice', 'invoiceDate', 'cancelledAt'],
  ['CreditNote', 'issueDate', 'appliedAt'],
  ['Payable', 'issueDate', 'discountDate', 'dueDate'],
  ['Receivable', 'issueDate', 'discountDate', 'dueDate'],
  ['ProductionOrder', 'plannedStartAt', 'plannedEndAt'],
  ['ProductionOrder', 'startedAt', 'completedAt', 'closedAt'],
  ['ProductionOrderOperation', 'actualStartAt', 'actualEndAt'],
  ['Contract', 'startDate', 'endDate'],
  ['Project', 'startDate', 'endDate'],
  ['Project', 'startDate', 'completedAt'],
  ['Asset', 'purchaseDate', 'inServiceDate', 'decommissionedDate'],
  ['Asset', 'warrantyStartDate', 'warrantyEndDate'],
  ['Alarm', 'raisedAt', 'acknowledgedAt', 'closedAt'],
  ['Employee', 'dateOfBirth', 'hireDate', 'terminationDate'],
  ['Vendor', 'partnerSinceDate', 'partnerEndDate'],
  ['Customer', 'partnerSinceDate', 'partnerEndDate'],
  ['Lease', 'startDate', 'moveInDate', 'moveOutDate'],
  ['LeaseApplication', 'submittedAt', 'decidedAt'],
  ['Event', 'startsAt', 'endsAt'],
];

test.each(lives.map(([entity, ...fields]) => [entity, fields.join(', '), fields] as const))(
  'the dates of %s are in the order of its life: %s',
  async (entity, _, fields) => {
    const known = ({ values }: MappedRecord) => fields.flatMap((field) => values[field] ?? []).map(String);
    const isRight = (record: MappedRecord) =>
      known(record).every((later, index, all) => index === 0 || isInOrder(all[index - 1] ?? '', later));
    const filled = new Set((await recordsOf(entity)).flatMap(({ values }) => fields.filter((each) => values[each])));
    expect(fields.filter((each) => !filled.has(each))).toEqual([]);
    expect(await wrong(entity, isRight)).toEqual([]);
  },
);

const documents = ['PurchaseOrder', 'PurchaseRequisition', 'SalesOrder', 'Quote', 'Invoice', 'Receipt', 'CreditNote'];

test.each([...documents, 'ReturnOrder', 'WorkOrder', 'ProductionOrder', 'Contract', 'Project', 'InventoryDocument'])(
  'no %s was changed before it was entered',
  async (entity) => {
    const isRight = ({ values }: MappedRecord) => isInOrder(String(values._createdAt), String(values._updatedAt));
    expect(await wrong(entity, isRight)).toEqual([]);
  },
);

test.each([...documents, 'ReturnOrder', 'Rfq'])('no %s has a negative amount', async (entity) => {
  const amounts = ['subtotal', 'taxTotal', 'total', 'discountAmount', 'shippingCost', 'paidAmount'];
  expect(await wrong(entity, (record) => amounts.every((field) => number(record, field) >= 0))).toEqual([]);
});

test.each([
  'PurchaseOrderLine',
  'SalesOrderLine',
  'QuoteLine',
  'InvoiceLine',
  'ReceiptLine',
  'PurchaseRequisitionLine',
])('no %s has a negative amount', async (entity) => {
  expect(await wrong(entity, (record) => number(record, 'total') >= 0)).toEqual([]);
});

describe('the status fits the quantities', () => {
  /** Minimum and maximum of the percentage received by status, both exclusive. */
  const received: Readonly<Record<string, readonly [number, number]>> = {
    ...{ draft: [-1, 1], pending_approval: [-1, 1], approved: [-1, 1], cancelled: [-1, 1] },
    ...{ partially_received: [0, 100], received: [99, 101], closed: [99, 101] },
  };

  test('of a purchase order', async () => {
    const isRight = (record: MappedRecord) => {
      const [above, below] = received[String(record.values.statusCategory)] ?? [0, 0];
      const percent = number(record, 'receivedPercent');
      return percent > above && percent < below;
    };
    expect(await wrong('PurchaseOrder', isRight)).toEqual([]);
  });

  test.each<[string, (line: MappedRecord) => boolean]>([
    ['PurchaseOrderLine', (line) => number(line, 'receivedQuantity') <= number(line, 'quantity')],
    ['PurchaseOrderLine', (line) => number(line, 'rejectedQuantity') <= number(line, 'receivedQuantity')],
    ['PurchaseOrderLine', (line) => number(line, 'billedQuantity') <= number(line, 'receivedQuantity')],
    ['SalesOrderLine', (line) => number(line, 'shippedQuantity') <= number(line, 'quantity')],
    ['SalesOrderLine', (line) => number(line, 'invoicedQuantity') <= number(line, 'quantity')],
    ['SalesOrderLine', (line) => number(line, 'returnedQuantity') <= number(line, 'shippedQuantity')],
    ['ReturnOrderLine', (line) => number(line, 'receivedQuantity') <= number(line, 'quantity')],
    ['PurchaseRequisitionLine', (line) => number(line, 'receivedQuantity') <= number(line, 'orderedQuantity')],
    ['ProductionOrder', (order) => number(order, 'producedQuantity') <= number(order, 'quantity')],
  ])('of %s: %s', async (entity, isRight) => {
    expect(await wrong(entity, isRight)).toEqual([]);
  });

  test('of an invoice', async () => {
    const isRight = (record: MappedRecord) => {
      const [paid, total] = [number(record, 'paidAmount'), number(record, 'total')];
      const { statusCategory } = record.values;
      if (statusCategory === 'paid') return paid === total;
      return statusCategory === 'partially_paid' ? paid > 0 && paid < total : paid === 0;
    };
    expect(await wrong('Invoice', isRight)).toEqual([]);
  });
});

test.each([
  ['PurchaseOrder', 'vendor', 'Vendor'],
  ['SalesOrder', 'customer', 'Customer'],
  ['Invoice', 'vendor', 'Vendor'],
  ['Invoice', 'customer', 'Customer'],
  ['Quote', 'customer', 'Customer'],
])('a %s is in the currency of its %s', async (entity, field, party) => {
  const parties = new Map((await recordsOf(party)).map((record) => [record._idValue, record]));
  const isRight = (record: MappedRecord) => {
    const found = parties.get(reference(record, field)?.value ?? '');
    return !found || reference(found, 'currency')?.value === reference(record, 'currency')?.value;
  };
  expect(await wrong(entity, isRight)).toEqual([]);
});

/** A document, its date, the record that it refers to, and the date from which that can be used. */
test.each([
  ['PurchaseOrder', 'orderDate', 'vendor', 'Vendor', 'partnerSinceDate'],
  ['SalesOrder', 'orderDate', 'customer', 'Customer', 'partnerSinceDate'],
  ['PurchaseOrder', 'orderDate', 'buyer', 'Employee', 'hireDate'],
  ['PurchaseOrder', 'approvedAt', 'approvedBy', 'Employee', 'hireDate'],
  ['WorkOrder', 'approvedAt', 'approvedBy', 'Employee', 'hireDate'],
  ['WorkOrder', 'reportedAt', 'assignedTo', 'Employee', 'hireDate'],
  ['WorkOrder', 'reportedAt', 'asset', 'Asset', 'inServiceDate'],
  ['WorkOrder', 'reportedAt', 'parent', 'WorkOrder', 'reportedAt'],
  ['Invoice', 'invoiceDate', 'purchaseOrder', 'PurchaseOrder', 'orderDate'],
  ['Invoice', 'invoiceDate', 'salesOrder', 'SalesOrder', 'orderDate'],
  ['Receipt', 'receivedAt', 'purchaseOrder', 'PurchaseOrder', 'orderDate'],
  ['Shipment', 'shippedAt', 'salesOrder', 'SalesOrder', 'orderDate'],
])('%s.%s is not before its %s: %s.%s', async (entity, date, field, target, since) => {
  const targets = new Map((await recordsOf(target)).map((record) => [record._idValue, record]));
  const isRight = (record: MappedRecord) => {
    const start = targets.get(reference(record, field)?.value ?? '')?.values[since];
    const { [date]: used } = record.values;
    return !start || !used || isInOrder(String(start), String(used));
  };
  expect((await recordsOf(entity)).some((record) => targets.has(reference(record, field)?.value ?? ''))).toBe(true);
  expect(await wrong(entity, isRight)).toEqual([]);
});

test.each(['WorkOrder', 'PurchaseOrder'])('the employee who approves a %s did not request it', async (entity) => {
  const isRight = (record: MappedRecord) => {
    const approver = reference(record, 'approvedBy')?.value;
    return approver === undefined || approver !== reference(record, 'requestedBy')?.value;
  };
  expect(await wrong(entity, isRight)).toEqual([]);
});
