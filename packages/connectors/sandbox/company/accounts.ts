import { random } from '../random.ts';
import type { SeedRow, SeedTable } from '../row.ts';
import { compactTime, daysAgo, withComma } from '../time.ts';

/** First digits, name, class, kind of account, and the accounts below. */
type Group = readonly [number: string, name: string, classKey: string, kind: string, below: readonly string[]];

const groups: readonly Group[] = [
  [
    '00',
    'Fixed assets',
    'A',
    'AV',
    [
      'Land',
      'Buildings',
      'Machines',
      'Tools and fixtures',
      'Vehicles',
      'Office equipment',
      'Software',
      'Assets under construction',
    ],
  ],
  [
    '10',
    'Cash and banks',
    'A',
    'BANK',
    ['Cash', 'House bank EUR', 'House bank GBP', 'House bank PLN', 'Savings', 'Transfers'],
  ],
  [
    '11',
    'Stock',
    'A',
    'UV',
    [
      'Raw material',
      'Supplies',
      'Spare parts',
      'Semi-finished products',
      'Finished products',
      'Packaging material',
      'Goods in transit',
    ],
  ],
  [
    '12',
    'Receivables',
    'A',
    'DEB',
    [
      'Trade receivables domestic',
      'Trade receivables abroad',
      'Doubtful receivables',
      'Receivables from employees',
      'Input tax',
    ],
  ],
  ['13', 'Other current assets', 'A', 'UV', ['Prepaid expenses', 'Deposits paid', 'Tax refunds']],
  [
    '16',
    'Payables',
    'L',
    'KRED',
    [
      'Trade payables domestic',
      'Trade payables abroad',
      'Goods received, not invoiced',
      'Wages payable',
      'Social security payable',
    ],
  ],
  [
    '17',
    'Other current liabilities',
    'L',
    'KV',
    ['Output tax', 'Prepayments received', 'Accrued expenses', 'Warranty provisions', 'Vacation provisions'],
  ],
  ['18', 'Loans', 'L', 'LV', ['Bank loan 2019', 'Bank loan 2023', 'Shareholder loan', 'Leasing liabilities']],
  [
    '29',
    'Equity',
    'E',
    'EK',
    ['Share capital', 'Capital reserve', 'Revenue reserve', 'Retained earnings', 'Profit of the year'],
  ],
  [
    '40',
    'Sales',
    'U',
    'ERL',
    [
      'Machines domestic',
      'Machines export',
      'Spare parts domestic',
      'Spare parts export',
      'Service',
      'Rental',
      'Sales deductions',
    ],
  ],
  ['48', 'Other income', 'U', 'SERL', ['Interest income', 'Currency gains', 'Insurance payments', 'Scrap sales']],
  [
    '50',
    'Material',
    'K',
    'WES',
    [
      'Raw material used',
      'Supplies used',
      'Spare parts used',
      'Packaging used',
      'Freight in',
      'Price differences',
      'Inventory differences',
    ],
  ],
  [
    '55',
    'Bought services',
    'K',
    'WES',
    ['Contract manufacturing', 'Temporary staff', 'External maintenance', 'Calibration'],
  ],
  [
    '60',
    'Personnel',
    'K',
    'AUF',
    ['Wages', 'Salaries', 'Overtime', 'Social security', 'Training', 'Travel', 'Work clothes'],
  ],
  [
    '65',
    'Operation',
    'K',
    'AUF',
    ['Electricity', 'Gas', 'Water', 'Waste', 'Rent', 'Cleaning', 'Insurance', 'Security'],
  ],
  [
    '67',
    'Maintenance',
    'K',
    'AUF',
    ['Maintenance of machines', 'Maintenance of buildings', 'Maintenance of vehicles', 'Inspections', 'Lubricants'],
  ],
  [
    '68',
    'Administration',
    'K',
    'AUF',
    [
      'Office supplies',
      'Telephone',
      'Postage',
      'Legal advice',
      'Audit',
      'Software rent',
      'Bank charges',
      'Memberships',
    ],
  ],
  ['70', 'Sales cost', 'K', 'AUF', ['Advertising', 'Trade fairs', 'Freight out', 'Commissions', 'Warranty']],
  [
    '72',
    'Depreciation',
    'K',
    'AUF',
    ['Depreciation of buildings', 'Depreciation of machines', 'Depreciation of vehicles', 'Low-value assets'],
  ],
  ['78', 'Other expenses', 'K', 'SAUF', ['Interest', 'Currency losses', 'Donations', 'Write-offs']],
  ['79', 'Taxes', 'K', 'SAUF', ['Trade tax', 'Corporate tax', 'Vehicle tax', 'Property tax']],
];

/** Numbers of the accounts that other tables point to. */
export const payables = ['1610', '1620'];
export const receivables = ['1210', '1220'];

/** Accounts with their number as id: header accounts end on 00. */
export function accountTable(leaders: readonly number[]): SeedTable {
  const { between, pick, chance } = random('konto');
  const base = (ktonr: string, bez: string, [, , klasse, art]: Group, leader: number): SeedRow => ({
    kontoid: Number(ktonr) + 50_000,
    ktonr,
    bez,
    beschr: null,
    klasse,
    art,
    mand: '010',
    kst: '1110',
    leiter: leader,
    platznr: null,
    waehr: 'EUR',
    gueltig_ab: '20050101',
    gesperrt: ' ',
    angelegt: '20050101',
    changed_at: daysAgo(between(1, 400)).toISOString(),
  });
  const rows = groups.flatMap((group): SeedRow[] => {
    const [digits, name, , , below] = group;
    const leader = pick(leaders);
    const header = {
      kopf: 'J',
      ueber: null,
      stufe: 1,
      pfad: name,
      saldo: null,
      limit_betrag: null,
      eb_saldo: null,
      gueltig_bis: null,
      abgestimmt: null,
    };
    return [
      { ...base(`${digits}00`, name, group, leader), ...header },
      ...below.map((bez, index) => ({
        ...base(`${digits}${(index + 1) * 10}`, bez, group, leader),
        kopf: 'N',
        ueber: Number(`${digits}00`) + 50_000,
        stufe: 2,
        pfad: `${name} / ${bez}`,
        saldo: withComma(between(-2_000_000, 9_000_000) / 100),
        limit_betrag: chance(0.2) ? withComma(between(10, 400) * 1_000) : null,
        eb_saldo: withComma(between(0, 4_000_000) / 100),
        gueltig_bis: chance(0.05) ? '20251231' : '00000000',
        abgestimmt: digits === '10' ? compactTime(daysAgo(20)) : null,
      })),
    ];
  });
  return { table: 'konto', rows };
}
