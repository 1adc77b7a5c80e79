import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo, daysSince, dottedDay, withComma } from '../../time.ts';
import { controlAccountOf } from '../master/partners.ts';
import { taxOfCustomer } from '../master/party-taxes.ts';
import { type Tax, taxCents } from '../master/taxes.ts';
import { salesOrders } from '../sales/sales-orders.ts';

const MOST = 12;
const orders = new Map(salesOrders.map((order) => [order.vknr, order]));

/** Credit notes, numbered from `first`, for goods that customers returned and that were not settled otherwise. */
export function returnCredits(returns: readonly SeedRow[], lines: readonly SeedRow[], first: number): SeedRow[] {
  const credited = returns.filter(({ art, status }) => art === 'K' && status === 'G').slice(0, MOST);
  return credited.map((found, index) => {
    const own = lines.filter(({ retnr }) => retnr === found.retnr);
    return credit(found, own, first + index);
  });
}

function credit(found: SeedRow, lines: readonly SeedRow[], gutnr: number): SeedRow {
  const order = orders.get(Number(found.vknr));
  const tax = taxOfCustomer(order?.store.mand ?? '010', Number(found.kdnr));
  const positions = lines.map((line) => position(line, tax));
  const sum = (column: string) => positions.reduce((total, row) => total + cents(String(row[column])), 0);
  const taxes = sum('ust');
  const total = sum('betrag') + taxes;
  const days = Math.max(daysSince(found.erledigt) - 1, 0.3);
  return {
    gutnr,
    belegnr: `CN-${gutnr - 6_000_000_000}`,
    beschr: `Return ${found.belegnr}`,
    belegart: 'D',
    kdnr: found.kdnr ?? null,
    liefnr: null,
    rechnr: null,
    retnr: found.retnr ?? null,
    status: 'G',
    mand: order?.store.mand ?? '010',
    kst: '1110',
    konto: Number(controlAccountOf('D', Number(found.kdnr))) + 50_000,
    waehr: found.waehr ?? null,
    schluessel: null,
    gutdat: dottedDay(daysAgo(days)),
    kz_brutto: 'N',
    ust_ct: taxes,
    brutto_ct: total,
    rest_ct: total,
    angerechnet_am: null,
    grund: 'CR-RET',
    positionen: positions,
    zuordnung: [],
    zeichen: null,
    bem: null,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(days).toISOString(),
  };
}

function position({ posnr, artid, text, menge, preis }: SeedRow, tax: Tax): SeedRow {
  const net = Math.round(Number(menge) * Number(preis) * 100);
  return {
    pos: posnr ?? null,
    artnr: `IT-${artid}`,
    text: text ?? null,
    menge: String(menge),
    preis: withComma(Number(preis)),
    stkz: tax.code,
    ust: withComma(taxCents(net, tax) / 100),
    betrag: withComma(net / 100),
    ktonr: '4070',
    projkz: null,
  };
}

function cents(amount: string): number {
  return Math.round(Number(amount.replace(',', '.')) * 100);
}
