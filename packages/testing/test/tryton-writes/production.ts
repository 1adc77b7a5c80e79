import { day, type Rpc } from '../../../../test-systems/tryton/rpc.ts';
import type { Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { date, forReason, inModel, ref, status } from './values.ts';

/** Production orders and counts of stock. */
export async function production(seeded: Seeded): Promise<Recipes> {
  return {
    ProductionOrder: await productionOrderRecipe(seeded),
    InventoryDocument: await inventoryDocumentRecipe(seeded),
  };
}

async function productionOrderRecipe({ company, pump, unit, warehouse, floor, bill, rpc }: Seeded): Promise<Recipe> {
  return {
    ...inModel(
      rpc,
      'production',
      'state reference product quantity bom warehouse location company planned_start_date planned_date ' +
        'inputs.product',
    ),
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
      found: { reference: 'For hall C', planned_date: null },
      kept: { bom: bill },
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
  };
}

async function inventoryDocumentRecipe({ plate, rpc }: Seeded): Promise<Recipe> {
  return {
    ...inModel(rpc, 'stock.inventory', 'state'),
    existing: { post: await newCount(rpc, plate), cancel: await newCount(rpc, plate) },
    actions: { post: () => status('done'), cancel: () => status('cancelled', forReason) },
  };
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
