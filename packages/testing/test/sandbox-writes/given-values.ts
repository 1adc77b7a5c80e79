import { day, THIS_YEAR } from '../../../sandbox/test/day.ts';
import type { Row } from '../write-recipe.ts';
import type { CompanyRecords } from './company-records.ts';

/**
 * Values of requests by entity, where one that occurs in another record would not be allowed: such as lines, and what belongs to
 * them.
 */
export async function givenValues(records: CompanyRecords): Promise<Readonly<Record<string, Row>>> {
  const known = await knownRecords(records);
  return {
    ...purchasing(known),
    ...sales(known),
    ...production(known),
    Budget: await budget(records, known),
    DispenseTransaction: { workOrder: await records.target('WorkOrder', 'filter[statusCategory]=in_progress') },
    ...(await openItems(records, known)),
  };
}

type Known = Awaited<ReturnType<typeof knownRecords>>;

/** Records of the company to which the requests refer. */
async function knownRecords(records: CompanyRecords) {
  return {
    bolt: await records.named('Item', 'Hex bolt M8 × 40'),
    piece: await records.coded('Unit', 'STK'),
    hour: await records.coded('Unit', 'H'),
    euro: await records.coded('Currency', 'EUR'),
    acme: await records.named('Vendor', 'ACME Supplies'),
    borealis: await records.keyed('Vendor', '1001'),
    baker: await records.named('Customer', 'Baker & Sons'),
    keller: await records.named('Employee', 'Maria Keller'),
    store: await records.named('Location', 'Storeroom HAM-A'),
    hall: await records.named('Location', 'Storeroom HAM-B'),
    welding: await records.named('WorkCenter', 'Welding booth HAM'),
    expenses: await records.coded('Account', '5030'),
    revenues: await records.coded('Account', '4010'),
    tags: [await records.coded('Taxonomy', 'X-OPEX'), await records.coded('Taxonomy', 'X-ENER')],
    defective: await records.named('Taxonomy', 'Defective'),
    northwind: await records.coded('Organization', '010'),
    machines: await records.named('Account', 'Maintenance of machines'),
    north: await records.named('BusinessUnit', 'Maintenance North'),
  };
}

const response = {
  ...{ status: 'received', quantity: 500, unitPrice: 0.11, leadTimeDays: 14, responseDate: day(2) },
  ...{ validUntilDate: day(40), notes: 'n' },
};

function purchasing({
  bolt,
  piece,
  hour,
  euro,
  acme,
  borealis,
  expenses,
  store,
  hall,
  tags,
}: Known): Record<string, Row> {
  const service = { line: 10, description: 'Welding', quantity: 2, unit: hour, account: expenses, taxonomies: tags };
  const bolts = { item: bolt, unit: piece };
  return {
    PurchaseRequisition: {
      vendor: acme,
      lines: [
        { ...service, estimatedUnitPrice: 60, requiredDate: day(20), manufacturerPartNumber: 'HA-1', vendor: acme },
      ],
    },
    PurchaseOrder: {
      vendor: acme,
      currency: euro,
      requisition: null,
      lines: [
        {
          ...{ ...service, lineType: 'service', vendorPartNumber: 'AC-1', unitPrice: 60, discountPercent: 5 },
          ...{ discountAmount: 1, requiredDate: day(11), promisedDate: day(12), deliveryLocation: store, notes: 'n' },
        },
      ],
    },
    Rfq: { vendors: [acme, borealis], responses: [acme, borealis].map((vendor) => ({ vendor, line: 1, ...response })) },
    Receipt: {
      ...{ vendor: acme, currency: euro, purchaseOrder: null, isReturn: false, receivedAt: `${day(0)}T09:20:00Z` },
      lines: [
        {
          ...{ ...bolts, line: 10, description: 'Zinc plated', receivedQuantity: 200, acceptedQuantity: 190 },
          ...{ rejectedQuantity: 5, unitCost: 0.12, lotNumber: 'L-2611', serialNumbers: ['SN 1', 'SN 2'] },
          ...{ expiryDate: day(741), qualityStatus: 'Released', notes: 'n', location: store, rejectedLocation: hall },
        },
      ],
    },
  };
}

function sales({
  bolt,
  piece,
  hour,
  euro,
  baker,
  acme,
  store,
  hall,
  revenues,
  tags,
  defective,
}: Known): Record<string, Row> {
  const service = { line: 10, description: 'Installation', quantity: 2, unit: hour, unitPrice: 60, account: revenues };
  const priced = { ...service, discountPercent: 5, discountAmount: 1, taxonomies: tags };
  const bolts = { item: bolt, unit: piece, lotNumber: 'L-1', serialNumbers: ['A 1', 'B 2'] };
  return {
    Quote: {
      ...{ direction: 'sales', customer: baker, vendor: null, contact: null, rfq: null, currency: euro },
      lines: [{ ...priced, lineType: 'charge', serviceDate: day(12) }],
    },
    SalesOrder: {
      ...{ customer: baker, contact: null, quote: null, currency: euro },
      lines: [{ ...priced, lineType: 'service', variantSku: 'NW-1', promisedDate: day(12), location: store }],
    },
    Invoice: {
      ...{ invoiceType: 'accounts_receivable', documentType: 'invoice', customer: baker, vendor: null, contact: null },
      ...{
        salesOrder: null,
        purchaseOrder: null,
        contract: null,
        currency: euro,
        invoiceDate: day(-3),
        dueDate: day(20),
      },
      lines: [{ ...priced, lineType: 'service', serviceDate: day(-5), isBillable: true, isPrepaid: false, notes: 'n' }],
    },
    Shipment: {
      ...{
        direction: 'transfer',
        customer: baker,
        vendor: acme,
        salesOrder: null,
        fromLocation: store,
        toLocation: hall,
      },
      lines: [{ ...bolts, line: 5, description: 'Bolts', quantity: 3, packageNumber: '1' }],
    },
    ReturnOrder: {
      ...{ returnType: 'customer_return', customer: baker, vendor: acme, salesOrder: null, purchaseOrder: null },
      currency: euro,
      lines: [
        {
          ...{ ...bolts, line: 3, description: 'Bolts', quantity: 2, unitPrice: 4.5, condition: 'Rusty' },
          ...{ disposition: 'scrap', reasonCode: defective },
        },
      ],
    },
  };
}

function production({ bolt, piece, euro, welding, acme, store }: Known): Record<string, Row> {
  return {
    BillOfMaterial: {
      ...{ currency: euro, validFromDate: day(-323), validToDate: day(41) },
      routing: null,
      lines: [
        {
          ...{ line: 10, description: 'Bolt, zinc plated', item: bolt, unit: piece, quantity: 100, scrapPercent: 2 },
          ...{ isPhantom: false, isOptional: true, isAlternativeAllowed: true, unitCost: 0.5, reference: '4711-1' },
          ...{ notes: '24 Nm', location: store },
        },
      ],
    },
    ProductionRouting: {
      operations: [
        {
          ...{ sequence: 20, name: 'Galvanize frame', description: 'Zinc layer 80 µm', setupMinutes: 15 },
          ...{ runMinutesPerUnit: 12.5, batchSize: 4, queueMinutes: 60, moveMinutes: 5, hourlyCost: 88.4 },
          ...{ isSubcontracted: true, requiresQualityCheck: false, workCenter: welding, vendor: acme },
        },
      ],
    },
  };
}

async function budget(records: CompanyRecords, { northwind, euro, machines, north }: Known): Promise<Row> {
  const next = THIS_YEAR + 1;
  return {
    ...{ fiscalYear: await records.named('FiscalYear', `FY-CAL ${next}`), organization: northwind, currency: euro },
    ...{ budgetAgainst: 'business_unit', businessUnit: north, project: null, revision: 2 },
    ...{ startDate: `${next}-01-01`, endDate: `${next}-06-30` },
    lines: [{ line: 10, amount: 30_000.5, percent: 62.5, notes: 'n', account: machines, businessUnit: north }],
  };
}

/** What settles or is settled: the documents of the company refer to others that are paid. */
async function openItems(records: CompanyRecords, { acme, baker, euro }: Known): Promise<Record<string, Row>> {
  const filters = 'filter[statusCategory]=sent&filter[invoiceType]=accounts_receivable&filter[documentType]=invoice';
  const { id, _idValue, _displayValue, customer, currency } = await records.one(
    'Invoice',
    `${filters}&filter[balance:gt]=1`,
  );
  const target = { id, _idValue, _displayValue: String(_displayValue), rel: 'Invoice' };
  const allocations = [{ type: 'invoice', target, amount: 0.01, allocatedDate: day(0) }];
  const item = { documentType: 'invoice', issueDate: day(-10), dueDate: day(20), originalAmount: 255, currency: euro };
  return {
    Payment: {
      ...{ direction: 'incoming', customer, vendor: null, currency, transactionDate: day(0) },
      allocations,
    },
    CreditNote: {
      ...{ creditType: 'accounts_receivable', customer, vendor: null, currency, allocations },
    },
    Payable: { ...item, vendor: acme },
    Receivable: { ...item, customer: baker },
  };
}
