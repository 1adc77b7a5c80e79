import { random } from '../../random.ts';
import type { SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { centsIn } from '../ledger/exchange-rates.ts';
import type { TradingRecord } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { mainContactOf } from '../people/contacts.ts';
import { buyingCustomers, salesOrders } from './sales-orders.ts';

const OTHERS = 120;
const WON = 40;
const FIRST = 710_001;

const stages = { 'V-LEAD': 20, 'V-QUAL': 15, 'V-NEED': 15, 'V-OFFER': 15, 'V-NEGO': 10, 'V-LOST': 25 };
type Stage = keyof typeof stages | 'V-WON';
const probability: Readonly<Record<Stage, number>> = {
  'V-LEAD': 10,
  'V-QUAL': 20,
  'V-NEED': 40,
  'V-OFFER': 60,
  'V-NEGO': 80,
  'V-WON': 100,
  'V-LOST': 0,
};

export interface Opportunity {
  readonly channr: number;
  readonly customer: TradingRecord;
  readonly stage: Stage;
  /** O open, G won, V lost. */
  readonly status: 'O' | 'G' | 'V';
  /** Days ago. */
  readonly begun: number;
  /** Expected amount, in the currency of the customer. */
  readonly amount: number;
}

/** Opportunities of the first sales orders with a quote, and 120 others. */
export const opportunities: readonly Opportunity[] = everyChance();

function everyChance(): Opportunity[] {
  const { between, pick, weighted } = random('chance');
  const won = salesOrders.filter(({ vknr }) => vknr % 5 === 0).slice(0, WON);
  return [
    ...won.map(({ customer, ordered, lines }) => ({
      customer,
      stage: 'V-WON' as const,
      status: 'G' as const,
      begun: ordered + between(25, 90),
      amount: Math.round(lines.reduce((sum, { net }) => sum + net, 0)),
    })),
    ...Array.from({ length: OTHERS }, () => {
      const stage = weighted(stages);
      const status = stage === 'V-LOST' ? ('V' as const) : ('O' as const);
      const customer = pick(buyingCustomers);
      const begun = between(status === 'V' ? 700 : 40, status === 'V' ? 1_000 : 200);
      const amount = rounded(centsIn(customer.currency, between(4, 400) * 50_000, begun) / 100);
      return { customer, stage, status, begun, amount };
    }),
  ].map((found, index) => ({ channr: FIRST + index, ...found }));
}

/** An estimate: three digits. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(3));
}

const subjects = ['Packaging line', 'Spare parts contract', 'Conveyor', 'Palletizer', 'Service contract', 'Retrofit'];

export function opportunityTable(): SeedTable {
  const { between, chance, pick } = random('chance-data');
  const rows = opportunities.map(({ channr, customer, stage, status, begun, amount }) => {
    const closed = status === 'O' ? null : Math.max(begun - between(20, 25), 1);
    return {
      channr,
      kennung: `OP-${channr}`,
      bez: `${pick(subjects)} for ${customer.city.name}`,
      beschr: chance(0.3) ? 'Replaces machines from 2009' : null,
      kdnr: customer.number,
      kontnr: mainContactOf('K', customer.number),
      stufe: stage,
      status,
      wert: withComma(amount),
      waehr: customer.currency,
      wahrsch: probability[stage],
      entscheid: dottedDay(daysAgo(closed ?? -between(5, 120))),
      erledigt: closed === null ? null : daysAgo(closed).toISOString(),
      betreuer: pick(buyers),
      herkunft: pick(['Trade fair', 'Recommendation', 'Website', 'Existing customer', 'Cold call']),
      verlust: status === 'V' ? pick(['VL-PRICE', 'VL-TIME', 'VL-COMP', 'VL-STOP']) : null,
      bem: chance(0.1) ? 'Ask again after the budget round' : null,
      angelegt: compactDay(daysAgo(begun)),
      changed_at: daysAgo(closed ?? between(1, begun - 1)).toISOString(),
    };
  });
  return { table: 'chance', rows };
}
