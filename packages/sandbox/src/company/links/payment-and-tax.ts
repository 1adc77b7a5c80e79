import type { SeedRow } from '../../row.ts';
import { by, type Links } from './link.ts';

/** Numbers of the default rates and of the rates for business abroad. */
const SALES = { domestic: 1, abroad: 3 };
const PURCHASE = { domestic: 4, abroad: 6 };
/** Number of the payment term that older tables contain as text. */
const terms: Readonly<Record<string, number>> = {
  'Net 30': 1,
  'Net 14': 2,
  'Net 45': 3,
  'Net 60': 4,
  Prepayment: 5,
  '2 % 10 days, net 30': 6,
};
const termOf = ({ zahlbed }: SeedRow) => terms[String(zahlbed)] ?? null;

/** Payment methods, payment terms and default taxes of vendors, customers, accounts and items. */
export const paymentAndTax: Links = (rows) => {
  const vendors = by(rows('lief'), ({ liefnr }) => liefnr);
  const customers = by(rows('kunde'), ({ kdnr }) => kdnr);
  return {
    konto: ({ ktonr, kopf }) => ({ stnr: kopf === 'N' ? taxOfAccount(String(ktonr)) : null }),
    lief: (row) => ({
      zbnr: termOf(row),
      zahlart: Number(row.liefnr) % 5 === 0 ? 'SAM' : 'UEB',
      stnr: row.kreditor === '1610' ? PURCHASE.domestic : PURCHASE.abroad,
    }),
    kunde: ({ kdnr, debitor }) => ({
      zbnr: (Number(kdnr) % 7) + 1,
      zahlart: Number(kdnr) % 4 === 0 ? 'LAS' : 'UEB',
      stnr: debitor === '1210' ? SALES.domestic : SALES.abroad,
    }),
    artikel: ({ kz_verkauf, kz_einkauf }) => ({
      vk_stnr: kz_verkauf === 'J' ? SALES.domestic : null,
      ek_stnr: kz_einkauf === 'J' ? PURCHASE.domestic : null,
    }),
    bestkopf: (row) => ({ zbnr: termOf(row) }),
    bestpos: () => ({ stnr: PURCHASE.domestic }),
    vertrag: ({ partei_art, partei }) => {
      const party = (partei_art === 'L' ? vendors : customers).get(String(partei));
      return { zbnr: partei_art === 'L' ? termOf(party ?? {}) : (Number(party?.kdnr) % 7) + 1 };
    },
  };
};

/** Revenue accounts have the sales tax, material accounts the purchase tax. */
function taxOfAccount(ktonr: string): number | null {
  if (ktonr.startsWith('40')) return SALES.domestic;
  return ktonr.startsWith('50') ? PURCHASE.domestic : null;
}
