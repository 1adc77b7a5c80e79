import type { Row } from '../src/driver.ts';
import type { RunningTryton } from './running-tryton.ts';

/** A relation of the rows of a stream, and a change of the records that it leads to. */
export interface FollowedRelation {
  readonly stream: string;
  /** Its path, such as `invoice_address.country`. */
  readonly relation: string;
  /** The model of these records. */
  readonly model: string;
  readonly change: Row;
  /** Sets the relation of a row, and returns its id: no row of the seed has a record there that can be changed. */
  set?(rpc: Rpc): Promise<number>;
}

type Rpc = RunningTryton['rpc'];

const named = { name: 'Changed' };
const inAddress = (stream: string, address: string): FollowedRelation[] => [
  { stream, relation: address, model: 'party.address', change: { city: 'Changed' } },
  { stream, relation: `${address}.country`, model: 'country.country', change: named },
];

/** Relations from which rows have values, and that are not changed when these values change. */
export const followedRelations: readonly FollowedRelation[] = [
  { stream: 'account.account', relation: 'type', model: 'account.account.type', change: named },
  { stream: 'account.tax', relation: 'group', model: 'account.tax.group', change: named, set: setTaxGroup },
  { stream: 'account.move', relation: 'lines.account', model: 'account.account', change: named },
  { stream: 'account.move', relation: 'lines.account.type', model: 'account.account.type', change: named },
  { stream: 'account.move.line', relation: 'account', model: 'account.account', change: named },
  { stream: 'account.move.line', relation: 'account.type', model: 'account.account.type', change: named },
  ...inAddress('account.invoice', 'invoice_address'),
  {
    ...{ stream: 'party.address', relation: 'subdivision', model: 'country.subdivision', change: named },
    set: setSubdivision,
  },
  { stream: 'product.uom', relation: 'category', model: 'product.uom.category', change: named, set: setUnitCategory },
  { stream: 'product.product', relation: 'template.account_category', model: 'product.category', change: named },
  { stream: 'purchase.purchase', relation: 'payment_term', model: 'account.invoice.payment_term', change: named },
  ...inAddress('purchase.purchase', 'invoice_address'),
  {
    ...{ stream: 'purchase.line', relation: 'product_supplier', model: 'purchase.product_supplier' },
    ...{ change: { code: 'Changed' }, set: setProductSupplier },
  },
  ...inAddress('sale.sale', 'invoice_address'),
  ...inAddress('sale.sale', 'shipment_address'),
  ...inAddress('stock.shipment.out', 'delivery_address'),
  { stream: 'stock.move', relation: 'from_location', model: 'stock.location', change: named },
  { stream: 'stock.move', relation: 'to_location', model: 'stock.location', change: named },
  { stream: 'stock.move', relation: 'lot', model: 'stock.lot', change: { number: 'Changed' }, set: setLot },
  { stream: 'production.work', relation: 'operation', model: 'production.routing.operation', change: named },
  { stream: 'production.routing.step', relation: 'operation', model: 'production.routing.operation', change: named },
  {
    ...{ stream: 'production.work.center', relation: 'category', model: 'production.work.center.category' },
    ...{ change: named, set: setCenterCategory },
  },
  { stream: 'project.work', relation: 'status', model: 'project.work.status', change: named },
];

/** A row that has a record at the relation, and the id of that record. */
export async function relatedRow(rpc: Rpc, { stream, relation, set }: FollowedRelation) {
  const row = await rpc.one(stream, set ? [['id', '=', await set(rpc)]] : [[relation, '!=', null]], [relation]);
  return { key: String(row.id), id: idAt(row, relation.split('.')) };
}

/** The id at the end of a path in a row; of a list, its first element counts. */
function idAt(row: Row, [name = '', ...rest]: readonly string[]): number {
  if (rest.length === 0) return Number([row[name]].flat()[0]);
  const [below] = [row[`${name}.`]].flat();
  return idAt(below as Row, rest);
}

async function setTaxGroup(rpc: Rpc): Promise<number> {
  const group = await rpc.createOne('account.tax.group', { name: 'Tax on sales', code: 'SALES', kind: 'both' });
  const { id } = await rpc.one('account.tax', []);
  await rpc.write('account.tax', Number(id), { group });
  return Number(id);
}

/** Those of the base configuration cannot be changed. */
async function setUnitCategory(rpc: Rpc): Promise<number> {
  const category = await rpc.createOne('product.uom.category', { name: 'Flow' });
  return rpc.createOne('product.uom', { name: 'Liter per second', symbol: 'l/s', category, factor: 1, rate: 1 });
}

async function setSubdivision(rpc: Rpc): Promise<number> {
  const { id, country } = await rpc.one('party.address', [['country', '!=', null]], ['country']);
  const values = { name: 'Brandenburg', code: 'DE-BB', type: 'state', country };
  await rpc.write('party.address', Number(id), { subdivision: await rpc.createOne('country.subdivision', values) });
  return Number(id);
}

async function setProductSupplier(rpc: Rpc): Promise<number> {
  const parties = (await rpc.search('purchase.product_supplier', [], ['party'])).map(({ party }) => party);
  const lines = await rpc.search(
    'purchase.line',
    [
      ['purchase.state', '=', 'draft'],
      ['purchase.party', 'in', parties],
      ['product', '!=', null],
    ],
    ['product.template', 'purchase.party'],
  );
  for (const line of lines) {
    const { template } = line['product.'] as Row;
    const { party } = line['purchase.'] as Row;
    const [supplier] = await rpc.search('purchase.product_supplier', [
      ['party', '=', party],
      ['template', '=', template],
    ]);
    if (!supplier) continue;
    await rpc.write('purchase.line', Number(line.id), { product_supplier: supplier.id });
    return Number(line.id);
  }
  throw new Error('No draft has a product that its vendor supplies.');
}

async function setLot(rpc: Rpc): Promise<number> {
  const { id, product } = await rpc.one('stock.move', [['state', '=', 'draft']], ['product']);
  await rpc.write('stock.move', Number(id), { lot: await rpc.createOne('stock.lot', { number: 'L-1', product }) });
  return Number(id);
}

async function setCenterCategory(rpc: Rpc): Promise<number> {
  const { id } = await rpc.one('production.work.center', []);
  const category = await rpc.createOne('production.work.center.category', { name: 'Assembly' });
  await rpc.write('production.work.center', Number(id), { category });
  return Number(id);
}
