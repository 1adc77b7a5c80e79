export type Values = Record<string, unknown>;

/** The rows of a database, by model and id. */
export type Database = ReadonlyMap<string, Map<number, Values>>;

/** A model: its fields with their defaults, the models of its relations, and its lists of lines. */
interface Model {
  readonly fields: Values;
  readonly relations?: Readonly<Record<string, string>>;
  readonly lines?: {
    readonly field: string;
    readonly model: string;
    readonly parent: string;
    readonly quantity: string;
  };
  readonly required?: readonly string[];
}

const AMOUNTS = { amount_untaxed: 0, amount_tax: 0, amount_total: 0 };
const ORDER = {
  name: null,
  partner_id: null,
  date_order: '2026-11-20 09:00:00',
  state: 'draft',
  currency_id: 1,
  payment_term_id: null,
  company_id: 1,
  ...AMOUNTS,
  order_line: [],
};
const LINE = {
  sequence: 10,
  display_type: null,
  product_id: null,
  name: null,
  product_uom_id: 1,
  price_unit: 0,
  discount: 0,
  price_subtotal: 0,
};
const ORDER_RELATIONS = {
  partner_id: 'res.partner',
  currency_id: 'res.currency',
  payment_term_id: 'account.payment.term',
  company_id: 'res.company',
};
const LINE_RELATIONS = { product_id: 'product.product', product_uom_id: 'uom.uom' };

/** The fields that the platform uses, as the models of Odoo define them. */
export const MODELS: Readonly<Record<string, Model>> = {
  'res.currency': { fields: { name: null, full_name: null, symbol: null, decimal_places: 2, active: true } },
  'uom.uom': { fields: { name: null, active: true } },
  'res.company': { fields: { name: null } },
  'product.category': {
    fields: { name: null, complete_name: null, parent_id: null },
    relations: { parent_id: 'product.category' },
  },
  'account.account': {
    fields: { code: null, name: null, account_type: null, active: true, currency_id: null },
    relations: { currency_id: 'res.currency' },
  },
  'account.payment.term': { fields: { name: null, active: true } },
  'res.partner': {
    fields: {
      name: null,
      ref: null,
      is_company: false,
      vat: null,
      email: null,
      phone: null,
      website: null,
      street: null,
      street2: null,
      city: null,
      zip: null,
      country_code: null,
      active: true,
      customer_rank: 0,
      supplier_rank: 0,
      property_payment_term_id: null,
      property_supplier_payment_term_id: null,
    },
    relations: {
      property_payment_term_id: 'account.payment.term',
      property_supplier_payment_term_id: 'account.payment.term',
    },
    required: ['name'],
  },
  'product.product': {
    fields: {
      name: null,
      default_code: null,
      barcode: null,
      type: 'consu',
      list_price: 1,
      standard_price: 0,
      uom_id: 1,
      categ_id: null,
      sale_ok: true,
      purchase_ok: true,
      weight: 0,
      description_sale: null,
      active: true,
    },
    relations: { uom_id: 'uom.uom', categ_id: 'product.category' },
    required: ['name'],
  },
  'purchase.order': {
    fields: { ...ORDER, partner_ref: null, date_planned: null },
    relations: ORDER_RELATIONS,
    required: ['partner_id'],
    lines: { field: 'order_line', model: 'purchase.order.line', parent: 'order_id', quantity: 'product_qty' },
  },
  'purchase.order.line': {
    fields: {
      ...LINE,
      price_tax: 0,
      order_id: null,
      product_qty: 1,
      date_planned: null,
      qty_received: 0,
      qty_invoiced: 0,
    },
    relations: { ...LINE_RELATIONS, order_id: 'purchase.order' },
  },
  'sale.order': {
    fields: { ...ORDER, client_order_ref: null, commitment_date: null, invoice_status: 'no' },
    relations: ORDER_RELATIONS,
    required: ['partner_id'],
    lines: { field: 'order_line', model: 'sale.order.line', parent: 'order_id', quantity: 'product_uom_qty' },
  },
  'sale.order.line': {
    fields: { ...LINE, price_tax: 0, order_id: null, product_uom_qty: 1, qty_delivered: 0, qty_invoiced: 0 },
    relations: { ...LINE_RELATIONS, order_id: 'sale.order' },
  },
  'account.move': {
    fields: {
      name: null,
      move_type: 'entry',
      partner_id: null,
      invoice_date: null,
      invoice_date_due: null,
      ref: null,
      state: 'draft',
      payment_state: 'not_paid',
      currency_id: 1,
      invoice_payment_term_id: null,
      company_id: 1,
      ...AMOUNTS,
      amount_residual: 0,
      invoice_line_ids: [],
    },
    relations: {
      partner_id: 'res.partner',
      currency_id: 'res.currency',
      invoice_payment_term_id: 'account.payment.term',
      company_id: 'res.company',
    },
    lines: { field: 'invoice_line_ids', model: 'account.move.line', parent: 'move_id', quantity: 'quantity' },
  },
  'account.move.line': {
    fields: {
      ...LINE,
      move_id: null,
      display_type: 'product',
      quantity: 1,
      account_id: 1,
      move_name: null,
      parent_state: 'draft',
      date: null,
      debit: 0,
      credit: 0,
      ref: null,
      partner_id: null,
      currency_id: 1,
      company_id: 1,
    },
    relations: {
      ...LINE_RELATIONS,
      move_id: 'account.move',
      account_id: 'account.account',
      partner_id: 'res.partner',
      currency_id: 'res.currency',
      company_id: 'res.company',
    },
  },
  'account.payment': {
    fields: {
      name: null,
      payment_type: 'inbound',
      partner_type: 'customer',
      partner_id: null,
      amount: 0,
      date: '2026-11-20',
      currency_id: 1,
      memo: null,
      state: 'draft',
      company_id: 1,
    },
    relations: { partner_id: 'res.partner', currency_id: 'res.currency', company_id: 'res.company' },
  },
};

/** The time of a change in UTC, in whole seconds. */
export function now(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ');
}

/** Adds a row with the defaults of its model. */
export function add(database: Database, model: string, values: Values): Values & { id: number } {
  const rows = database.get(model) ?? new Map<number, Values>();
  const id = Math.max(0, ...rows.keys()) + 1;
  const row = { ...MODELS[model]?.fields, ...values, id, write_date: now() };
  rows.set(id, row);
  return row;
}

/** A small company with one of everything. */
export function smallDatabase(): Database {
  const database: Database = new Map(Object.keys(MODELS).map((model) => [model, new Map()]));
  const id = (model: string, values: Values) => add(database, model, values).id;
  id('res.currency', { name: 'EUR', full_name: 'Euro', symbol: '€' });
  id('res.currency', { name: 'XAU', symbol: 'oz', active: false });
  id('uom.uom', { name: 'Units' });
  id('res.company', { name: 'My Company' });
  const all = id('product.category', { name: 'All', complete_name: 'All' });
  const pumps = id('product.category', { name: 'Pumps', complete_name: 'All / Pumps', parent_id: all });
  id('account.account', { code: '400000', name: 'Product Sales', account_type: 'income' });
  id('account.account', { code: '101401', name: 'Bank', account_type: 'asset_cash' });
  const net = id('account.payment.term', { name: '30 Days' });
  const vendor = id('res.partner', {
    name: 'Wood Corner',
    ref: 'V-1',
    is_company: true,
    vat: 'BE0477472701',
    email: 'wood@corner.example',
    supplier_rank: 3,
    property_supplier_payment_term_id: net,
  });
  const customer = id('res.partner', {
    name: 'Deco Addict',
    is_company: true,
    street: '77 Santa Barbara Rd',
    city: 'Pleasant Hill',
    zip: '94523',
    country_code: 'US',
    customer_rank: 2,
    property_payment_term_id: net,
  });
  id('res.partner', { name: 'Mira Hahn', customer_rank: 1, active: false });
  id('res.partner', { name: 'Contact only' });
  const product = id('product.product', {
    name: 'Pump',
    default_code: 'P-1',
    categ_id: pumps,
    list_price: 100.5,
    standard_price: 80,
    barcode: '0601647855633',
  });
  id('product.product', { name: 'Installation', type: 'service', purchase_ok: false, active: false });
  const line = { product_id: product, name: '[P-1] Pump', price_unit: 12.5, price_subtotal: 50 };
  const totals = { amount_untaxed: 50, amount_tax: 10, amount_total: 60 };
  const bought = add(database, 'purchase.order', {
    ...totals,
    name: 'P00001',
    partner_id: vendor,
    partner_ref: 'W-9',
    date_planned: '2026-12-01 12:00:00',
    state: 'purchase',
    payment_term_id: net,
  });
  bought.order_line = [
    id('purchase.order.line', {
      ...line,
      price_tax: 10,
      order_id: bought.id,
      product_qty: 4,
      qty_received: 1,
      date_planned: '2026-12-01 12:00:00',
    }),
  ];
  const sold = add(database, 'sale.order', {
    ...totals,
    name: 'S00001',
    partner_id: customer,
    client_order_ref: 'D-3',
    commitment_date: '2026-12-05 08:00:00',
    state: 'sale',
  });
  sold.order_line = [
    id('sale.order.line', { ...line, price_tax: 10, order_id: sold.id, product_uom_qty: 4 }),
    id('sale.order.line', { order_id: sold.id, display_type: 'line_subsection', name: 'Pumps', product_uom_id: null }),
    id('sale.order.line', { order_id: sold.id, display_type: 'line_note', name: 'Call first', product_uom_id: null }),
  ];
  const billed = add(database, 'account.move', {
    ...totals,
    name: 'INV/2026/00001',
    move_type: 'out_invoice',
    partner_id: customer,
    invoice_date: '2026-11-20',
    invoice_date_due: '2026-12-20',
    state: 'posted',
    payment_state: 'partial',
    amount_residual: 20,
  });
  const booked = { move_id: billed.id, move_name: 'INV/2026/00001', parent_state: 'posted', date: '2026-11-20' };
  billed.invoice_line_ids = [id('account.move.line', { ...line, ...booked, quantity: 4, credit: 50 })];
  id('account.move.line', {
    ...booked,
    display_type: 'payment_term',
    account_id: 2,
    debit: 50,
    name: 'INV/2026/00001',
  });
  const bill = add(database, 'account.move', {
    ...totals,
    move_type: 'in_invoice',
    partner_id: vendor,
    ref: 'B-77',
    amount_residual: 60,
  });
  bill.invoice_line_ids = [id('account.move.line', { ...line, move_id: bill.id, quantity: 4 })];
  id('account.move', { name: 'MISC/1', move_type: 'entry' });
  id('account.payment', {
    name: 'PBNK1/2026/00001',
    partner_id: customer,
    amount: 40,
    memo: 'INV/2026/00001',
    state: 'paid',
  });
  return database;
}
