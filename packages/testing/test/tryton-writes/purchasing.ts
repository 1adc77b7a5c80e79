import type { Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { amount, date, forReason, inModel, ref, status } from './values.ts';

const LINES = 'lines.sequence lines.product lines.description lines.quantity lines.unit lines.unit_price';

/** Documents of purchasing. */
export function purchasing(seeded: Seeded): Recipes {
  return { PurchaseRequisition: purchaseRequisitionRecipe(seeded), PurchaseOrder: purchaseOrderRecipe(seeded) };
}

function purchaseRequisitionRecipe({
  company,
  vendor,
  warehouse,
  employee,
  eur,
  rpc,
  line,
  storedLine,
}: Seeded): Recipe {
  return {
    ...inModel(
      rpc,
      'purchase.requisition',
      `state description employee company warehouse currency supply_date lines.supplier ${LINES}`,
    ),
    create: () => ({
      body: {
        title: 'Plates for January',
        requestedBy: ref(employee, 'Employee'),
        organization: ref(company),
        site: ref(warehouse),
        currency: ref(eur),
        requiredDate: '2026-12-15',
        lines: [{ ...line, line: 1, estimatedUnitPrice: 18, vendor: ref(vendor) }],
      },
      found: {
        state: 'draft',
        description: 'Plates for January',
        employee,
        company,
        warehouse,
        currency: eur,
        supply_date: date(2026, 12, 15),
        'lines.': [{ ...storedLine, supplier: vendor, unit_price: amount('18') }],
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
        warehouse: null,
        supply_date: null,
        'lines.': [{ quantity: 9, supplier: null }],
      },
      kept: { employee },
    }),
    delete: () => ({ found: null }),
    actions: {
      submit: () => status('waiting'),
      approve: () => status(['approved', 'processing'], { after: ['submit'] }),
      reject: () => status('rejected', { ...forReason, after: ['submit'] }),
      cancel: () => status('cancelled', forReason),
    },
  };
}

function purchaseOrderRecipe(seeded: Seeded): Recipe {
  const { company, vendor, warehouse, eur, term, rpc, priced, storedLine } = seeded;
  return {
    ...inModel(
      rpc,
      'purchase.purchase',
      'state description reference comment party company currency warehouse purchase_date delivery_date ' +
        `payment_term lines.type lines.note ${LINES}`,
    ),
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
        lines: [{ ...priced, notes: 'On pallets' }],
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
        'lines.': [{ ...storedLine, type: 'line', unit_price: amount('25'), note: 'On pallets' }],
      },
    }),
    update: () => ({
      body: { title: 'Plates for hall C', notes: null, lines: [{ ...priced, quantity: 7 }] },
      found: { description: 'Plates for hall C', comment: null, 'lines.': [{ quantity: 7 }] },
      kept: { reference: 'Q-7781' },
    }),
    delete: () => ({ found: null }),
    actions: {
      submit: () => status('quotation'),
      approve: () => status('processing', { after: ['submit'] }),
      cancel: () => status('cancelled', forReason),
      reopen: () => status('draft', { after: ['cancel'] }),
      'set-status': () => status('quotation', { body: { statusCategory: 'pending_approval' } }),
    },
  };
}
