import type { Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { amount, date, forReason, inModel, ref, status } from './values.ts';

/** Sales orders and their shipments. */
export async function sales(seeded: Seeded): Promise<Recipes> {
  return { SalesOrder: salesOrderRecipe(seeded), Shipment: await shipmentRecipe(seeded) };
}

function salesOrderRecipe(seeded: Seeded): Recipe {
  const { company, customer, warehouse, usd, term, rpc, priced, storedLine } = seeded;
  return {
    ...inModel(
      rpc,
      'sale.sale',
      'state description reference comment party company currency warehouse sale_date shipping_date ' +
        'payment_term lines.sequence lines.type lines.product lines.description lines.quantity lines.unit ' +
        'lines.unit_price',
    ),
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
        'lines.': [{ ...storedLine, type: 'line', unit_price: amount('25') }],
      },
    }),
    update: () => ({
      body: { description: 'Plates for hall C', notes: null },
      found: { description: 'Plates for hall C', comment: null },
      kept: { reference: 'PO-77' },
    }),
    delete: () => ({ found: null }),
    actions: {
      cancel: () => status('cancelled', forReason),
      reopen: () => status('draft', { after: ['cancel'] }),
      'set-status': () => status('processing', { body: { statusCategory: 'open' } }),
    },
  };
}

async function shipmentRecipe({ rpc }: Seeded): Promise<Recipe> {
  return {
    ...inModel(rpc, 'stock.shipment.out', 'state'),
    existing: { complete: String(await rpc.id('stock.shipment.out', [['state', '=', 'waiting']])) },
    actions: { complete: () => status('done') },
  };
}
