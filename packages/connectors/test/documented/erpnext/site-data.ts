/** A document, with the standard fields of every DocType. */
export type Doc = Record<string, unknown> & { name: string; modified: string; docstatus: 0 | 1 | 2 };

/** The documents of a site, by DocType and name. */
export type Site = ReadonlyMap<string, Map<string, Doc>>;

/** A DocType: its fields with their defaults, the field that names its documents, and its mandatory fields. */
interface DocType {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Field whose value is the name, or the prefix of a naming series. */
  readonly named: { readonly field: string } | { readonly series: string };
  readonly mandatory?: readonly string[];
  /** Whether documents are submitted and cancelled. */
  readonly isSubmittable?: true;
}

const TOTALS = {
  net_total: 0,
  total_taxes_and_charges: 0,
  grand_total: 0,
  discount_amount: 0,
  additional_discount_percentage: 0,
};
const DOCUMENT = {
  company: 'Northwind',
  currency: 'EUR',
  conversion_rate: 1,
  payment_terms_template: null,
  status: 'Draft',
  ...TOTALS,
};

/** Fields of child tables. */
export const ROWS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Purchase Order': {
    item_code: null,
    item_name: null,
    description: null,
    qty: 0,
    uom: 'Nos',
    rate: 0,
    amount: 0,
    discount_percentage: 0,
    schedule_date: null,
    expected_delivery_date: null,
    supplier_part_no: null,
    warehouse: null,
    expense_account: null,
    received_qty: 0,
    returned_qty: 0,
  },
  'Sales Order': {
    item_code: null,
    item_name: null,
    description: null,
    qty: 0,
    uom: 'Nos',
    rate: 0,
    amount: 0,
    discount_percentage: 0,
    delivery_date: null,
    warehouse: null,
    delivered_qty: 0,
    returned_qty: 0,
  },
  'Sales Invoice': {
    item_code: null,
    item_name: null,
    description: null,
    qty: 0,
    uom: 'Nos',
    rate: 0,
    amount: 0,
    discount_percentage: 0,
    income_account: 'Sales - N',
    sales_order: null,
    so_detail: null,
  },
  'Purchase Invoice': {
    item_code: null,
    item_name: null,
    description: null,
    qty: 0,
    uom: 'Nos',
    rate: 0,
    amount: 0,
    discount_percentage: 0,
    expense_account: 'Costs - N',
    purchase_order: null,
    po_detail: null,
  },
};

/** The fields that the platform and the tests use, as the DocTypes of ERPNext define them. */
export const DOCTYPES: Readonly<Record<string, DocType>> = {
  Currency: {
    named: { field: 'currency_name' },
    fields: { currency_name: null, enabled: 0, symbol: null, fraction: null },
  },
  UOM: { named: { field: 'uom_name' }, fields: { uom_name: null, enabled: 1, must_be_whole_number: 0 } },
  Company: { named: { field: 'company_name' }, fields: { company_name: null, abbr: null, default_currency: 'EUR' } },
  'Item Group': {
    named: { field: 'item_group_name' },
    fields: { item_group_name: null, parent_item_group: null, is_group: 0 },
  },
  Account: {
    named: { series: 'ACC-' },
    fields: {
      account_name: null,
      account_number: null,
      root_type: null,
      account_type: null,
      is_group: 0,
      disabled: 0,
      parent_account: null,
      account_currency: 'EUR',
      company: 'Northwind',
    },
  },
  Warehouse: {
    named: { series: 'WH-' },
    fields: { warehouse_name: null, disabled: 0, is_group: 0, parent_warehouse: null, company: 'Northwind' },
  },
  'Mode of Payment': {
    named: { field: 'mode_of_payment' },
    fields: { mode_of_payment: null, type: 'Bank', enabled: 1 },
  },
  'Payment Terms Template': { named: { field: 'template_name' }, fields: { template_name: null, terms: [] } },
  Supplier: {
    named: { field: 'supplier_name' },
    mandatory: ['supplier_name'],
    fields: {
      supplier_name: null,
      supplier_type: 'Company',
      tax_id: null,
      website: null,
      email_id: null,
      mobile_no: null,
      supplier_details: null,
      default_currency: null,
      payment_terms: null,
      disabled: 0,
    },
  },
  Customer: {
    named: { field: 'customer_name' },
    mandatory: ['customer_name'],
    fields: {
      customer_name: null,
      customer_type: 'Company',
      tax_id: null,
      website: null,
      email_id: null,
      mobile_no: null,
      customer_details: null,
      default_currency: null,
      payment_terms: null,
      disabled: 0,
    },
  },
  Item: {
    named: { field: 'item_code' },
    mandatory: ['item_code', 'item_group', 'stock_uom'],
    fields: {
      item_code: null,
      item_name: null,
      description: null,
      item_group: null,
      stock_uom: 'Nos',
      purchase_uom: null,
      sales_uom: null,
      is_stock_item: 1,
      is_purchase_item: 1,
      is_sales_item: 1,
      has_variants: 0,
      variant_of: null,
      has_serial_no: 0,
      has_batch_no: 0,
      lead_time_days: 0,
      shelf_life_in_days: 0,
      weight_per_unit: 0,
      weight_uom: null,
      valuation_rate: 0,
      last_purchase_rate: 0,
      disabled: 0,
    },
  },
  'Purchase Order': {
    named: { series: 'PUR-ORD-2026-' },
    mandatory: ['supplier', 'items'],
    isSubmittable: true,
    fields: {
      ...DOCUMENT,
      supplier: null,
      transaction_date: '2026-11-20',
      schedule_date: null,
      set_warehouse: null,
      per_received: 0,
      per_billed: 0,
    },
  },
  'Sales Order': {
    named: { series: 'SAL-ORD-2026-' },
    mandatory: ['customer', 'items'],
    isSubmittable: true,
    fields: {
      ...DOCUMENT,
      customer: null,
      transaction_date: '2026-11-20',
      delivery_date: null,
      po_no: null,
      per_delivered: 0,
      per_billed: 0,
    },
  },
  'Sales Invoice': {
    named: { series: 'ACC-SINV-2026-' },
    mandatory: ['customer', 'items'],
    isSubmittable: true,
    fields: {
      ...DOCUMENT,
      customer: null,
      posting_date: '2026-11-20',
      due_date: null,
      is_return: 0,
      po_no: null,
      remarks: null,
      outstanding_amount: 0,
    },
  },
  'Purchase Invoice': {
    named: { series: 'ACC-PINV-2026-' },
    mandatory: ['supplier', 'items'],
    isSubmittable: true,
    fields: {
      ...DOCUMENT,
      supplier: null,
      posting_date: '2026-11-20',
      due_date: null,
      is_return: 0,
      bill_no: null,
      remarks: null,
      outstanding_amount: 0,
    },
  },
  'Payment Entry': {
    named: { series: 'ACC-PAY-2026-' },
    isSubmittable: true,
    fields: {
      payment_type: null,
      party_type: null,
      party: null,
      posting_date: null,
      paid_amount: 0,
      unallocated_amount: 0,
      reference_no: null,
      remarks: null,
      mode_of_payment: null,
      paid_from: null,
      paid_to: null,
      paid_from_account_currency: 'EUR',
      company: 'Northwind',
      references: [],
    },
  },
  'GL Entry': {
    named: { series: 'ACC-GLE-2026-' },
    fields: {
      posting_date: null,
      account: null,
      debit: 0,
      credit: 0,
      voucher_type: null,
      voucher_no: null,
      remarks: null,
      company: 'Northwind',
      party_type: null,
      party: null,
      is_cancelled: 0,
    },
  },
};

let clock = Date.parse('2026-11-20T09:00:00Z');

/** The time in the zone of the site, which answers do not tell: `2026-11-20 09:00:00.000000`. */
export function now(): string {
  clock += 1000;
  return `${new Date(clock).toISOString().slice(0, -1).replace('T', ' ')}000`;
}

/** Adds a document with the defaults of its DocType. */
export function add(site: Site, doctype: string, { items, ...given }: Record<string, unknown>): Doc {
  const { fields, named } = DOCTYPES[doctype] ?? { fields: {}, named: { series: '' } };
  const count = (site.get(doctype)?.size ?? 0) + 1;
  const own = 'field' in named ? String(given[named.field]) : `${named.series}${String(count).padStart(5, '0')}`;
  const time = now();
  const doc: Doc = {
    ...fields,
    ...given,
    doctype,
    name: String(given.name ?? own),
    creation: time,
    modified: time,
    docstatus: 0,
  };
  if (Array.isArray(items)) setRows(doc, items);
  site.get(doctype)?.set(doc.name, doc);
  return doc;
}

/** Replaces the rows of the child table: those with a name keep the fields that are not sent. */
export function setRows(doc: Doc, items: readonly Record<string, unknown>[]): void {
  const doctype = String(doc.doctype);
  const before = Array.isArray(doc.items) ? (doc.items as Record<string, unknown>[]) : [];
  doc.items = items.map((given, index) => {
    const old = before.find(({ name }) => name === given.name);
    const row: Record<string, unknown> = {
      ...ROWS[doctype],
      ...old,
      ...given,
      idx: index + 1,
      parent: doc.name,
      parenttype: doctype,
      parentfield: 'items',
      modified: doc.modified,
      doctype: `${doctype} Item`,
    };
    return { ...row, name: old?.name ?? crypto.randomUUID().slice(0, 10), amount: Number(row.qty) * Number(row.rate) };
  });
  const total = (doc.items as { amount: number }[]).reduce((sum, { amount }) => sum + amount, 0);
  Object.assign(doc, { net_total: total, grand_total: total });
}

/** A small company with one of everything. */
export function smallSite(): Site {
  const site: Site = new Map(Object.keys(DOCTYPES).map((doctype) => [doctype, new Map()]));
  add(site, 'Currency', { currency_name: 'EUR', enabled: 1, symbol: '€' });
  for (const uom_name of ['Nos', 'Kg']) add(site, 'UOM', { uom_name });
  add(site, 'Company', { company_name: 'Northwind', abbr: 'N' });
  add(site, 'Item Group', { item_group_name: 'All Item Groups', is_group: 1 });
  add(site, 'Item Group', { item_group_name: 'Pumps', parent_item_group: 'All Item Groups' });
  add(site, 'Account', {
    name: 'Bank - N',
    account_name: 'Bank',
    account_number: '1200',
    root_type: 'Asset',
    account_type: 'Bank',
  });
  add(site, 'Account', { name: 'Sales - N', account_name: 'Sales', root_type: 'Income' });
  add(site, 'Account', { name: 'Costs - N', account_name: 'Costs', root_type: 'Expense' });
  add(site, 'Warehouse', { name: 'Stores - N', warehouse_name: 'Stores' });
  add(site, 'Mode of Payment', { mode_of_payment: 'Cash', type: 'Cash' });
  add(site, 'Payment Terms Template', { template_name: 'Net 30' });
  add(site, 'Supplier', {
    supplier_name: 'Bolts & Co',
    tax_id: 'DE1',
    default_currency: 'EUR',
    payment_terms: 'Net 30',
    email_id: 'a@bolts.example',
  });
  add(site, 'Supplier', { supplier_name: 'Old/Supplier "2"', disabled: 1 });
  add(site, 'Customer', { customer_name: 'Harbor', customer_type: 'Company', default_currency: 'EUR' });
  add(site, 'Customer', { customer_name: 'Mira Hahn', customer_type: 'Individual' });
  add(site, 'Item', {
    item_code: 'P-1',
    item_name: 'Pump',
    item_group: 'Pumps',
    has_serial_no: 1,
    valuation_rate: 80.5,
  });
  add(site, 'Item', { item_code: 'S-1', item_name: 'Installation', item_group: 'Pumps', is_stock_item: 0 });
  const bought = add(site, 'Purchase Order', {
    supplier: 'Bolts & Co',
    schedule_date: '2026-12-01',
    set_warehouse: 'Stores - N',
    items: [
      {
        item_code: 'P-1',
        qty: 4,
        rate: 12.5,
        received_qty: 1,
        schedule_date: '2026-12-01',
        warehouse: 'Stores - N',
        expense_account: 'Costs - N',
      },
    ],
  });
  Object.assign(bought, { docstatus: 1, status: 'To Receive and Bill', per_received: 25 });
  const sold = add(site, 'Sales Order', {
    customer: 'Harbor',
    po_no: 'H-7',
    delivery_date: '2026-12-05',
    items: [{ item_code: 'P-1', qty: 1, rate: 100, warehouse: 'Stores - N' }],
  });
  const [line] = sold.items as { name: string }[];
  const billed = add(site, 'Sales Invoice', {
    customer: 'Harbor',
    due_date: '2026-12-20',
    items: [{ item_code: 'P-1', qty: 1, rate: 100, sales_order: sold.name, so_detail: line?.name }],
  });
  Object.assign(billed, { docstatus: 1, status: 'Partly Paid', outstanding_amount: 40 });
  add(site, 'Purchase Invoice', {
    supplier: 'Bolts & Co',
    bill_no: 'B-77',
    items: [{ item_code: 'P-1', qty: 2, rate: 12.5 }],
  });
  const paid = add(site, 'Payment Entry', {
    payment_type: 'Receive',
    party_type: 'Customer',
    party: 'Harbor',
    posting_date: '2026-11-22',
    paid_amount: 60,
    mode_of_payment: 'Cash',
    paid_to: 'Bank - N',
    paid_from: 'Sales - N',
    reference_no: 'R-1',
  });
  paid.docstatus = 1;
  const entry = { posting_date: '2026-11-20', voucher_type: 'Sales Invoice', voucher_no: billed.name };
  add(site, 'GL Entry', { ...entry, account: 'Bank - N', debit: 100, party_type: 'Customer', party: 'Harbor' });
  add(site, 'GL Entry', { ...entry, account: 'Sales - N', credit: 100 });
  return site;
}
