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

/** Rates of every currency to the euro, on the first of each of the last 24 months. */
export function exchangeRateTable(): SeedTable {
  const { between } = random('kurs');
  const priced = currencies.flatMap(([code]) => (levels[code] === undefined ? [] : [[code, levels[code]] as const]));
  const rows = priced.flatMap(([waehr, level], index) => {
    let rate = level;
    return Array.from({ length: MONTHS }, (_, month): SeedRow => {
      rate *= 1 + between(-150, 150) / 10_000;
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1 + month, 1));
      return {
        kursnr: (index + 1) * 100 + month + 1,
        waehr,
        basis: 'EUR',
        wert: Number(rate.toPrecision(6)).toFixed(10).replace(/0+$/, '').replace('.', ','),
        ab: dottedDay(first),
        beschr: month === MONTHS - 1 ? 'Preliminary' : 'Reference rate of the central bank',
        angelegt: compactDay(first),
        changed_at: first.toISOString(),
      };
    });
  });
  return { table: 'kurs', rows };
}
