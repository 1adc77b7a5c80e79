import { decimal, type Fields, type Rpc } from '../rpc.ts';
import type { SeededAccounting } from './accounting.ts';
import type { SeededCompany } from './company.ts';
import type { SeededParties } from './parties.ts';

/** Ids of the rows that other seeds refer to. */
export interface SeededProducts {
  /** Purchasable products with accounts, in order. */
  readonly products: readonly number[];
  /** A product without an account: Tryton cannot process an order for it. */
  readonly productWithoutAccount: number;
  readonly unit: number;
}

const goods = [
  { name: 'Bolt M8', code: 'BOLT-M8', cost: '0.1000', price: '0.2500' },
  { name: 'Steel plate', code: 'PLATE-1', cost: '12.5000', price: '20.0000' },
  { name: 'Pump', code: 'PUMP-1', cost: '150.0000', price: '299.0000' },
  { name: 'Valve DN50', code: 'VALVE-50', cost: '42.0000', price: '79.9000' },
  { name: 'Gasket set', code: 'GASKET-1', cost: '3.7500', price: '7.5000' },
  { name: 'Bearing 6204', code: 'BEAR-6204', cost: '4.2000', price: '9.9000' },
  { name: 'Control unit', code: 'CTRL-1', cost: '88.0000', price: '149.0000' },
  { name: 'Cable 10 m', code: 'CABLE-10', cost: '6.4000', price: '12.0000' },
  { name: 'Carton large', code: 'BOX-L', cost: '0.9000', price: '1.5000' },
  { name: 'Pallet', code: 'PALLET-1', cost: '11.0000', price: '18.0000' },
];
const services = [{ name: 'Installation', code: 'SERV-INST', cost: '45.0000', price: '90.0000' }];

/** Goods, a service and a product without an account; every fifth vendor supplies two of the goods. */
export async function seedProducts(
  rpc: Rpc,
  seeded: SeededCompany & SeededAccounting & SeededParties,
): Promise<SeededProducts> {
  const unit = await rpc.id('product.uom', [['symbol', '=', 'u']]);
  const category = { account_category: seeded.goodsCategory };
  const templates = await rpc.create(
    'product.template',
    ...goods.map((each) => ({ ...template(each, 'goods', unit), ...category })),
    ...services.map((each) => ({ ...template(each, 'service', unit), ...category })),
    template({ name: 'Unaccounted thing', code: 'NO-ACCOUNT', cost: '1.0000', price: '2.0000' }, 'goods', unit),
  );
  await seedSupply(rpc, templates, seeded);
  const products = (await rpc.search('product.product', [['template', 'in', templates]])).map(({ id }) => Number(id));
  return { products: products.slice(0, -1), productWithoutAccount: products.at(-1) ?? 0, unit };
}

function template({ name, code, cost, price }: (typeof goods)[number], type: string, unit: number): Fields {
  return {
    name,
    code,
    type,
    default_uom: unit,
    purchasable: true,
    purchase_uom: unit,
    salable: true,
    sale_uom: unit,
    list_price: decimal(price),
    cost_price_method: 'fixed',
    products: [['create', [{ cost_price: decimal(cost) }]]],
  };
}

async function seedSupply(
  rpc: Rpc,
  templates: readonly number[],
  { vendors, company, usd }: SeededCompany & SeededParties,
): Promise<void> {
  const supplies = vendors
    .filter((_, index) => index % 5 === 0)
    .flatMap((party, index) => [0, 1].map((more) => ({ party, template: templates[index + more] ?? null })));
  const prices = [['create', [{ quantity: 0, unit_price: decimal('2.5000') }]]];
  await rpc.create(
    'purchase.product_supplier',
    ...supplies.map((supply) => ({ ...supply, company, currency: usd, prices })),
  );
}
