import type { Fields, Rpc } from '../rpc.ts';
import type { SeededAccounting } from './accounting.ts';

/** Ids of the rows that other seeds refer to. */
export interface SeededParties {
  /** Parties that goods are bought from, in order. */
  readonly vendors: readonly number[];
}

const trades = ['Supplies', 'Steel', 'Fasteners', 'Electronics', 'Packaging', 'Tools'];
const owners = ['Acme', 'Borealis', 'Cobalt', 'Delta', 'Evergreen'];
const buyers = ['Northwind', 'Oakridge', 'Pinnacle', 'Quarry', 'Riverside', 'Summit'];
const forms = ['LLC', 'Retail', 'Services', 'Works'];
const towns = [
  { city: 'Berlin', postal_code: '10115', country: 'DE' },
  { city: 'Austin', postal_code: '73301', country: 'US' },
  { city: 'Lyon', postal_code: '69001', country: 'FR' },
];

/**
 * 30 vendors, 24 customers, one that is both and one that is neither. Vendors are recognizable in different ways: by their
 * category, by their terms, or by the goods that they supply (see products and purchases).
 */
export async function seedParties(rpc: Rpc, accounting: SeededAccounting): Promise<SeededParties> {
  const supplier = await rpc.createOne('party.category', { name: 'Supplier' });
  const customer = await rpc.createOne('party.category', { name: 'Customer' });
  const countries = new Map((await rpc.search('country.country', [], ['code'])).map(({ code, id }) => [code, id]));
  const address = (index: number) => {
    const town = towns[index % towns.length] ?? { city: '', postal_code: '', country: '' };
    return { ...town, street: `${index + 1} Dock Road`, country: countries.get(town.country) ?? null };
  };
  const vendors = owners.flatMap((owner) => trades.map((trade) => `${owner} ${trade}`));
  const customers = buyers.flatMap((buyer) => forms.map((form) => `${buyer} ${form}`));
  const vendorIds = await rpc.create(
    'party.party',
    ...vendors.map((name, index) => ({
      ...party(name, `V${String(index + 1).padStart(3, '0')}`, index, address(index)),
      ...vendorMarks(index, supplier, accounting),
    })),
  );
  await rpc.create(
    'party.party',
    ...customers.map((name, index) => ({
      ...party(name, `C${String(index + 1).padStart(3, '0')}`, index, address(index)),
      ...(index % 2 === 0 ? { categories: [['add', [customer]]] } : { customer_payment_term: accounting.net30 }),
    })),
    { name: 'Barter Brothers', code: 'B001', categories: [['add', [supplier, customer]]] },
    { name: 'City Tax Office', code: 'X001' },
  );
  return { vendors: vendorIds };
}

/** One third by category, one third by payment terms, the rest only by the goods that they supply. */
function vendorMarks(index: number, supplier: number, { net30, net60 }: SeededAccounting): Fields {
  if (index % 3 === 0) return { categories: [['add', [supplier]]] };
  if (index % 3 === 1) return { supplier_payment_term: index % 2 === 0 ? net30 : net60 };
  return {};
}

function party(name: string, code: string, index: number, address: Fields): Fields {
  const host = `${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const ways = [
    { type: 'email', value: `sales@${host}` },
    { type: 'phone', value: `+49 30 ${100000 + index}` },
    { type: 'website', value: `https://${host}` },
  ];
  const identifiers = index % 5 === 0 ? [['create', [{ type: null, code: `TAX-${1000 + index}` }]]] : [];
  return { name, code, addresses: [['create', [address]]], contact_mechanisms: [['create', ways]], identifiers };
}
