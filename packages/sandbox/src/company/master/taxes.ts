import { taxRates } from '../../data/tax-rates.ts';

/** Countries of the EU. */
const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** A tax rate of a document. */
export interface Tax {
  readonly stnr: number;
  readonly code: string;
  readonly percent: number;
}

interface Codes {
  readonly domestic: string;
  readonly outside: string;
  /** Between companies of the EU; for the United Kingdom, all countries are outside. */
  readonly within: string;
}

const codes: Readonly<Record<string, { readonly country: string; readonly D: Codes; readonly K: Codes }>> = {
  '020': {
    country: 'GB',
    D: { domestic: 'GB20', outside: 'GB0', within: 'GB0' },
    K: { domestic: 'GBV20', outside: 'GBV0', within: 'GBV0' },
  },
  '030': {
    country: 'PL',
    D: { domestic: 'PL23', outside: 'PL0', within: 'PL0EU' },
    K: { domestic: 'PLV23', outside: 'PLV0', within: 'PLRC23' },
  },
};
const german = {
  country: 'DE',
  D: { domestic: 'S19', outside: 'S0', within: 'S0EU' },
  K: { domestic: 'V19', outside: 'V0', within: 'RC19' },
};

/** A customer or vendor: its country and region, and whether it has a tax number. */
export interface Party {
  readonly city: { readonly country: string; readonly region: string };
  readonly hasVatId: boolean;
}

/**
 * The tax on what a company sells (D) or buys (K), as the database determines it. In the EU, a buyer with a tax number owes the
 * tax; a customer without one pays the tax of its country. Customers in the United States pay the sales tax of their state.
 */
export function taxOf(kind: 'D' | 'K', mand: string, { city, hasVatId }: Party): Tax {
  const own = codes[mand] ?? german;
  const { domestic, outside, within } = own[kind];
  if (city.country === own.country) return taxBy(domestic);
  if (EU.includes(own.country) && EU.includes(city.country))
    return kind === 'K' || hasVatId ? taxBy(within) : standardIn(city.country);
  const state = kind === 'D' && city.country === 'US' ? `Sales tax ${city.region} ` : null;
  const found = state === null ? undefined : taxRates.find(({ name }) => name.startsWith(state));
  return taxBy(found?.code ?? outside);
}

/** @throws Error if no rate has the code */
export function taxBy(code: string): Tax {
  const index = taxRates.findIndex((rate) => rate.code === code);
  const rate = taxRates[index];
  if (!rate) throw new Error(`data/tax-rates.ts has no rate ${code}`);
  return { stnr: index + 1, code, percent: rate.percent };
}

/** What customers without a tax number pay in a country: the standard rate. */
function standardIn(country: string): Tax {
  const code = { DE: 'S19', PL: 'PL23' }[country] ?? taxRates.find((rate) => rate.country === country)?.code;
  return taxBy(code ?? '');
}

/** Tax on a net amount, both in cents. */
export function taxCents(netCents: number, { percent }: Pick<Tax, 'percent'>): number {
  return Math.round((netCents * Math.round(percent * 100)) / 10_000);
}
