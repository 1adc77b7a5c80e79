/**
 * A tax rate. `percent` is the rate that is posted, `total` the rate of all parts together; `kind` is V for sales, E for
 * purchases or B for both. A part that is on top is computed on the price including the other parts.
 */
export interface SeedTaxRate {
  readonly code: string;
  readonly name: string;
  readonly percent: number;
  readonly total?: number;
  readonly kind: 'V' | 'E' | 'B';
  readonly country: string;
  readonly parts?: readonly (readonly [name: string, percent: string, isOnTop?: boolean])[];
  readonly isCompound?: boolean;
  readonly isRecoverable?: boolean;
  readonly from?: string;
  readonly until?: string;
  readonly about?: string;
}

/** Name, standard rate and reduced rates of the countries of the EU in which customers buy, in 2026. */
const european: readonly (readonly [country: string, name: string, standard: number, ...reduced: number[]])[] = [
  ['AT', 'Austria', 20, 13, 10],
  ['BE', 'Belgium', 21, 12, 6],
  ['CZ', 'Czechia', 21, 12],
  ['DK', 'Denmark', 25],
  ['ES', 'Spain', 21, 10, 4],
  ['FI', 'Finland', 25.5, 13.5, 10],
  ['FR', 'France', 20, 10, 5.5],
  ['HU', 'Hungary', 27, 18, 5],
  ['IE', 'Ireland', 23, 13.5, 9],
  ['IT', 'Italy', 22, 10, 5],
  ['LU', 'Luxembourg', 17, 14, 8],
  ['NL', 'Netherlands', 21, 9],
  ['PT', 'Portugal', 23, 13, 6],
  ['SE', 'Sweden', 25, 12, 6],
];

/**
 * Sales tax of the states in which customers buy. Our companies are registered there and charge the rate of the state, without
 * the taxes of counties and cities.
 */
const american: readonly (readonly [state: string, name: string, percent: number])[] = [
  ['MI', 'Michigan', 6],
  ['OH', 'Ohio', 5.75],
  ['WI', 'Wisconsin', 5],
];

/** Numbered from 1 in this order. */
export const taxRates: readonly SeedTaxRate[] = [
  { code: 'S19', name: 'Output tax 19 %', percent: 19, kind: 'V', country: 'DE', about: 'Standard rate on sales' },
  { code: 'S7', name: 'Output tax 7 %', percent: 7, kind: 'V', country: 'DE', about: 'Reduced rate on sales' },
  { code: 'S0', name: 'Export, free of tax', percent: 0, kind: 'V', country: 'DE' },
  { code: 'V19', name: 'Input tax 19 %', percent: 19, kind: 'E', country: 'DE', about: 'Standard rate on purchases' },
  { code: 'V7', name: 'Input tax 7 %', percent: 7, kind: 'E', country: 'DE' },
  { code: 'V0', name: 'Purchase, free of tax', percent: 0, kind: 'E', country: 'DE' },
  {
    code: 'V19H',
    name: 'Input tax 19 %, half recoverable',
    percent: 9.5,
    total: 19,
    kind: 'E',
    country: 'DE',
    about: 'Cars that are also driven privately',
  },
  {
    code: 'RC19',
    name: 'Reverse charge 19 %',
    percent: 0,
    total: 19,
    kind: 'E',
    country: 'DE',
    about: 'The buyer owes and recovers the tax on goods from the EU',
  },
  { code: 'S16', name: 'Output tax 16 %', percent: 16, kind: 'V', country: 'DE', from: '20200701', until: '20201231' },
  { code: 'V16', name: 'Input tax 16 %', percent: 16, kind: 'E', country: 'DE', from: '20200701', until: '20201231' },
  { code: 'GB20', name: 'VAT 20 %', percent: 20, kind: 'V', country: 'GB' },
  { code: 'GB5', name: 'VAT 5 %', percent: 5, kind: 'V', country: 'GB' },
  { code: 'GBV20', name: 'Input VAT 20 %', percent: 20, kind: 'E', country: 'GB' },
  { code: 'PL23', name: 'VAT 23 %', percent: 23, kind: 'V', country: 'PL' },
  { code: 'PL8', name: 'VAT 8 %', percent: 8, kind: 'V', country: 'PL' },
  { code: 'PLV23', name: 'Input VAT 23 %', percent: 23, kind: 'E', country: 'PL' },
  { code: 'S0EU', name: 'Intra-Community supply, free of tax', percent: 0, kind: 'V', country: 'DE' },
  { code: 'GB0', name: 'Export from the United Kingdom, zero-rated', percent: 0, kind: 'V', country: 'GB' },
  { code: 'GBV0', name: 'Import into the United Kingdom', percent: 0, kind: 'E', country: 'GB' },
  { code: 'PL0', name: 'Export from Poland, free of tax', percent: 0, kind: 'V', country: 'PL' },
  { code: 'PL0EU', name: 'Intra-Community supply from Poland', percent: 0, kind: 'V', country: 'PL' },
  { code: 'PLV0', name: 'Import into Poland', percent: 0, kind: 'E', country: 'PL' },
  { code: 'PLRC23', name: 'Reverse charge 23 %', percent: 0, total: 23, kind: 'E', country: 'PL' },
  ...european.flatMap(([country, name, ...rates]) =>
    rates.map(
      (percent, place): SeedTaxRate => ({
        ...{ code: `${country}${String(percent).replace('.', '')}`, name: `VAT ${name} ${percent} %`, percent },
        ...{ kind: 'B', country, about: place === 0 ? 'Standard rate' : 'Reduced rate' },
      }),
    ),
  ),
  ...american.map(
    ([state, name, percent]): SeedTaxRate => ({
      ...{ code: `US${state}`, name: `Sales tax ${name} ${percent} %`, percent, kind: 'V', country: 'US' },
      parts: [['State', percent.toFixed(2)]],
    }),
  ),
  {
    code: 'USCHI',
    name: 'Sales tax Chicago 10.25 %',
    percent: 10.25,
    kind: 'V',
    country: 'US',
    parts: [
      ['State', '6.25'],
      ['County', '1.75'],
      ['City', '1.25'],
      ['Transport authority', '1.00'],
    ],
  },
  { code: 'CAON', name: 'HST Ontario 13 %', percent: 13, kind: 'B', country: 'CA', isRecoverable: true },
  {
    code: 'CAAB',
    name: 'GST 5 %',
    percent: 5,
    kind: 'B',
    country: 'CA',
    isRecoverable: true,
    parts: [['GST', '5.00']],
  },
  {
    code: 'CABC',
    name: 'GST and PST British Columbia',
    percent: 12,
    kind: 'B',
    country: 'CA',
    parts: [
      ['GST', '5.00'],
      ['PST', '7.00'],
    ],
  },
  {
    code: 'CAPE',
    name: 'GST and PST Prince Edward Island',
    percent: 15.5,
    kind: 'B',
    country: 'CA',
    isCompound: true,
    until: '20130331',
    about: 'The second tax is charged on the first',
    parts: [
      ['GST', '5.00'],
      ['PST', '10.00', true],
    ],
  },
  {
    code: 'IN18',
    name: 'GST India 18 %',
    percent: 18,
    kind: 'B',
    country: 'IN',
    parts: [
      ['CGST', '9.00'],
      ['SGST', '9.00'],
    ],
  },
];
