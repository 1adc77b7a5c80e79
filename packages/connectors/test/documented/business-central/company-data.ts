import { randomUUID } from 'node:crypto';
import { propertyType, RESOURCES } from './description.ts';

/** An entity, and the version that its ETag contains. */
export interface Entity {
  readonly values: Record<string, unknown>;
  version: number;
}

/** The entities of a company, by entity set and id. */
export type Company = ReadonlyMap<string, Map<string, Entity>>;

/** The value of a reference to nothing. */
export const NONE = '00000000-0000-0000-0000-000000000000';

const EMPTY: Readonly<Record<string, unknown>> = {
  GUID: NONE,
  string: '',
  decimal: 0,
  boolean: false,
  integer: 0,
  int64: 0,
  date: '0001-01-01',
};

/** Adds an entity; properties without a value get the empty value of their type. */
export function add(company: Company, set: string, given: Record<string, unknown>): Entity {
  const { properties = {} } = RESOURCES[set] ?? {};
  const values: Record<string, unknown> = { '@odata.etag': '' };
  for (const [name, text] of Object.entries(properties)) values[name] = EMPTY[propertyType(text).type] ?? '_x0020_';
  const entity: Entity = { values: { ...values, id: randomUUID(), ...given }, version: 0 };
  company.get(set)?.set(String(entity.values.id), entity);
  touch(entity);
  return entity;
}

/** Records a change. */
export function touch(entity: Entity): void {
  entity.version += 1;
  entity.values['@odata.etag'] = `W/"JzQ0O0${entity.version}"`;
  if ('lastModifiedDateTime' in entity.values) entity.values.lastModifiedDateTime = new Date().toISOString();
}

/** A small company with one of everything. */
export function smallCompany(): Company {
  const company: Company = new Map(Object.keys(RESOURCES).map((set) => [set, new Map()]));
  const idOf = (set: string, given: Record<string, unknown>) => add(company, set, given).values.id;
  const eur = idOf('currencies', { code: 'EUR', displayName: 'Euro', symbol: '€' });
  const pcs = idOf('unitsOfMeasure', { code: 'PCS', displayName: 'Piece', internationalStandardCode: 'EA' });
  const term = idOf('paymentTerms', { code: '1M(8D)', displayName: '1 Month/2% 8 days', discountPercent: 2 });
  const method = idOf('paymentMethods', { code: 'BANK', displayName: 'Bank transfer' });
  idOf('countriesRegions', { code: 'US', displayName: 'USA' });
  const east = idOf('locations', { code: 'EAST', displayName: 'East Warehouse', city: 'Atlanta', country: 'US' });
  const category = idOf('itemCategories', { code: 'CHAIR', displayName: 'Office Chair' });
  const bank = idOf('accounts', {
    number: '10100',
    displayName: 'Checking account',
    category: 'Assets',
    accountType: 'Posting',
  });
  idOf('accounts', {
    number: '50000',
    displayName: 'Cost',
    category: 'Cost_x0020_of_x0020_Goods_x0020_Sold',
    accountType: 'Begin_x0020_Total',
  });
  idOf('employees', {
    number: 'AH',
    displayName: 'Annette Hill',
    givenName: 'Annette',
    surname: 'Hill',
    status: 'Active',
    employmentDate: '2014-06-01',
  });
  const terms = { currencyId: eur, paymentTermsId: term };
  const vendor = idOf('vendors', {
    ...terms,
    paymentMethodId: method,
    number: '10000',
    displayName: 'Fabrikam, Inc.',
    email: 'krystal.york@contoso.com',
    taxRegistrationNumber: '503912693',
  });
  idOf('vendors', { number: '20000', displayName: "O'Neill Supplies", blocked: 'All' });
  const customer = idOf('customers', {
    ...terms,
    number: '10000',
    displayName: 'Adatum Corporation',
    type: 'Company',
    addressLine1: 'Station Road, 21',
    city: 'Cambridge',
    country: 'GB',
    creditLimit: 1000.5,
  });
  idOf('customers', { number: '20000', displayName: 'Helen Ray', type: 'Person' });
  const item = idOf('items', {
    number: '1896-S',
    displayName: 'ATHENS Desk',
    type: 'Inventory',
    itemCategoryId: category,
    baseUnitOfMeasureId: pcs,
    unitPrice: 1000.8,
    unitCost: 780.7,
    inventory: 4,
  });
  idOf('items', {
    number: 'S-100',
    displayName: 'Installation',
    type: 'Service',
    baseUnitOfMeasureId: pcs,
    blocked: true,
  });
  const line = {
    itemId: item,
    unitOfMeasureId: pcs,
    lineType: 'Item',
    lineObjectNumber: '1896-S',
    description: 'ATHENS Desk',
    quantity: 2,
    sequence: 10000,
  };
  const priced = { amountExcludingTax: 2001.6, totalTaxAmount: 200.16 };
  const totals = { totalAmountExcludingTax: 2001.6, totalTaxAmount: 200.16, totalAmountIncludingTax: 2201.76 };
  const bought = idOf('purchaseOrders', {
    ...terms,
    ...totals,
    number: '106001',
    vendorId: vendor,
    orderDate: '2026-01-15',
    requestedReceiptDate: '2026-02-01',
    status: 'Draft',
    shipToName: 'CRONUS',
    shipToCity: 'Atlanta',
  });
  idOf('purchaseOrderLines', {
    ...line,
    ...priced,
    documentId: bought,
    directUnitCost: 1000.8,
    receivedQuantity: 1,
    expectedReceiptDate: '2026-02-01',
  });
  const sold = idOf('salesOrders', {
    ...terms,
    ...totals,
    number: '101005',
    customerId: customer,
    externalDocumentNumber: 'PO-7',
    orderDate: '2026-01-20',
    status: 'Open',
  });
  idOf('salesOrderLines', {
    ...line,
    ...priced,
    documentId: sold,
    unitPrice: 1000.8,
    locationId: east,
    shipmentDate: '2026-02-03',
  });
  idOf('salesOrderLines', {
    documentId: sold,
    lineType: 'Comment',
    description: 'Call before delivery',
    sequence: 20000,
  });
  const billed = idOf('salesInvoices', {
    ...terms,
    ...totals,
    number: 'PS-INV103001',
    customerId: customer,
    invoiceDate: '2026-01-21',
    dueDate: '2026-02-21',
    status: 'Open',
    remainingAmount: 1000,
  });
  idOf('salesInvoiceLines', { ...line, ...priced, documentId: billed, unitPrice: 1000.8 });
  const credited = idOf('salesCreditMemos', {
    ...totals,
    number: 'PS-CR104001',
    customerId: customer,
    invoiceId: billed,
    creditMemoDate: '2026-01-25',
    status: 'Open',
  });
  idOf('salesCreditMemoLines', { ...line, ...priced, documentId: credited, unitPrice: 1000.8 });
  idOf('customerPayments', {
    documentNumber: 'G00001',
    customerId: customer,
    postingDate: '2026-02-01',
    amount: 500,
    description: 'Payment',
  });
  const entry = { postingDate: '2026-01-21', documentNumber: 'PS-INV103001', description: 'Invoice', accountId: bank };
  idOf('generalLedgerEntries', { ...entry, entryNumber: 1, debitAmount: 2201.76 });
  idOf('generalLedgerEntries', { ...entry, entryNumber: 2, creditAmount: 2201.76 });
  return company;
}
