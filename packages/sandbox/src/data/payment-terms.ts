/**
 * `basis` is R for the date of the invoice, M for the end of its month, or F for a day of the next month. `shares`: percent and
 * days of installments.
 */
export interface SeedPaymentTerm {
  readonly code: string;
  readonly name: string;
  readonly days: number;
  readonly basis?: 'R' | 'M' | 'F';
  readonly dayOfMonth?: number;
  readonly discount?: number;
  readonly discountDays?: number;
  readonly about?: string;
  readonly shares?: readonly (readonly [percent: number, days: number])[];
}

/** Numbered from 1 in this order. */
export const paymentTerms: readonly SeedPaymentTerm[] = [
  { code: 'N30', name: 'Net 30 days', days: 30, about: 'Payable within 30 days without deduction' },
  { code: 'N14', name: 'Net 14 days', days: 14 },
  { code: 'N45', name: 'Net 45 days', days: 45 },
  { code: 'N60', name: 'Net 60 days', days: 60 },
  { code: 'N0', name: 'Due immediately', days: 0 },
  { code: 'D210', name: '2 % within 10 days, net 30', days: 30, discount: 2, discountDays: 10 },
  { code: 'D314', name: '3 % within 14 days, net 60', days: 60, discount: 3, discountDays: 14 },
  { code: 'EOM', name: 'End of month', days: 0, basis: 'M' },
  { code: 'EOM30', name: '30 days after the end of the month', days: 30, basis: 'M' },
  { code: 'F15', name: 'On the 15th of the next month', days: 0, basis: 'F', dayOfMonth: 15 },
  {
    code: 'I50',
    name: 'Half immediately, half after 30 days',
    days: 30,
    shares: [
      [50, 0],
      [50, 30],
    ],
  },
  {
    code: 'I343',
    name: 'Three installments with machines',
    days: 90,
    shares: [
      [30, 0],
      [40, 45],
      [30, 90],
    ],
  },
];

/** Key, name, kind, account, note. */
export const paymentMethods: readonly (readonly [
  key: string,
  name: string,
  kind: string,
  account: number,
  about?: string,
])[] = [
  ['UEB', 'Bank transfer', 'UB', 51_020],
  ['SAM', 'Collective transfer', 'AC', 51_020],
  ['LAS', 'Direct debit', 'LS', 51_020, 'Needs a mandate of the customer'],
  ['KK', 'Company credit card', 'KK', 51_060],
  ['DEB', 'Debit card', 'DK', 51_060],
  ['BAR', 'Cash payment', 'BA', 51_010],
  ['SCH', 'Check payment', 'SC', 51_060],
  ['VER', 'Netting with other invoices', 'SO', 51_060],
];
