/** An object of the API, with the properties that every object has. */
export type Entry = Record<string, unknown> & {
  Id: string;
  SyncToken: string;
  MetaData: { CreateTime: string; LastUpdatedTime: string };
};

/** The objects of a company, by type and id. */
export type Books = ReadonlyMap<string, Map<string, Entry>>;

/** Types whose objects are never deleted, only made inactive. */
export const LISTS = [
  ...['CompanyCurrency', 'Department', 'Class', 'Account', 'Term', 'PaymentMethod', 'TaxRate', 'Employee'],
  ...['Vendor', 'Customer', 'Item'],
];
const OTHERS = [
  ...['CompanyInfo', 'Invoice', 'Bill', 'CreditMemo', 'VendorCredit', 'Payment', 'BillPayment', 'PurchaseOrder'],
  'JournalEntry',
];

let clock = Date.parse('2026-11-20T09:00:00Z');

/** The time in the zone of the company: `2026-11-20T01:00:00-08:00`. */
export function now(): string {
  clock += 1000;
  return `${new Date(clock - 8 * 3_600_000).toISOString().slice(0, 19)}-08:00`;
}

/** Adds an object with the next id of its type. Ids of lists and transactions are counted separately. */
export function add(books: Books, type: string, values: Readonly<Record<string, unknown>>): Entry {
  const entries = books.get(type) ?? new Map<string, Entry>();
  const counted = [...books].filter(([other]) => LISTS.includes(other) === LISTS.includes(type));
  const Id = String(counted.reduce((sum, [, others]) => sum + others.size, 0) + 1 + deletedFrom(books).length);
  const time = now();
  const active = LISTS.includes(type) ? { Active: true } : {};
  const MetaData = { CreateTime: time, LastUpdatedTime: time };
  const entry: Entry = { domain: 'QBO', sparse: false, ...active, ...values, Id, SyncToken: '0', MetaData };
  entries.set(Id, entry);
  return entry;
}

/** An object that was deleted, whose id is not used again. */
interface Deletion {
  readonly type: string;
  readonly entry: Pick<Entry, 'Id' | 'MetaData'> & { readonly status: 'Deleted' };
}

const deletions = new WeakMap<Books, Deletion[]>();

/** The objects of a company that were deleted. */
export function deletedFrom(books: Books): readonly Deletion[] {
  return deletions.get(books) ?? [];
}

/** Deletes an object. */
export function remove(books: Books, type: string, Id: string): void {
  const before = books.get(type)?.get(Id);
  if (!before) return;
  books.get(type)?.delete(Id);
  // Objects are older than what the API reports, so a delete happens now.
  const MetaData = { ...before.MetaData, LastUpdatedTime: new Date().toISOString() };
  deletions.set(books, [...deletedFrom(books), { type, entry: { status: 'Deleted', Id, MetaData } }]);
}

type Values = Readonly<Record<string, unknown>>;

const ref = ({ Id, ...named }: Entry) => ({ value: Id, name: named.DisplayName ?? named.Name });
const USD = { value: 'USD', name: 'United States Dollar' };

/** A line with goods, with the amount that the API requires. */
function goods(detail: string, item: Entry, Qty: number, UnitPrice: number, more: Values = {}): Values {
  return {
    ...{ Id: '1', LineNum: 1, Description: 'As ordered', Amount: Qty * UnitPrice, DetailType: detail },
    [detail]: { ItemRef: ref(item), Qty, UnitPrice, TaxCodeRef: { value: 'NON' } },
    ...more,
  };
}

/** A small company with one of everything. */
export function smallCompany(): Books {
  const books: Books = new Map([...LISTS, ...OTHERS].map((type) => [type, new Map<string, Entry>()]));
  const make = (type: string, values: Values) => add(books, type, values);
  make('CompanyInfo', {
    ...{ CompanyName: 'Northwind', LegalName: 'Northwind Inc.', Country: 'US', Email: { Address: 'a@north.example' } },
    ...{ CompanyAddr: { Line1: '1 Main St', City: 'Reno', CountrySubDivisionCode: 'NV', PostalCode: '89501' } },
    ...{ PrimaryPhone: { FreeFormNumber: '555-0100' }, WebAddr: { URI: 'https://north.example' } },
  });
  make('CompanyCurrency', { Code: 'USD', Name: 'United States Dollar' });
  make('CompanyCurrency', { Code: 'CAD', Name: 'Canadian Dollar' });
  const west = make('Department', { Name: 'West', FullyQualifiedName: 'West' });
  make('Department', { Name: 'Reno', FullyQualifiedName: 'West:Reno', SubDepartment: true, ParentRef: ref(west) });
  make('Class', { Name: 'Retail', FullyQualifiedName: 'Retail' });
  const account = (Name: string, Classification: string, AccountType: string, more: Values = {}) =>
    make('Account', { Name, FullyQualifiedName: Name, Classification, AccountType, CurrencyRef: USD, ...more });
  const bank = account('Checking', 'Asset', 'Bank', { AcctNum: '1000', CurrentBalance: 1201.5 });
  const payable = account('Accounts Payable', 'Liability', 'Accounts Payable', { CurrentBalance: -62.5 });
  const sales = account('Sales', 'Revenue', 'Income', { AcctNum: '4000', CurrentBalance: 0 });
  const costs = account('Costs', 'Expense', 'Cost of Goods Sold', { CurrentBalance: 0 });
  const stock = account('Stock', 'Asset', 'Other Current Asset', { CurrentBalance: 0 });
  const net30 = make('Term', { Name: 'Net 30', Type: 'STANDARD', DueDays: 30, DiscountPercent: 0, DiscountDays: 0 });
  make('Term', { Name: '15th', Type: 'DATE_DRIVEN', DayOfMonthDue: 15 });
  const check = make('PaymentMethod', { Name: 'Check', Type: 'NON_CREDIT_CARD' });
  make('TaxRate', { Name: 'NV', Description: 'Nevada', RateValue: 8.265 });
  make('Employee', {
    ...{ DisplayName: 'Mira Hahn', GivenName: 'Mira', FamilyName: 'Hahn', HiredDate: '2020-01-02' },
    ...{ PrimaryEmailAddr: { Address: 'mira@north.example' }, PrimaryPhone: { FreeFormNumber: '555-0101' } },
    ...{ PrimaryAddr: { Line1: '2 Main St', City: 'Reno', PostalCode: '89501' } },
  });
  const bolts = make('Vendor', {
    ...{ DisplayName: 'Bolts & Co', CompanyName: 'Bolts', TermRef: ref(net30), CurrencyRef: USD, Notes: 'Calls' },
    ...{ PrimaryEmailAddr: { Address: 'a@bolts.example' }, PrimaryPhone: { FreeFormNumber: '555-0102' } },
    ...{ WebAddr: { URI: 'https://bolts.example' }, TaxIdentifier: 'XXXXX1234', APAccountRef: ref(payable) },
  });
  make('Vendor', { DisplayName: "Old 'Iron' Ltd", Active: false, CurrencyRef: USD });
  const harbor = make('Customer', {
    ...{ DisplayName: 'Harbor', SalesTermRef: ref(net30), PaymentMethodRef: ref(check), CurrencyRef: USD },
    ...{ Taxable: true, BillAddr: { Line1: '3 Dock St', City: 'Reno', PostalCode: '89501' } },
  });
  make('Customer', { DisplayName: 'Harbor:Pier', Job: true, ParentRef: ref(harbor), CurrencyRef: USD, Taxable: false });
  const pump = make('Item', {
    ...{ Name: 'Pump', Sku: 'P-1', Type: 'Inventory', UnitPrice: 100, PurchaseCost: 12.5, Taxable: true },
    ...{ IncomeAccountRef: ref(sales), ExpenseAccountRef: ref(costs), AssetAccountRef: ref(stock) },
    ...{ TrackQtyOnHand: true, QtyOnHand: 7, ReorderPoint: 2, AvgCost: 12.5, PrefVendorRef: ref(bolts) },
  });
  make('Item', { Name: 'Installation', Type: 'Service', UnitPrice: 80, Taxable: false, IncomeAccountRef: ref(sales) });
  make('Item', { Name: 'All pumps', Type: 'Category' });
  const sold = { CustomerRef: ref(harbor), CurrencyRef: USD, ExchangeRate: 1, TxnTaxDetail: { TotalTax: 0 } };
  const bought = { VendorRef: ref(bolts), CurrencyRef: USD, ExchangeRate: 1, APAccountRef: ref(payable) };
  const total = { DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} };
  const invoice = make('Invoice', {
    ...{ ...sold, DocNumber: '1001', TxnDate: '2026-11-20', DueDate: '2026-12-20', SalesTermRef: ref(net30) },
    ...{ TotalAmt: 100, Balance: 40, DepartmentRef: ref(west) },
    Line: [goods('SalesItemLineDetail', pump, 1, 100), { ...total, Amount: 100 }],
  });
  const bill = make('Bill', {
    ...{ ...bought, DocNumber: 'B-77', TxnDate: '2026-11-21', DueDate: '2026-12-21', TotalAmt: 62.5, Balance: 62.5 },
    Line: [
      goods('ItemBasedExpenseLineDetail', pump, 1, 12.5),
      {
        ...{ Id: '2', LineNum: 2, Description: 'Freight', Amount: 50, DetailType: 'AccountBasedExpenseLineDetail' },
        AccountBasedExpenseLineDetail: { AccountRef: ref(costs) },
      },
    ],
  });
  make('CreditMemo', {
    ...{ ...sold, DocNumber: '1002', TxnDate: '2026-11-22', TotalAmt: 20, RemainingCredit: 0, Balance: 0 },
    Line: [goods('SalesItemLineDetail', pump, 1, 20), { ...total, Amount: 20 }],
  });
  make('VendorCredit', {
    ...{ ...bought, DocNumber: 'C-1', TxnDate: '2026-11-22', TotalAmt: 12.5, Balance: 12.5 },
    Line: [goods('ItemBasedExpenseLineDetail', pump, 1, 12.5)],
  });
  const linked = ({ Id }: Entry, TxnType: string) => [{ TxnId: Id, TxnType }];
  make('Payment', {
    ...{ CustomerRef: ref(harbor), CurrencyRef: USD, TxnDate: '2026-11-22', TotalAmt: 60, UnappliedAmt: 0 },
    ...{ PaymentRefNum: '4711', PaymentMethodRef: ref(check), DepositToAccountRef: ref(bank) },
    Line: [{ Amount: 60, LinkedTxn: linked(invoice, 'Invoice') }],
  });
  make('BillPayment', {
    ...{
      VendorRef: ref(bolts),
      CurrencyRef: USD,
      TxnDate: '2026-11-23',
      TotalAmt: 10,
      DocNumber: '12',
      PayType: 'Check',
    },
    ...{ CheckPayment: { BankAccountRef: ref(bank) }, Line: [{ Amount: 10, LinkedTxn: linked(bill, 'Bill') }] },
  });
  make('PurchaseOrder', {
    ...{ ...bought, DocNumber: 'PO-1', TxnDate: '2026-11-20', DueDate: '2026-12-01', POStatus: 'Open', TotalAmt: 50 },
    ...{ ShipAddr: { Line1: '1 Main St', City: 'Reno' }, Memo: 'Deliver to the gate', SalesTermRef: ref(net30) },
    Line: [goods('ItemBasedExpenseLineDetail', pump, 4, 12.5, { Received: 1 })],
  });
  const posted = (Id: string, PostingType: string, AccountRef: Values, more: Values = {}) => ({
    ...{ Id, Amount: 30, Description: 'Rent', DetailType: 'JournalEntryLineDetail' },
    JournalEntryLineDetail: { PostingType, AccountRef, ...more },
  });
  make('JournalEntry', {
    ...{
      DocNumber: 'J-1',
      TxnDate: '2026-11-19',
      PrivateNote: 'Rent of November',
      CurrencyRef: USD,
      Adjustment: false,
    },
    Line: [
      posted('0', 'Debit', ref(costs), { Entity: { Type: 'Vendor', EntityRef: ref(bolts) }, DepartmentRef: ref(west) }),
      posted('1', 'Credit', ref(bank)),
    ],
  });
  return books;
}
