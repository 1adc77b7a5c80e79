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

/**
 * The records for which `isRight` is false, at most five, so that a failure stays readable. Fails if no record has a value, other
 * than zero, in one of the fields that are compared: this would prove nothing.
 */
async function wrong(
  entity: string,
  compared: readonly string[],
  isRight: (record: MappedRecord) => boolean,
): Promise<unknown[]> {
  const records = await recordsOf(entity);
  expect(records.length).toBeGreaterThan(5);
  expect(compared.filter((field) => !records.some((record) => isFilled(record, field)))).toEqual([]);
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

const isFilled = ({ values, references }: MappedRecord, field: string) => Boolean(values[field] ?? references[field]);
const number = ({ values }: MappedRecord, field: string) => Number(values[field] ?? 0);
const reference = ({ references }: MappedRecord, field: string) => references[field] as Reference | null | undefined;

/** Finds the records that a field refers to. Fails if it refers to none of those for which a fact is known. */
async function targetsOf(
  [entity, field]: readonly [entity: string, field: string],
  target: string,
  isKnown: (record: MappedRecord, target: MappedRecord) => boolean,
): Promise<(record: MappedRecord) => MappedRecord | undefined> {
  const byKey = new Map((await recordsOf(target)).map((record) => [record._idValue, record]));
  const targetOf = (record: MappedRecord) => byKey.get(reference(record, field)?.value ?? '');
  const known = (await recordsOf(entity)).filter((record) => {
    const found = targetOf(record);
    return found && isKnown(record, found);
  });
  expect(known).not.toEqual([]);
  return targetOf;
}

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
    expect(await wrong(entity, fields, isRight)).toEqual([]);
  },
);

const documents = ['PurchaseOrder', 'PurchaseRequisition', 'SalesOrder', 'Quote', 'Invoice', 'Receipt', 'CreditNote'];

test.each([...documents, 'ReturnOrder', 'WorkOrder', 'ProductionOrder', 'Contract', 'Project', 'InventoryDocument'])(
  'no %s was changed before it was entered',
  async (entity) => {
    const isRight = ({ values }: MappedRecord) => isInOrder(String(values._createdAt), String(values._updatedAt));
    expect(await wrong(entity, ['_createdAt', '_updatedAt'], isRight)).toEqual([]);
  },
);

const totals = ['subtotal', 'taxTotal', 'total'];

test.each([
  ['PurchaseOrder', [...totals, 'discountAmount', 'shippingCost']],
  ['PurchaseRequisition', totals],
  ['SalesOrder', [...totals, 'discountAmount', 'shippingCost']],
  ['Quote', [...totals, 'discountAmount']],
  ['Invoice', [...totals, 'discountAmount', 'shippingCost', 'paidAmount']],
  ['Receipt', totals],
  ['CreditNote', totals],
  ['ReturnOrder', totals],
  ['Rfq', totals],
  ['PurchaseOrderLine', ['total']],
  ['SalesOrderLine', ['total']],
  ['QuoteLine', ['total']],
  ['InvoiceLine', ['total']],
  ['ReceiptLine', ['total']],
  ['PurchaseRequisitionLine', ['total']],
])('no %s has a negative amount: %s', async (entity, amounts) => {
  const isRight = (record: MappedRecord) => amounts.every((field) => number(record, field) >= 0);
  expect(await wrong(entity, amounts, isRight)).toEqual([]);
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
    expect(await wrong('PurchaseOrder', ['statusCategory', 'receivedPercent'], isRight)).toEqual([]);
  });

  test.each([
    ['PurchaseOrderLine', 'receivedQuantity', 'quantity'],
    ['PurchaseOrderLine', 'rejectedQuantity', 'receivedQuantity'],
    ['PurchaseOrderLine', 'billedQuantity', 'receivedQuantity'],
    ['SalesOrderLine', 'shippedQuantity', 'quantity'],
    ['SalesOrderLine', 'invoicedQuantity', 'quantity'],
    ['SalesOrderLine', 'returnedQuantity', 'shippedQuantity'],
    ['ReturnOrderLine', 'receivedQuantity', 'quantity'],
    ['PurchaseRequisitionLine', 'receivedQuantity', 'orderedQuantity'],
    ['ProductionOrder', 'producedQuantity', 'quantity'],
  ])('of %s: %s is at most %s', async (entity, small, large) => {
    const isRight = (record: MappedRecord) => number(record, small) <= number(record, large);
    expect(await wrong(entity, [small, large], isRight)).toEqual([]);
  });

  test('of an invoice', async () => {
    const isRight = (record: MappedRecord) => {
      const [paid, total] = [number(record, 'paidAmount'), number(record, 'total')];
      const { statusCategory } = record.values;
      if (statusCategory === 'paid') return paid === total;
      return statusCategory === 'partially_paid' ? paid > 0 && paid < total : paid === 0;
    };
    expect(await wrong('Invoice', ['statusCategory', 'paidAmount', 'total'], isRight)).toEqual([]);
  });
});

test.each([
  ['PurchaseOrder', 'vendor', 'Vendor'],
  ['SalesOrder', 'customer', 'Customer'],
  ['Invoice', 'vendor', 'Vendor'],
  ['Invoice', 'customer', 'Customer'],
  ['Quote', 'customer', 'Customer'],
])('a %s is in the currency of its %s', async (entity, field, party) => {
  const currencyOf = (record: MappedRecord) => reference(record, 'currency')?.value;
  const hasCurrencies = (...records: MappedRecord[]) => records.every((each) => currencyOf(each) !== undefined);
  const partyOf = await targetsOf([entity, field], party, hasCurrencies);
  const isRight = (record: MappedRecord) => {
    const found = partyOf(record);
    return !found || currencyOf(found) === currencyOf(record);
  };
  expect(await wrong(entity, ['currency'], isRight)).toEqual([]);
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
  const hasDates = (record: MappedRecord, found: MappedRecord) => isFilled(record, date) && isFilled(found, since);
  const targetOf = await targetsOf([entity, field], target, hasDates);
  const isRight = (record: MappedRecord) => {
    const start = targetOf(record)?.values[since];
    const { [date]: used } = record.values;
    return !start || !used || isInOrder(String(start), String(used));
  };
  expect(await wrong(entity, [date], isRight)).toEqual([]);
});

test.each(['WorkOrder', 'PurchaseOrder'])('the employee who approves a %s did not request it', async (entity) => {
  const fields = ['approvedBy', 'requestedBy'];
  expect((await recordsOf(entity)).some((record) => fields.every((field) => isFilled(record, field)))).toBe(true);
  const isRight = (record: MappedRecord) => {
    const approver = reference(record, 'approvedBy')?.value;
    return approver === undefined || approver !== reference(record, 'requestedBy')?.value;
  };
  expect(await wrong(entity, fields, isRight)).toEqual([]);
});
