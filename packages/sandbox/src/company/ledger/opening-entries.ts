import type { SeedRow } from '../../row.ts';
import { dayOf, withComma } from '../../time.ts';
import { periods } from './fiscal-years.ts';
import { blankPosition } from './positions.ts';

const FIRST = 8_400_001;

/** Amounts that a company carried over to an account, in its currency; credits are negative. */
type Balances = Readonly<Record<string, number>>;

const companies: readonly (readonly [mand: string, calendar: number, currency: string, balances: Balances])[] = [
  [
    '010',
    1,
    'EUR',
    {
      ...{ '0010': 1_850_000, '0020': 9_400_000, '0030': 12_600_000, '0040': 640_000, '0050': 410_000 },
      ...{ '0060': 280_000, '0070': 190_000, '1020': 6_200_000, '1050': 1_250_000 },
      ...{ '1810': -4_500_000, '2910': -5_000_000, '2920': -3_000_000, '2930': -6_000_000, '2940': -14_320_000 },
    },
  ],
  [
    '020',
    2,
    'GBP',
    {
      ...{ '0020': 2_100_000, '0030': 4_300_000, '0050': 120_000, '0060': 75_000, '1030': 3_400_000 },
      ...{ '1830': -2_500_000, '2910': -1_000_000, '2930': -2_500_000, '2940': -3_995_000 },
    },
  ],
  [
    '030',
    1,
    'PLN',
    {
      ...{ '0020': 6_200_000, '0030': 8_900_000, '0050': 310_000, '0060': 140_000, '1040': 7_500_000 },
      ...{ '1830': -8_000_000, '2910': -5_000_000, '2940': -10_050_000 },
    },
  ],
];

/** One posted entry for each company, on the first day of its oldest fiscal year. */
export function openingEntries(): SeedRow[] {
  return companies.map(([mand, calendar, currency, balances], index) => {
    const period = periods.find((each) => each.calendar === calendar);
    if (!period) throw new Error(`Calendar ${calendar} has no periods`);
    const total = Object.values(balances).reduce((sum, amount) => sum + Math.max(amount, 0), 0);
    const at = dayOf(period.from).toISOString();
    return {
      buchnr: FIRST + index,
      belegnr: `OB-${mand}`,
      beschr: 'Carried over from the old system',
      buchdat: period.from,
      status: 'G',
      waehr: currency,
      mand,
      text: 'Opening balances',
      zeichen: null,
      quelle_art: null,
      quelle: null,
      pernr: period.pernr,
      kz_storno: 'N',
      stornodat: null,
      gebucht_am: at,
      positionen: Object.entries(balances).map(([konto, amount], position) => ({
        ...blankPosition,
        konto,
        pos: position + 1,
        waehr: currency,
        [amount > 0 ? 'soll' : 'haben']: withComma(Math.abs(amount)),
      })),
      soll_ct: total * 100,
      haben_ct: total * 100,
      angelegt: period.from,
      changed_at: at,
    };
  });
}
