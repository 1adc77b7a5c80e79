import { day, decimal, type Fields, type Rpc } from '../rpc.ts';
import type { SeriesNames } from '../series.ts';
import type { SeededAccounting } from './accounting.ts';
import type { SeededCompany } from './company.ts';
import type { SeededParties } from './parties.ts';
import type { SeededProducts } from './products.ts';

type Seeded = SeededCompany & SeededAccounting & SeededParties & SeededProducts & { readonly names: SeriesNames };

/** Sales with their shipments, a receipt, a count, a bill of materials with two productions, requisitions, projects and notes. */
export async function seedOperations(rpc: Rpc, seeded: Seeded): Promise<void> {
  const warehouse = await rpc.id('stock.location', [['type', '=', 'warehouse']]);
  await seedReceipt(rpc, warehouse, seeded.names);
  await seedCount(rpc, seeded);
  await seedSales(rpc, warehouse, seeded);
  await seedProductions(rpc, warehouse, seeded);
  await seedRequisitions(rpc, warehouse, seeded);
  await seedProjects(rpc, seeded);
  await seedNotes(rpc);
}

/** The goods of the first order that is processed, which have arrived. */
async function seedReceipt(rpc: Rpc, warehouse: number, names: SeriesNames): Promise<void> {
  const { moves, party } = await rpc.one('purchase.purchase', [['state', '=', 'processing']], ['moves', 'party']);
  const places = await rpc.one('stock.location', [['id', '=', warehouse]], ['input_location', 'storage_location']);
  const required = Object.entries(names.shipmentIn).map(([field, place]) => [field, places[place] ?? null]);
  const shipment = await rpc.createOne('stock.shipment.in', {
    ...Object.fromEntries(required),
    supplier: party ?? null,
    warehouse,
    reference: 'LS-4711',
    incoming_moves: [['add', moves as number[]]],
  });
  for (const button of ['receive', names.done]) await rpc.press('stock.shipment.in', shipment, button);
}

/** A count of the storage, which finds enough of every product. */
async function seedCount(rpc: Rpc, { company, products }: Seeded): Promise<void> {
  const location = await rpc.id('stock.location', [['code', '=', 'STO']]);
  const lines = products.slice(0, 5).map((product) => ({ product, quantity: 100 }));
  const values = { company, location, date: day('2026-03-31') };
  const count = await rpc.createOne('stock.inventory', { ...values, lines: [['create', lines]] });
  await rpc.press('stock.inventory', count, 'confirm');
  await rpc.createOne('stock.inventory', { ...values, date: day('2026-09-30') });
}

/** For each sale, the buttons that lead to its state, in sequence. They are invoiced by hand, so there are no invoices. */
const histories = [[], ['quote'], ['quote', 'confirm', 'process'], ['quote', 'confirm', 'process'], ['cancel']];

async function seedSales(rpc: Rpc, warehouse: number, { company, usd, net30, ...seeded }: Seeded): Promise<void> {
  const customers = await rpc.search('party.party', [['code', 'like', 'C00%']], ['addresses']);
  const sales = await rpc.create(
    'sale.sale',
    ...histories.map((_, index) => {
      const { id, addresses } = customers[index] ?? {};
      const [address = null] = (addresses as number[] | undefined) ?? [];
      return {
        company,
        party: id ?? null,
        invoice_address: address,
        shipment_address: address,
        currency: usd,
        payment_term: net30,
        warehouse,
        invoice_method: 'manual',
        shipment_method: 'order',
        sale_date: day('2026-05-04'),
        reference: `KD-${index}`,
        description: `Sale ${index + 1}`,
        lines: [['create', [saleLine(index, seeded), saleLine(index + 1, seeded)]]],
      };
    }),
  );
  for (const [index, buttons] of histories.entries())
    for (const button of buttons) await rpc.press('sale.sale', sales[index] ?? 0, button);
  const [first] = await rpc.search('stock.shipment.out', []);
  for (const button of ['assign_force', 'pick', 'pack', seeded.names.done])
    await rpc.press('stock.shipment.out', Number(first?.id), button);
}

function saleLine(number: number, { products, unit, tax }: SeededProducts & { tax: number }): Fields {
  return {
    type: 'line',
    product: products[number % 5] ?? null,
    unit,
    quantity: 2 + number,
    unit_price: decimal('25.5000'),
    taxes: [['add', [tax]]],
  };
}

async function seedProductions(rpc: Rpc, warehouse: number, { names, ...seeded }: Seeded): Promise<void> {
  const { company, products, usd } = seeded;
  const unit = { [names.unit]: seeded.unit };
  const [bolt = 0, plate = 0, pump = 0] = products;
  const { template } = await rpc.one('product.product', [['id', '=', pump]], ['template']);
  await rpc.write('product.template', Number(template), { producible: true });
  const bom = await rpc.createOne('production.bom', {
    name: 'Pump',
    inputs: [['create', [plate, bolt].map((product, index) => ({ product, quantity: 2 + 2 * index, ...unit }))]],
    outputs: [['create', [{ product: pump, quantity: 1, ...unit }]]],
  });
  await rpc.createOne('product.product-production.bom', { product: pump, bom });
  const center = await rpc.createOne('production.work.center', { name: 'Assembly', company, warehouse });
  const operation = await rpc.createOne('production.routing.operation', { name: 'Assemble' });
  await rpc.createOne('production.routing', {
    name: 'Assembly of pumps',
    boms: [['add', [bom]]],
    steps: [['create', [{ sequence: 10, operation }]]],
  });
  const location = await rpc.id('stock.location', [['type', '=', 'production']]);
  const storage = await rpc.id('stock.location', [['code', '=', 'STO']]);
  const move = (product: number, quantity: number, isInput: boolean) => ({
    product,
    quantity,
    ...unit,
    company,
    from_location: isInput ? storage : location,
    to_location: isInput ? location : storage,
    ...(!isInput && { unit_price: decimal('80.0000'), currency: usd }),
  });
  const orders = [3, 5].map((quantity) => ({
    company,
    warehouse,
    location,
    product: pump,
    bom,
    ...unit,
    quantity,
    planned_date: day('2026-06-01'),
    planned_start_date: day('2026-05-28'),
    inputs: [['create', [move(plate, 2 * quantity, true), move(bolt, 4 * quantity, true)]]],
    outputs: [['create', [move(pump, quantity, false)]]],
    works: [['create', [{ sequence: 10, operation, work_center: center, company }]]],
  }));
  const [first = 0] = await rpc.create('production', ...orders);
  for (const button of ['wait', 'assign_force', 'run']) await rpc.press('production', first, button);
  const work = await rpc.id('production.work', [['production', '=', first]]);
  const cycle = await rpc.createOne('production.work.cycle', { work });
  for (const button of ['run', 'do']) await rpc.press('production.work.cycle', cycle, button);
  await rpc.press('production', first, names.done);
}

async function seedRequisitions(rpc: Rpc, warehouse: number, { company, usd, products, unit, vendors }: Seeded) {
  const employee = await rpc.id('company.employee', []);
  const line = {
    product: products[1] ?? null,
    quantity: 20,
    unit,
    unit_price: decimal('18.0000'),
    supplier: vendors[0] ?? null,
  };
  const values = { company, employee, warehouse, currency: usd, supply_date: day('2026-12-15') };
  const [, waiting] = await rpc.create(
    'purchase.requisition',
    { ...values, description: 'Plates for January', lines: [['create', [line]]] },
    { ...values, description: 'Plates for February', lines: [['create', [line]]] },
  );
  await rpc.press('purchase.requisition', waiting ?? 0, 'wait');
}

async function seedProjects(rpc: Rpc, { company }: Seeded): Promise<void> {
  const party = await rpc.id('party.party', [['code', '=', 'C001']]);
  const project = await rpc.createOne('project.work', { name: 'New bottling line', type: 'project', company, party });
  await rpc.create('project.work', { name: 'Foundation', type: 'project', company, parent: project });
}

async function seedNotes(rpc: Rpc): Promise<void> {
  const resource = `purchase.purchase,${await rpc.id('purchase.purchase', [])}`;
  await rpc.create('ir.note', { resource, message: 'Vendor asks for a call' });
  await rpc.create('ir.attachment', { resource, name: 'Offer', type: 'link', link: 'https://acme.example/offer.pdf' });
}
