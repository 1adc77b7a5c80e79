import { taxRates } from '../../data/tax-rates.ts';
import type { Random } from '../../random.ts';
import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo, daysSince, dottedDay } from '../../time.ts';
import { centsIn, percentIn } from '../ledger/exchange-rates.ts';
import { organizationTable } from '../master/departments.ts';
import { type Article, articles } from '../master/items.ts';
import { streetOf } from '../master/local.ts';
import { customers, type TradingRecord } from '../master/partners.ts';
import { technicians } from '../master/people.ts';
import { places } from '../master/places.ts';
import { type Tax, taxCents, taxOf } from '../master/taxes.ts';
import { mainContactOf } from '../people/contacts.ts';
import type { Draft } from './draft.ts';
import { ownDocuments, type Sales } from './own-documents.ts';

const SALES = 340;
/** Rows of the documents that become invoices, and of their positions. */
export interface Documents extends Sales {
  readonly purchaseOrders: readonly SeedRow[];
  readonly purchaseLines: readonly SeedRow[];
}

/**
 * All invoices: first one to Baker & Sons for bolts, then other sales, then those for finished purchase orders, for sales orders
 * and quotes of this system, and for purchase orders that are not finished.
 */
export function drafts(documents: Documents, random_: Random): Draft[] {
  const sales = Array.from({ length: SALES - 1 }, () => sale(random_));
  return [
    known(random_),
    ...sales,
    ...purchases(documents, random_),
    ...ownDocuments(documents),
    ...unapproved(documents),
  ];
}

/** The same total as the database computes for a line. */
export function netCents({ menge, preis, rabatt_proz, rabatt_betrag }: SeedRow): number {
  const gross = Math.round(Number(menge) * Number(preis) * (100 - Number(rabatt_proz ?? 0)) * 100) / 100;
  return Math.round(gross - Number(rabatt_betrag ?? 0) * 100);
}

const organizations = new Map(organizationTable().rows.map((row) => [String(row.mand), row]));
const goods = articles.filter(({ kind, cents }) => kind === 'FERT' || (kind !== 'DIEN' && cents > 2_000));
const halls = places.filter(({ kind }) => kind === 'area');
const buyers = customers.filter(({ blocked }) => !blocked);
const noAddress = { li_name: null, li_strasse: null, li_plz: null, li_ort: null, li_lkz: null };

function known(random_: Random): Draft {
  const customer = customers.find(({ number }) => number === 2_007);
  const bolt = articles.find(({ artid }) => artid === 30_118);
  if (!customer || !bolt) throw new Error('Baker & Sons or their bolts are missing');
  return saleTo(customer, [salesLine(bolt, 4_000, termsOf(customer, 12), random_)], 12, random_);
}

function sale(random_: Random): Draft {
  const { between, chance, pick } = random_;
  const customer = pick(buyers);
  const age = Math.max(between(1, chance(0.3) ? 60 : 700) - between(0, 9) / 10, 0.5);
  const terms = termsOf(customer, age);
  const lines = Array.from({ length: between(1, 5) }, () => {
    const article = pick(goods);
    return salesLine(article, between(1, article.cents < 20_000 ? 40 : 3), terms, random_);
  });
  if (chance(0.2)) lines.push(work(between(2, 16), terms, random_));
  if (chance(0.4)) lines.push(freight(between(10, 90), terms));
  return saleTo(customer, lines, age, random_);
}

/** Data that the lines of an invoice share. */
interface Terms {
  readonly age: number;
  readonly tax: Tax;
  readonly currency: string;
}

function termsOf(customer: TradingRecord, age: number): Terms {
  return { age, tax: taxOf('D', '010', customer), currency: customer.currency };
}

function saleTo(customer: TradingRecord, lines: readonly SeedRow[], age: number, { chance, pick }: Random): Draft {
  const { number, name, currency, city } = customer;
  const street = streetOf(customer);
  const plz = pick(city.postalCodes);
  const elsewhere = { li_name: name, li_strasse: 'Gate 3', li_plz: plz, li_ort: city.name, li_lkz: city.country };
  const own = {
    kdnr: number,
    liefnr: null,
    kontnr: mainContactOf('K', number),
    bestnr: null,
    vknr: null,
    platznr: null,
    re_name: name,
    re_strasse: street,
    re_plz: plz,
    re_ort: city.name,
    re_lkz: city.country,
    ...(chance(0.3) ? elsewhere : noAddress),
  };
  const percent = percentIn(currency, chance(0.06) ? 2 : 0) ?? 0;
  const discount = { percent, cents: chance(0.03) ? centsIn(currency, 100, age) : 0 };
  return { kind: 'D', party: number, currency, mand: '010', age, own, lines, freightCents: 0, discount };
}

function salesLine(article: Article, menge: number, terms: Terms, { chance, pick }: Random): SeedRow {
  const { age, tax, currency } = terms;
  const preis = priceIn(terms, Math.round(article.cents * 1.35));
  const rabatt_proz = percentIn(currency, chance(0.15) ? pick([2, 3, 5, 10]) : null);
  const rabatt_betrag = chance(0.05) && menge * preis > 100 ? priceIn(terms, 500) : null;
  return {
    ...emptyLine(age),
    typ: 'A',
    artid: article.artid,
    text: article.name,
    menge,
    eh: article.unit,
    preis,
    rabatt_proz,
    rabatt_betrag,
    stnr: tax.stnr,
    ust: taxOn({ menge, preis, rabatt_proz, rabatt_betrag }, tax),
    konto: 54_030,
    kz_anzahlung: 'N',
    bem: chance(0.05) ? 'Same batch as last time' : null,
  };
}

/** A price in euro cents in the currency of the invoice. */
function priceIn({ currency, age }: Terms, euroCents: number): number {
  return centsIn(currency, euroCents, age) / 100;
}

function work(menge: number, terms: Terms, { pick }: Random): SeedRow {
  const { age, tax } = terms;
  const own = {
    typ: 'D',
    text: 'Commissioning on site',
    menge,
    eh: 'H',
    preis: priceIn(terms, 8_500),
    stnr: tax.stnr,
    konto: 54_050,
  };
  return { ...emptyLine(age), ...own, ust: taxOn(own, tax), persnr: pick(technicians) };
}

function freight(euros: number, terms: Terms): SeedRow {
  const { age, tax } = terms;
  const preis = priceIn(terms, euros * 100);
  const own = { typ: 'F', text: 'Freight', menge: 1, preis, stnr: tax.stnr, konto: 54_050 };
  return { ...emptyLine(age), ...own, ust: taxOn(own, tax) };
}

function taxOn(line: SeedRow, tax: Tax): number {
  return taxCents(netCents(line), tax) / 100;
}

function emptyLine(age: number): SeedRow {
  return {
    typ: 'A',
    artid: null,
    text: null,
    menge: 1,
    eh: null,
    preis: null,
    rabatt_proz: null,
    rabatt_betrag: null,
    stnr: null,
    ust: null,
    konto: null,
    best_pos: null,
    vk_pos: null,
    aufid: null,
    persnr: null,
    kst: null,
    schluessel: null,
    leistdat: dottedDay(daysAgo(age + 2)),
    kz_weiter: 'N',
    kz_anzahlung: null,
    bem: null,
    angelegt: compactDay(daysAgo(age)),
    changed_at: daysAgo(Math.max(age - 0.1, 0.1)).toISOString(),
  };
}

/** Vendor invoices for the finished purchase orders, with all their positions, less the refused goods. */
function purchases(documents: Documents, { between, pick }: Random): Draft[] {
  const finished = documents.purchaseOrders.filter(({ status }) => status === 'A');
  return billsOf(finished, documents, (order) => ({
    age: Math.max(daysSince(order.erledigt_am) - between(0, 4), 0.4),
    isPosted: true,
    platznr: pick(halls).platznr,
  }));
}

/** One in four orders whose goods have arrived has a bill that is not approved yet. */
function unapproved(documents: Documents): Draft[] {
  const arrived = documents.purchaseOrders.filter(({ status }) => status === 'L').filter((_, index) => index % 4 === 0);
  return billsOf(arrived, documents, ({ erledigt_am, lieferplatz = null }, index) => ({
    age: Math.min(daysSince(erledigt_am), 2 + (index % 4)),
    status: index % 2 === 0 ? 'V' : 'E',
    platznr: lieferplatz,
  }));
}

type BillTerms = Pick<Draft, 'age' | 'status' | 'isPosted'> & { readonly platznr: SeedRow[string] };

function billsOf(
  orders: readonly SeedRow[],
  { purchaseLines }: Documents,
  termsFor: (order: SeedRow, index: number) => BillTerms,
): Draft[] {
  const byOrder = Map.groupBy(purchaseLines, ({ bestnr }) => bestnr);
  return orders.map((order, index): Draft => {
    const { platznr, ...terms } = termsFor(order, index);
    const { liefnr = null, kontnr = null, bestnr = null } = order;
    const own = { kdnr: null, liefnr, kontnr, bestnr, platznr, ...billedTo(String(order.mand)), ...noAddress };
    return {
      ...terms,
      kind: 'K',
      party: Number(liefnr),
      currency: String(order.waehr),
      mand: String(order.mand),
      own,
      lines: (byOrder.get(bestnr) ?? []).map((position) => purchaseLine(position, terms.age)),
      freightCents: Number(order.fracht_ct ?? 0),
      discount: { percent: 0, cents: 0 },
    };
  });
}

/** Address of the company that ordered. */
function billedTo(mand: string): SeedRow {
  const { firma, strasse, plz, ort, lkz } = organizations.get(mand) ?? {};
  const to = { re_name: firma, re_strasse: strasse, re_plz: plz, re_ort: ort, re_lkz: lkz };
  return Object.fromEntries(Object.entries(to).map(([column, value]) => [column, value ?? null]));
}

function purchaseLine(position: SeedRow, age: number): SeedRow {
  const { typ, artid, text, eh, preis, rabatt_proz, stnr, konto, aufid, kst, schluessel } = position;
  const menge = Number(position.menge) - Number(position.mg_retour);
  const percent = taxRates[Number(stnr) - 1]?.percent ?? 0;
  const ust = taxCents(netCents({ menge, preis: preis ?? null, rabatt_proz: rabatt_proz ?? null }), { percent }) / 100;
  const taken = {
    typ,
    artid,
    text,
    menge,
    eh,
    preis,
    rabatt_proz,
    stnr,
    ust,
    konto,
    aufid,
    kst,
    schluessel,
  } as SeedRow;
  return { ...emptyLine(age), ...taken, best_pos: `${position.bestnr}/${position.posnr}` };
}
