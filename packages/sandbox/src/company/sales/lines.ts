import type { Random } from '../../random.ts';
import { centsIn, percentIn } from '../ledger/exchange-rates.ts';
import { articles } from '../master/items.ts';
import { streetOf } from '../master/local.ts';
import { type Tax, taxCents } from '../master/taxes.ts';
import { homeOf } from '../stock/levels.ts';

/** A position of a quote or a sales order. */
export interface SalesLine {
  readonly posnr: number;
  /** A item, D service, F freight. */
  readonly kind: 'A' | 'D' | 'F';
  readonly artid: number | null;
  readonly text: string;
  readonly quantity: number;
  readonly unit: string;
  readonly price: number;
  readonly discount: number | null;
  /** Additional discount, as an amount. */
  readonly deduction: number | null;
  /** Net amount after discount. */
  readonly net: number;
  readonly tax: number;
  /** Number of the tax rate. */
  readonly stnr: number;
}

export type UntaxedLine = Omit<SalesLine, 'tax' | 'stnr'>;

const sold = articles.filter(({ kind }) => kind === 'FERT');
const spare = articles.filter(
  ({ kind, artid, template }) => (kind === 'TEIL' || kind === 'HILF') && template !== artid,
);

/** Machines and spare parts to choose from. */
export interface Range {
  readonly sold: typeof articles;
  readonly spare: typeof articles;
}

/** The machines and spare parts that a store keeps. */
export function rangeOf(platznr: number): Range {
  const isKept = ({ artid }: (typeof articles)[number]) => homeOf.get(artid)?.store.platznr === platznr;
  return { sold: sold.filter(isKept), spare: spare.filter(isKept) };
}
const services = ['Installation', 'Commissioning', 'Training on site', 'Yearly inspection'];

/** One to six positions in euros: machines and spare parts, sometimes labor or freight. */
export function salesLines({ between, chance, pick }: Random, range: Range = { sold, spare }): UntaxedLine[] {
  const goods = Array.from({ length: between(1, 4) }, () => {
    const article = chance(0.4) ? pick(range.sold) : pick(range.spare);
    return {
      kind: 'A' as const,
      artid: article.artid,
      text: article.name,
      quantity: between(1, article.kind === 'FERT' ? 2 : article.cents < 2_000 ? 80 : 8),
      unit: article.unit,
      price: Math.round(article.cents * 1.35) / 100,
    };
  });
  const work = {
    kind: 'D' as const,
    artid: null,
    text: pick(services),
    quantity: between(2, 24),
    unit: 'H',
    price: 72,
  };
  const freight = {
    kind: 'F' as const,
    artid: null,
    text: 'Freight',
    quantity: 1,
    unit: 'STK',
    price: between(15, 90),
  };
  const all = [...goods, ...(chance(0.2) ? [work] : []), ...(chance(0.25) ? [freight] : [])];
  return all.map((line, index) => {
    const discount = line.kind === 'A' && chance(0.2) ? pick([2, 3, 5, 10]) : null;
    const reduced = reducedCents(line, discount);
    const deduction = (line.artid ?? 0) % 40 === 11 && reduced > 10_000 ? 5 : null;
    const net = (reduced - cents(deduction ?? 0)) / 100;
    return { ...line, posnr: index + 1, discount, deduction, net };
  });
}

/** Positions in euros, converted to the currency of a document at the rate of its day. */
export function exchanged(lines: readonly UntaxedLine[], currency: string, days: number): UntaxedLine[] {
  const convert = (euros: number) => centsIn(currency, cents(euros), days) / 100;
  return lines.map((line) => {
    const discount = percentIn(currency, line.discount);
    const deduction = line.deduction && convert(line.deduction);
    const price = convert(line.price);
    const net = (reducedCents({ ...line, price }, discount) - cents(deduction ?? 0)) / 100;
    return { ...line, price, discount, deduction, net };
  });
}

function reducedCents({ quantity, price }: { quantity: number; price: number }, discount: number | null): number {
  return Math.round((cents(quantity * price) * (100 - (discount ?? 0))) / 100);
}

/** An amount in whole cents. */
export function cents(amount: number): number {
  return Math.round(amount * 100);
}

/** The line with its tax, rounded as in the system. */
export function taxed<L extends UntaxedLine>(line: L, tax: Tax): L & SalesLine {
  return { ...line, tax: taxOn(line.net, tax), stnr: tax.stnr };
}

export function taxOn(net: number, tax: Tax): number {
  return taxCents(cents(net), tax) / 100;
}

/** Sum of one amount over all lines, in cents. */
export function totalCents<T>(lines: readonly T[], part: (line: T) => number): number {
  return lines.reduce((total, line) => total + cents(part(line)), 0);
}

/** The fields of a company that an address needs. */
interface Home {
  readonly name: string;
  readonly city: { readonly name: string; readonly country: string; readonly postalCodes: readonly string[] };
}

/** The six columns of an address in a document; all empty without a company. */
export function addressColumns(prefix: string, home: Home | null): Record<string, string | null> {
  return {
    [`${prefix}_name`]: home?.name ?? null,
    [`${prefix}_strasse`]: home && streetOf(home),
    [`${prefix}_zusatz`]: home && 'Goods entrance',
    [`${prefix}_plz`]: home?.city.postalCodes[0] ?? null,
    [`${prefix}_ort`]: home?.city.name ?? null,
    [`${prefix}_lkz`]: home?.city.country ?? null,
  };
}
