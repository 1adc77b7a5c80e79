/**
 * A tax rate. `percent` is the rate that is booked, `total` that of all parts together; kind: V sales, E purchases, B both. A part
 * that is on top is computed on the price with the other parts.
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

/** Numbered from 1 in this order; 1 and 4 are the defaults of documents. */
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
  { code: 'RC19', name: 'Reverse charge 19 %', percent: 0, total: 19, kind: 'B', country: 'DE' },
  { code: 'S16', name: 'Output tax 16 %', percent: 16, kind: 'V', country: 'DE', from: '20200701', until: '20201231' },
  { code: 'V16', name: 'Input tax 16 %', percent: 16, kind: 'E', country: 'DE', from: '20200701', until: '20201231' },
  { code: 'GB20', name: 'VAT 20 %', percent: 20, kind: 'V', country: 'GB' },
  { code: 'GB5', name: 'VAT 5 %', percent: 5, kind: 'V', country: 'GB' },
  { code: 'GBV20', name: 'Input VAT 20 %', percent: 20, kind: 'E', country: 'GB' },
  { code: 'PL23', name: 'VAT 23 %', percent: 23, kind: 'V', country: 'PL' },
  { code: 'PL8', name: 'VAT 8 %', percent: 8, kind: 'V', country: 'PL' },
  { code: 'PLV23', name: 'Input VAT 23 %', percent: 23, kind: 'E', country: 'PL' },
  { code: 'AT20', name: 'Sales tax Austria 20 %', percent: 20, kind: 'B', country: 'AT' },
  { code: 'BE21', name: 'Sales tax Belgium 21 %', percent: 21, kind: 'B', country: 'BE' },
  { code: 'FI255', name: 'Sales tax Finland 25.5 %', percent: 25.5, kind: 'B', country: 'FI' },
  { code: 'CZ21', name: 'Sales tax Czechia 21 %', percent: 21, kind: 'B', country: 'CZ' },
  { code: 'DK25', name: 'Sales tax Denmark 25 %', percent: 25, kind: 'B', country: 'DK' },
  { code: 'ES21', name: 'Sales tax Spain 21 %', percent: 21, kind: 'B', country: 'ES' },
  { code: 'FR20', name: 'Sales tax France 20 %', percent: 20, kind: 'B', country: 'FR' },
  { code: 'IT22', name: 'Sales tax Italy 22 %', percent: 22, kind: 'B', country: 'IT' },
  { code: 'NL21', name: 'Sales tax Netherlands 21 %', percent: 21, kind: 'B', country: 'NL' },
  { code: 'SE25', name: 'Sales tax Sweden 25 %', percent: 25, kind: 'B', country: 'SE' },
  { code: 'USMI', name: 'Sales tax Michigan 6 %', percent: 6, kind: 'V', country: 'US', parts: [['State', '6.00']] },
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
