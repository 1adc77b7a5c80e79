import { platformOf } from '@unified/connectors';
import { expect } from 'vitest';
import { day, type Fields, type Rpc } from '../../../test-systems/tryton/rpc.ts';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { freshVendor } from '../../connectors/test/fresh-vendor.ts';
import { type Effect, everyMappedWriteIsFound, type Recipe } from './every-write.ts';
import { partyInTryton } from './tryton-party.ts';

everyMappedWriteIsFound(platformOf('tryton'), async () => {
  const tryton = await startTryton();
  const { url, database, user, password } = tryton;
  const recipes = await recipesFor(tryton);
  return { settings: { url, database, user, password }, recipes, stop: () => tryton.stop() };
});

/** Databases without booleans return 0 and 1. */
const yes = expect.toBeOneOf([1, true]);
const no = expect.toBeOneOf([0, false]);
const reason = { _displayValue: 'Duplicate' };
/** Tryton has no field for reasons. */
const forReason = { body: { reason }, warned: ['reason'] };
const status = (state: string | readonly string[], more: Partial<Effect> = {}): Effect => ({
  found: { state: typeof state === 'string' ? state : expect.toBeOneOf([...state]) },
  ...more,
});
const amount = (text: string) => {
  const zeros = text.includes('.') ? '0*' : '(\\.0*)?';
  return expect.objectContaining({ decimal: expect.stringMatching(`^${text.replace('.', '\\.')}${zeros}$`) });
};
const date = (year: number, month: number, on: number) => expect.objectContaining({ year, month, day: on });

async function recipesFor({ rpc, series }: RunningTryton): Promise<Record<string, Recipe>> {
  const idOf = (model: string, field: string, value: string) => rpc.id(model, [[field, '=', value]]);
  const company = await rpc.id('company.company', []);
  const vendor = await idOf('party.party', 'code', 'V001');
  const customer = await idOf('party.party', 'code', 'C001');
  const plate = await idOf('product.product', 'code', 'PLATE-1');
  const pump = await idOf('product.product', 'code', 'PUMP-1');
  const unit = await idOf('product.uom', 'symbol', 'u');
  const warehouse = await idOf('stock.location', 'type', 'warehouse');
  const floor = await idOf('stock.location', 'type', 'production');
  const bill = await idOf('production.bom', 'name', 'Pump');
  const employee = await rpc.id('company.employee', []);
  const usd = await idOf('currency.currency', 'code', 'USD');
  const eur = await idOf('currency.currency', 'code', 'EUR');
  const term = await idOf('account.invoice.payment_term', 'name', 'Net 60');
  const payable = await idOf('account.account', 'name', 'Main Payable');
  const receivable = await idOf('account.account', 'name', 'Main Receivable');
  const tax = await idOf('account.account', 'name', 'Main Tax');
  const cash = await idOf('account.account', 'name', 'Main Cash');
  const germany = await idOf('country.country', 'code', 'DE');
  const method = await idOf('account.payment.journal', 'name', 'Bank transfer');
  const ref = (id: number, rel?: string) => ({ _idValue: String(id), ...(rel !== undefined && { rel }) });
  let created = 0;
  const nextCode = (prefix: string) => `${prefix}-${++created}`;
  const line = { item: ref(plate, 'Item'), quantity: 2, unit: ref(unit) };
  const priced = { ...line, unitPrice: 25 };
  const party = (key: string) => partyInTryton(rpc, Number(key)) as Promise<Record<string, unknown>>;
  const contacts = { email: 'a@trader.example', phone: '+49 30 1', website: 'https://trader.example' };
  const partyFields = { isActive: true, taxNumber: 'DE 1', ...contacts };

  return {
    Vendor: {
      find: party,
      create: () => {
        const code = nextCode('VN');
        return {
          body: { ...freshVendor, code, accountPayable: ref(payable) },
          found: {
            name: 'Fresh Vendor',
            code,
            active: true,
            supplier_lead_time: expect.objectContaining({ seconds: 14 * 86_400 }),
            'supplier_payment_term.': expect.objectContaining({ name: 'Net 60' }),
            account_payable: payable,
            contacts: { email: freshVendor.email, phone: freshVendor.phone, website: freshVendor.website },
            taxNumbers: ['DE 123'],
          },
        };
      },
      update: () => ({
        body: { name: 'Seasoned Vendor', email: 'office@seasoned.example' },
        found: { name: 'Seasoned Vendor', contacts: { email: 'office@seasoned.example', phone: freshVendor.phone } },
      }),
      replace: () => ({
        body: { name: 'Replaced Vendor' },
        found: { name: 'Replaced Vendor', contacts: {}, contactCount: 0, taxNumbers: [], supplier_lead_time: null },
      }),
    },
    Customer: {
      find: party,
      create: () => {
        const code = nextCode('CN');
        return {
          body: { ...partyFields, code, name: 'Fresh Customer', accountReceivable: ref(receivable) },
          found: {
            code,
            name: 'Fresh Customer',
            active: true,
            contacts,
            taxNumbers: ['DE 1'],
            account_receivable: receivable,
            'categories.': [expect.objectContaining({ name: 'Customer' })],
          },
        };
      },
      update: () => ({
        body: { isActive: false, phone: '+49 30 2' },
        found: { active: false, contacts: { email: contacts.email, phone: '+49 30 2' } },
      }),
      replace: () => ({
        body: { name: 'Replaced Customer', email: 'b@trader.example' },
        found: { name: 'Replaced Customer', contacts: { email: 'b@trader.example' }, contactCount: 1, taxNumbers: [] },
      }),
    },
    Partner: {
      find: party,
      create: () => {
        const code = nextCode('PN');
        return {
          body: { ...partyFields, code, name: 'Trader', roles: ['vendor', 'customer'] },
          found: { code, name: 'Trader', active: true, contacts, taxNumbers: ['DE 1'], 'categories.': twoNamed },
        };
      },
      replace: () => ({
        body: { name: 'Trader & Sons', roles: ['vendor', 'customer'] },
        found: { name: 'Trader & Sons', contactCount: 0, taxNumbers: [], 'categories.': twoNamed },
      }),
    },
    Address: {
      find: inModel(rpc, 'party.address', [
        'street',
        'city',
        'postal_code',
        'country',
        'party',
        'party_name',
        'invoice',
        'delivery',
        'active',
      ]),
      create: () => ({
        body: {
          type: 'shipping',
          addressee: 'Goods in',
          line1: 'Hall 3',
          line2: 'Industriestr. 12',
          line3: 'Gate B',
          line4: 'Ramp 7',
          city: 'Berlin',
          postalCode: '10115',
          country: ref(germany),
          owner: ref(vendor, 'Vendor'),
          isActive: true,
        },
        found: {
          street: 'Hall 3\nIndustriestr. 12\nGate B\nRamp 7',
          party_name: 'Goods in',
          city: 'Berlin',
          postal_code: '10115',
          country: germany,
          party: vendor,
          invoice: no,
          delivery: yes,
          active: yes,
        },
      }),
      replace: () => ({
        body: {
          type: 'billing',
          line1: 'Hall 4',
          city: 'Potsdam',
          country: ref(germany),
          owner: ref(vendor, 'Vendor'),
          isActive: false,
        },
        found: {
          street: 'Hall 4',
          city: 'Potsdam',
          postal_code: expect.toBeOneOf([null, '']),
          party: vendor,
          invoice: yes,
          delivery: no,
          active: no,
        },
      }),
    },
    PaymentMethod: {
      find: inModel(rpc, 'account.payment.journal', ['name', 'active', 'process_method']),
      create: () => ({
        body: { name: 'Cheque', isActive: true },
        found: { name: 'Cheque', active: yes, process_method: 'manual' },
      }),
      // Payments without a method need a single active one.
      replace: () => ({
        body: { name: 'Check', isActive: false },
        found: { name: 'Check', active: no },
        warned: ['methodType'],
      }),
    },
    PaymentTerm: {
      find: inModel(rpc, 'account.invoice.payment_term', [
        'name',
        'description',
        'active',
        'lines.relativedeltas.days',
      ]),
      create: () => ({
        body: { name: 'Net 14', description: 'Two weeks', daysUntilDue: 14, isActive: true },
        found: {
          name: 'Net 14',
          description: 'Two weeks',
          active: yes,
          'lines.': [{ 'relativedeltas.': [{ days: 14 }] }],
        },
      }),
    },
    TaxRate: {
      find: inModel(rpc, 'account.tax', [
        'name',
        'description',
        'rate',
        'start_date',
        'end_date',
        'active',
        'company',
        'invoice_account',
        'credit_note_account',
      ]),
      create: () => ({
        body: {
          name: 'Reduced 7.5 %',
          description: 'Food',
          rate: 7.5,
          validFromDate: '2026-01-01',
          validToDate: '2027-12-31',
          isActive: true,
          organization: ref(company),
          account: ref(tax),
        },
        found: {
          name: 'Reduced 7.5 %',
          description: 'Food',
          rate: amount('0.075'),
          start_date: date(2026, 1, 1),
          end_date: date(2027, 12, 31),
          active: yes,
          company,
          invoice_account: tax,
          credit_note_account: tax,
        },
      }),
      replace: () => ({
        body: { name: 'Reduced 8 %', description: 'Food', rate: 8, organization: ref(company), account: ref(cash) },
        found: { name: 'Reduced 8 %', rate: amount('0.08'), start_date: null, invoice_account: cash },
        warned: ['totalRate'], // follows from the rate
      }),
    },
    Payment: {
      find: inModel(rpc, 'account.payment', [
        'kind',
        'party',
        'amount',
        'date',
        'journal',
        'company',
        paymentText(series),
      ]),
      create: () => ({
        body: {
          direction: 'outgoing',
          vendor: ref(vendor),
          transactionDate: '2026-07-04',
          amount: 12.5,
          paymentMethod: ref(method),
          organization: ref(company),
          description: 'Advance',
        },
        found: {
          kind: 'payable',
          party: vendor,
          amount: amount('12.5'),
          date: date(2026, 7, 4),
          journal: method,
          company,
          [paymentText(series)]: 'Advance',
        },
      }),
      variants: [
        () => ({
          body: {
            direction: 'incoming',
            customer: ref(customer),
            transactionDate: '2026-07-05',
            amount: 7.25,
            paymentMethod: ref(method),
          },
          found: { kind: 'receivable', party: customer, amount: amount('7.25') },
        }),
      ],
    },
    Invoice: {
      find: inModel(rpc, 'account.invoice', [
        'type',
        'state',
        'party',
        'description',
        'reference',
        'comment',
        'invoice_date',
        'payment_term',
        'currency',
        'account',
        'company',
        'lines.quantity',
        'lines.product',
      ]),
      create: () => ({
        body: {
          invoiceType: 'accounts_payable',
          vendor: ref(vendor),
          invoiceDate: '2026-07-01',
          reference: nextCode('RE'),
          description: 'Plates',
          notes: 'Checked on arrival',
          organization: ref(company),
          paymentTerm: ref(term),
          currency: ref(usd),
          account: ref(payable),
          lines: [priced],
        },
        found: {
          type: 'in',
          state: 'draft',
          party: vendor,
          reference: expect.stringMatching(/^RE-/),
          description: 'Plates',
          comment: 'Checked on arrival',
          invoice_date: date(2026, 7, 1),
          payment_term: term,
          currency: usd,
          account: payable,
          company,
          'lines.': [{ quantity: 2, product: plate }],
        },
      }),
      variants: [
        () => ({
          body: {
            invoiceType: 'accounts_receivable',
            customer: ref(customer),
            invoiceDate: '2026-07-02',
            lines: [priced],
          },
          found: { type: 'out', party: customer, account: receivable },
        }),
      ],
      update: () => ({
        body: { description: 'Plates for hall B', lines: [{ ...priced, quantity: 5 }] },
        found: { description: 'Plates for hall B', comment: 'Checked on arrival', 'lines.': [{ quantity: 5 }] },
      }),
      actions: {
        submit: () => status('validated'),
        approve: () => status('posted', { after: ['submit'] }),
        cancel: () => status('cancelled', forReason),
        'set-status': () => status('validated', { body: { statusCategory: 'pending_approval' } }),
      },
    },
    PurchaseOrder: {
      find: inModel(rpc, 'purchase.purchase', [
        'state',
        'description',
        'reference',
        'comment',
        'party',
        'company',
        'currency',
        'warehouse',
        'purchase_date',
        'delivery_date',
        'payment_term',
        'lines.quantity',
        'lines.unit_price',
        'lines.product',
      ]),
      create: () => ({
        body: {
          title: 'Plates for hall B',
          reference: 'Q-7781',
          notes: 'Call first',
          vendor: ref(vendor),
          organization: ref(company),
          currency: ref(eur),
          deliveryLocation: ref(warehouse),
          orderDate: '2026-11-20',
          expectedDeliveryDate: '2026-12-02',
          terms: 'Net 60',
          lines: [priced],
        },
        found: {
          state: 'draft',
          description: 'Plates for hall B',
          reference: 'Q-7781',
          comment: 'Call first',
          party: vendor,
          company,
          currency: eur,
          warehouse,
          purchase_date: date(2026, 11, 20),
          delivery_date: date(2026, 12, 2),
          payment_term: term,
          'lines.': [{ quantity: 2, product: plate, unit_price: amount('25') }],
        },
      }),
      update: () => ({
        body: { title: 'Plates for hall C', notes: null, lines: [{ ...priced, quantity: 7 }] },
        found: { description: 'Plates for hall C', comment: null, reference: 'Q-7781', 'lines.': [{ quantity: 7 }] },
      }),
      delete: () => ({ found: null }),
      actions: {
        submit: () => status('quotation'),
        approve: () => status('processing', { after: ['submit'] }),
        cancel: () => status('cancelled', forReason),
        reopen: () => status('draft', { after: ['cancel'] }),
        'set-status': () => status('quotation', { body: { statusCategory: 'pending_approval' } }),
      },
    },
    SalesOrder: {
      find: inModel(rpc, 'sale.sale', [
        'state',
        'description',
        'reference',
        'comment',
        'party',
        'company',
        'currency',
        'warehouse',
        'sale_date',
        'shipping_date',
        'payment_term',
        'lines.quantity',
        'lines.product',
      ]),
      create: () => ({
        body: {
          description: 'Plates for hall B',
          purchaseOrderNumber: 'PO-77',
          notes: 'Call first',
          customer: ref(customer),
          organization: ref(company),
          site: ref(warehouse),
          currency: ref(usd),
          paymentTerm: ref(term),
          orderDate: '2026-11-20',
          requestedDate: '2026-12-04',
          lines: [priced],
        },
        found: {
          state: 'draft',
          description: 'Plates for hall B',
          reference: 'PO-77',
          comment: 'Call first',
          party: customer,
          company,
          currency: usd,
          warehouse,
          payment_term: term,
          sale_date: date(2026, 11, 20),
          shipping_date: date(2026, 12, 4),
          'lines.': [{ quantity: 2, product: plate }],
        },
      }),
      update: () => ({
        body: { description: 'Plates for hall C', notes: null },
        found: { description: 'Plates for hall C', comment: null, reference: 'PO-77' },
      }),
      delete: () => ({ found: null }),
      actions: {
        cancel: () => status('cancelled', forReason),
        reopen: () => status('draft', { after: ['cancel'] }),
        'set-status': () => status('processing', { body: { statusCategory: 'open' } }),
      },
    },
    PurchaseRequisition: {
      find: inModel(rpc, 'purchase.requisition', [
        'state',
        'description',
        'employee',
        'company',
        'warehouse',
        'currency',
        'supply_date',
        'lines.quantity',
        'lines.supplier',
        'lines.unit_price',
      ]),
      create: () => ({
        body: {
          title: 'Plates for January',
          requestedBy: ref(employee, 'Employee'),
          organization: ref(company),
          site: ref(warehouse),
          currency: ref(eur),
          requiredDate: '2026-12-15',
          lines: [{ ...line, estimatedUnitPrice: 18, vendor: ref(vendor) }],
        },
        found: {
          state: 'draft',
          description: 'Plates for January',
          employee,
          company,
          warehouse,
          currency: eur,
          supply_date: date(2026, 12, 15),
          'lines.': [{ quantity: 2, supplier: vendor, unit_price: amount('18') }],
        },
      }),
      replace: () => ({
        body: {
          title: 'Plates for March',
          requestedBy: ref(employee, 'Employee'),
          organization: ref(company),
          currency: ref(eur),
          lines: [{ ...line, quantity: 9 }],
        },
        found: {
          description: 'Plates for March',
          employee,
          warehouse: null,
          supply_date: null,
          'lines.': [{ quantity: 9, supplier: null }],
        },
      }),
      delete: () => ({ found: null }),
      actions: {
        submit: () => status('waiting'),
        approve: () => status(['approved', 'processing'], { after: ['submit'] }),
        reject: () => status('rejected', { ...forReason, after: ['submit'] }),
        cancel: () => status('cancelled', forReason),
      },
    },
    ProductionOrder: {
      find: inModel(rpc, 'production', [
        'state',
        'reference',
        'product',
        'quantity',
        'bom',
        'warehouse',
        'location',
        'company',
        'planned_start_date',
        'planned_date',
        'inputs.product',
      ]),
      create: () => ({
        body: {
          description: 'For hall B',
          item: ref(pump, 'Item'),
          quantity: 1,
          unit: ref(unit),
          billOfMaterial: ref(bill),
          site: ref(warehouse),
          location: ref(floor),
          organization: ref(company),
          plannedStartAt: '2026-12-01T00:00:00Z',
          plannedEndAt: '2026-12-03T00:00:00Z',
        },
        found: {
          state: 'draft',
          reference: 'For hall B',
          product: pump,
          quantity: 1,
          bom: bill,
          warehouse,
          location: floor,
          company,
          planned_start_date: date(2026, 12, 1),
          planned_date: date(2026, 12, 3),
          'inputs.': [{}, {}],
        },
      }),
      update: () => ({
        body: { description: 'For hall C', plannedEndAt: null },
        found: { reference: 'For hall C', planned_date: null, bom: bill },
      }),
      delete: () => ({ found: null }),
      // The document starts only planned orders, and reopens only those that have ended.
      existing: {
        start: await productionIn(rpc, 'wait'),
        close: await productionIn(rpc, 'wait'),
        reopen: await productionIn(rpc, 'cancel'),
      },
      actions: {
        start: () => status('running'),
        close: () => status('done', { after: ['start'] }),
        reopen: () => status('draft'),
      },
    },
    InventoryDocument: {
      find: inModel(rpc, 'stock.inventory', ['state']),
      existing: { post: await newCount(rpc, plate), cancel: await newCount(rpc, plate) },
      actions: { post: () => status('done'), cancel: () => status('cancelled', forReason) },
    },
    Shipment: {
      find: inModel(rpc, 'stock.shipment.out', ['state']),
      existing: { complete: String(await idOf('stock.shipment.out', 'state', 'waiting')) },
      actions: { complete: () => status('done') },
    },
  };
}

const twoNamed = expect.arrayContaining([
  expect.objectContaining({ name: 'Supplier' }),
  expect.objectContaining({ name: 'Customer' }),
]);

/** Reads a record of a model, active or not; null if there is none. */
function inModel(rpc: Rpc, model: string, fields: readonly string[]): Recipe['find'] {
  const method = `model.${model}.search_read`;
  return async (key) => {
    const context = { ...rpc.context, active_test: false };
    const rows = (await rpc.raw(method, [[['id', '=', Number(key)]], 0, null, null, [...fields], context])) as Fields[];
    return rows[0] ?? null;
  };
}

/** The field of a payment that contains its description, in this series. */
function paymentText(series: string): string {
  return series === '6.0' ? 'description' : 'reference';
}

/** Creates a copy of a production that is a draft, and presses a button of it. */
async function productionIn(rpc: Rpc, button: string): Promise<string> {
  const draft = await rpc.id('production', [['state', '=', 'draft']]);
  const [copy = 0] = (await rpc.call('production', 'copy', [draft], { quantity: 1 })) as number[];
  await rpc.press('production', copy, button);
  return String(copy);
}

/** Creates a count of the storage. */
async function newCount(rpc: Rpc, product: number): Promise<string> {
  const { location = null, company = null } = await rpc.one('stock.inventory', [], ['location', 'company']);
  const lines = [['create', [{ product, quantity: 90 }]]] as const;
  return String(await rpc.createOne('stock.inventory', { location, company, date: day('2026-11-01'), lines }));
}
