import { random } from '../../random.ts';
import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { centsIn } from '../ledger/exchange-rates.ts';
import type { TradingRecord } from '../master/partners.ts';

const { between, chance } = random('angebote');

/** A position that vendors are asked to quote; its price is in euros. */
export interface Wanted {
  readonly article: { readonly artid: number; readonly name: string; readonly unit: string };
  readonly quantity: number;
  readonly price: number;
  /** Price of the order, in the currency of its vendor; null if nothing was ordered. */
  readonly ordered: number | null;
}

/** The response of an invited vendor. */
export interface Offer {
  readonly vendor: TradingRecord;
  /** Number of the quote that was sent; null if the vendor declined, or responded without one. */
  readonly angnr: number | null;
  /** O open, Z awarded, N not awarded, A declined. */
  readonly status: 'O' | 'Z' | 'N' | 'A';
  /** Days ago. */
  readonly came: number;
  readonly leadTime: number;
  /** Positions with prices in the currency of the vendor. */
  readonly lines: readonly (Wanted & { readonly posnr: number })[];
}

/**
 * The offers of the invited vendors. `winner` was awarded the request; null if it is not decided. `nextQuote` returns numbers
 * for their quotes.
 */
export function offers(
  lines: readonly Wanted[],
  { vendors, winner, issued }: { vendors: readonly TradingRecord[]; winner: TradingRecord | null; issued: number },
  nextQuote: () => number | null,
): Offer[] {
  return vendors.map((vendor) => {
    const isDeclined = vendor !== winner && chance(0.15);
    const came = Math.max(issued - between(2, 12), 0);
    const priced = ({ price, ordered }: Wanted) =>
      vendor === winner && ordered !== null
        ? ordered
        : centsIn(vendor.currency, Math.round(price * between(101, 125)), came) / 100;
    return {
      vendor,
      angnr: isDeclined ? null : nextQuote(),
      status: isDeclined ? 'A' : winner === null ? 'O' : vendor === winner ? 'Z' : 'N',
      came,
      leadTime: between(5, 60),
      lines: lines.map((line, index) => ({ ...line, posnr: index + 1, price: priced(line) })),
    };
  });
}

/** Number of days that an offer is valid. */
export const VALID = 60;

/** The offers as the request lists them, one for each vendor and position. */
export function offerRows(offers: readonly Offer[]): SeedRow[] {
  return offers.flatMap(({ vendor, angnr, status, came, leadTime, lines }) => {
    const isDeclined = status === 'A';
    return lines.map(
      ({ posnr, quantity, price }): SeedRow => ({
        pos: posnr,
        lf: `V-${vendor.number}`,
        ang: angnr === null ? null : `QU-${angnr}`,
        waehr: vendor.currency,
        stand: status,
        menge: isDeclined ? null : quantity,
        preis: isDeclined ? null : price,
        lieferzeit: isDeclined ? null : leadTime,
        eingang: compactDay(daysAgo(came)),
        gueltig: isDeclined ? null : compactDay(daysAgo(came - VALID)),
        text: chance(0.1) ? 'Free delivery' : null,
      }),
    );
  });
}
