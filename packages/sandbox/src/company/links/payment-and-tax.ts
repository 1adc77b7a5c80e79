import type { SeedRow } from '../../row.ts';
import { taxOfCustomer, taxOfVendor } from '../master/party-taxes.ts';
import { taxBy } from '../master/taxes.ts';
import { by, type Links } from './link.ts';

/** Numbers of the default rates. */
const SALES = taxBy('S19').stnr;
const PURCHASE = taxBy('V19').stnr;
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
      stnr: taxOfVendor('010', Number(row.liefnr)).stnr,
    }),
    kunde: ({ kdnr }) => ({
      zbnr: (Number(kdnr) % 7) + 1,
      zahlart: Number(kdnr) % 4 === 0 ? 'LAS' : 'UEB',
      stnr: taxOfCustomer('010', Number(kdnr)).stnr,
    }),
    artikel: ({ kz_verkauf, kz_einkauf }) => ({
      vk_stnr: kz_verkauf === 'J' ? SALES : null,
      ek_stnr: kz_einkauf === 'J' ? PURCHASE : null,
    }),
    bestkopf: (row) => ({ zbnr: termOf(row) }),
    vertrag: ({ partei_art, partei }) => {
      const party = (partei_art === 'L' ? vendors : customers).get(String(partei));
      return { zbnr: partei_art === 'L' ? termOf(party ?? {}) : (Number(party?.kdnr) % 7) + 1 };
    },
  };
};

/** Revenue accounts have the sales tax, material accounts the purchase tax. */
function taxOfAccount(ktonr: string): number | null {
  if (ktonr.startsWith('40')) return SALES;
  return ktonr.startsWith('50') ? PURCHASE : null;
}
