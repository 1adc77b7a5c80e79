import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo, daysSince, dottedDay } from '../../time.ts';
import { streetOf } from '../master/local.ts';
import { customers } from '../master/partners.ts';
import type { Draft } from './draft.ts';

/** Rows of the documents that become invoices to customers, and of their positions. */
export interface Sales {
  readonly quotes: readonly SeedRow[];
  readonly quoteLines: readonly SeedRow[];
  readonly salesOrders: readonly SeedRow[];
  readonly salesLines: readonly SeedRow[];
}

/** Invoices for fully shipped sales orders, and for quotes without an order. */
export function ownDocuments({ quotes, quoteLines, salesOrders, salesLines }: Sales): Draft[] {
  const linesOfOrder = Map.groupBy(salesLines, ({ vknr }) => vknr);
  const linesOfQuote = Map.groupBy(quoteLines, ({ angnr }) => angnr);
  const shipped = salesOrders.filter(({ status }) => status === '50' || status === '60');
  const direct = quotes.filter(({ status, vknr }) => status === 'W' && vknr === null);
  return [
    ...shipped.map((order): Draft => {
      const age = Math.max(daysSince(order.versandt) - 0.5, 0.5);
      const positions = linesOfOrder.get(order.vknr ?? null) ?? [];
      const lines = positions.map((each) => ({ ...line(each, age), vk_pos: `${each.vknr}/${each.posnr}` }));
      return { ...draft(order, lines, age), status: paymentOf(order) };
    }),
    ...direct.map((quote): Draft => {
      const age = Math.max(daysSince(quote.vorgelegt) - 5, 0.5);
      const lines = (linesOfQuote.get(quote.angnr ?? null) ?? []).map((each) => line(each, age));
      const made = draft(quote, lines, age);
      return { ...made, own: { ...made.own, zeichen: quote.belegnr ?? null } };
    }),
  ];
}

/** A finished order is paid; part of it may have been refunded. */
function paymentOf({ status, zahl_status }: SeedRow): string {
  return status === '60' ? 'B' : zahl_status === 'T' ? 'T' : 'G';
}

function draft(document: SeedRow, lines: readonly SeedRow[], age: number): Draft {
  const { kdnr = null, kontnr = null, vknr = null, waehr, fracht_ct, rabatt_proz, rabatt_ct } = document;
  const customer = customers.find(({ number }) => number === kdnr);
  const to = {
    re_name: customer?.name ?? null,
    re_strasse: customer ? streetOf(customer) : null,
    re_plz: customer?.city.postalCodes[0] ?? null,
  };
  const there = { re_ort: customer?.city.name ?? null, re_lkz: customer?.city.country ?? null };
  return {
    kind: 'D',
    party: Number(kdnr),
    currency: String(waehr),
    mand: String(document.mand ?? '010'),
    age,
    own: { kdnr, liefnr: null, kontnr, bestnr: null, vknr, platznr: null, ...to, ...there },
    lines,
    freightCents: Number(fracht_ct ?? 0),
    discount: { percent: Number(rabatt_proz ?? 0), cents: Number(rabatt_ct ?? 0) },
  };
}

/** A position of a quote or a sales order as a position of an invoice. */
function line(position: SeedRow, age: number): SeedRow {
  const { typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, ust, konto, kst, schluessel } =
    position;
  const taken = { typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, ust, konto, kst, schluessel };
  return {
    ...(taken as SeedRow),
    leistdat: dottedDay(daysAgo(age + 1)),
    kz_weiter: 'N',
    angelegt: compactDay(daysAgo(age)),
    changed_at: daysAgo(Math.max(age - 0.1, 0.1)).toISOString(),
  };
}
