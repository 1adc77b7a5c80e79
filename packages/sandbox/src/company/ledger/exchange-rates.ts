import { currencies } from '../../data/currencies.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';

/** Approximate value of one unit of each currency, in euros. */
const levels: Readonly<Record<string, number>> = {
  AED: 0.235,
  AUD: 0.561,
  BRL: 0.162,
  CAD: 0.618,
  CLP: 0.00091,
  CNY: 0.121,
  CZK: 0.0411,
  DKK: 0.134,
  GBP: 1.142,
  HKD: 0.111,
  HUF: 0.00258,
  IDR: 0.0000521,
  ILS: 0.261,
  INR: 0.00974,
  JPY: 0.00556,
  KRW: 0.000591,
  MXN: 0.0469,
  MYR: 0.209,
  NOK: 0.0853,
  NZD: 0.489,
  PLN: 0.2352,
  RON: 0.1967,
  SAR: 0.23,
  SEK: 0.0909,
  SGD: 0.664,
  THB: 0.0266,
  TRY: 0.0204,
  TWD: 0.0277,
  USD: 0.863,
  VND: 0.0000327,
  ZAR: 0.0504,
};
const MONTHS = 24;
const now = daysAgo(0);
const decimalsOf = new Map(currencies.map(([code, , , decimals]) => [code, decimals]));

/** The value of one unit of a currency in euros, from a day on. */
interface Rate {
  readonly from: Date;
  readonly euros: number;
}

/** Rates of each currency on the first day of each of the last 24 months, oldest first. */
const rates: ReadonlyMap<string, readonly Rate[]> = everyRate();

function everyRate(): Map<string, Rate[]> {
  const { between } = random('kurs');
  const priced = currencies.flatMap(([code]) => (levels[code] === undefined ? [] : [[code, levels[code]] as const]));
  return new Map(
    priced.map(([currency, level]) => {
      let rate = level;
      const months = Array.from({ length: MONTHS }, (_, month): Rate => {
        rate *= 1 + between(-150, 150) / 10_000;
        const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1 + month, 1));
        return { from, euros: Number(rate.toPrecision(6)) };
      });
      return [currency, months];
    }),
  );
}

/** Rates of every currency to the euro. */
export function exchangeRateTable(): SeedTable {
  const rows = [...rates].flatMap(([waehr, months], index) =>
    months.map(
      ({ from, euros }, month): SeedRow => ({
        kursnr: (index + 1) * 100 + month + 1,
        waehr,
        basis: 'EUR',
        wert: euros.toFixed(10).replace(/0+$/, '').replace('.', ','),
        ab: dottedDay(from),
        beschr: month === MONTHS - 1 ? 'Preliminary' : 'Reference rate of the central bank',
        angelegt: compactDay(from),
        changed_at: from.toISOString(),
      }),
    ),
  );
  return { table: 'kurs', rows };
}

/**
 * An amount in hundredths of a euro, converted to hundredths of another currency at the rate of a day, rounded to the smallest
 * amount of the currency. The first known rate also applies to the days before it.
 */
export function centsIn(currency: string, euroCents: number, days: number): number {
  if (currency === 'EUR') return euroCents;
  const day = daysAgo(days);
  const known = rates.get(currency);
  const rate = known?.findLast(({ from }) => from <= day) ?? known?.[0];
  if (!rate) throw new Error(`There is no exchange rate of ${currency}`);
  return wholeIn(currency, euroCents / rate.euros);
}

/** Hundredths of a currency, rounded to its smallest amount: a cent, or one yen. */
export function wholeIn(currency: string, cents: number): number {
  const smallest = decimalsOf.get(currency) === 0 ? 100 : 1;
  return Math.round(cents / smallest) * smallest;
}

/** A discount in percent. Null in currencies without decimal places, because it would leave fractions, for example of a yen. */
export function percentIn(currency: string, percent: number | null): number | null {
  return decimalsOf.get(currency) === 0 ? null : percent;
}
