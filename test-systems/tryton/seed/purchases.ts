import { day, decimal, type Fields, type Rpc } from '../rpc.ts';
import type { SeededAccounting } from './accounting.ts';
import type { SeededCompany } from './company.ts';
import type { SeededParties } from './parties.ts';
import type { SeededProducts } from './products.ts';

type Seeded = SeededCompany & SeededAccounting & SeededParties & SeededProducts;

/** For each state of an order, the buttons that lead to it, in sequence. */
const histories = [[], ['quote'], ['quote', 'confirm'], ['cancel']];

/** 40 orders in the states draft, quotation, processing and cancelled: one per vendor, two for the first ten. */
export async function seedPurchases(rpc: Rpc, seeded: Seeded): Promise<void> {
  const warehouse = await rpc.id('stock.location', [['type', '=', 'warehouse']]);
  const addresses = await rpc.search('party.address', [['party', 'in', seeded.vendors]], ['party']);
  const addressOf = new Map(addresses.map(({ party, id }) => [party, id]));
  const orders = [...seeded.vendors, ...seeded.vendors.slice(0, 10)].map((party, index) => ({
    ...order(party, index, seeded),
    warehouse,
    invoice_address: addressOf.get(party) ?? null,
  }));
  const ids = await rpc.create('purchase.purchase', ...orders);
  for (const [index, id] of ids.entries()) {
    for (const button of histories[index % histories.length] ?? []) await rpc.press('purchase.purchase', id, button);
  }
}

function order(party: number, index: number, { company, usd, eur, net30, ...seeded }: Seeded): Fields {
  const lines = Array.from({ length: 1 + (index % 3) }, (_, place) => line(index + place, seeded));
  return {
    company,
    party,
    currency: index % 4 === 1 ? eur : usd,
    payment_term: net30,
    purchase_date: day(
      `2026-${String(1 + (index % 10)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`,
    ),
    reference: `REF-${1000 + index}`,
    description: `Order ${index + 1}`,
    lines: [['create', lines]],
  };
}

function line(number: number, { products, unit, tax }: SeededProducts & { tax: number }): Fields {
  return {
    type: 'line',
    product: products[number % products.length] ?? null,
    unit,
    quantity: 5 + number,
    unit_price: decimal(`${1 + (number % 7)}.2500`),
    taxes: [['add', [tax]]],
  };
}
