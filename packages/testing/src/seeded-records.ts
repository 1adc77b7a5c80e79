import { entities, type MappedRecord, type Reference } from '@unified/contract';
import { type Scope, saveRecords } from '@unified/store';

export interface SeedCounts {
  readonly vendors?: number;
  readonly workOrders?: number;
}

/** Ids of the records, in the order of their creation. */
export interface Seeded {
  readonly currencies: readonly string[];
  readonly accounts: readonly string[];
  readonly vendors: readonly string[];
  readonly workOrders: readonly string[];
}

const CATEGORIES = ['draft', 'pending_approval', 'open', 'in_progress', 'on_hold', 'completed', 'closed', 'cancelled'];
const NAMES = ['ACME Supplies', 'Border Steel', 'Čapek Tools', '50% Off_Parts', 'Delta "Quoted" Works'];

/**
 * Fills a connection with a small company: 3 currencies, 2 accounts, vendors and work orders (12 each by default). The first
 * vendor has neither a currency nor a legal name; the last record of each kind is deleted.
 */
export async function seed(scope: Scope, { vendors = 12, workOrders = 12 }: SeedCounts = {}): Promise<Seeded> {
  const save = async (entity: keyof typeof entities, records: MappedRecord[]) =>
    (await saveRecords(scope, entities[entity], records)).ids;
  return {
    currencies: await save('Currency', ['EUR', 'USD', 'CZK'].map(currency)),
    accounts: await save('Account', [account(0), account(1)]),
    vendors: await save(
      'Vendor',
      numbers(vendors).map((n) => deletedWhen(n === vendors - 1, vendor(n))),
    ),
    workOrders: await save(
      'WorkOrder',
      numbers(workOrders).map((n) => deletedWhen(n === workOrders - 1, workOrder(n))),
    ),
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function record(
  source: string,
  n: number,
  values: Record<string, unknown>,
  references: MappedRecord['references'] = {},
): MappedRecord {
  const moment = new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
  return {
    _source: source,
    _idValue: String(n + 1),
    values: { _createdAt: moment, _updatedAt: moment, ...values },
    references,
  };
}

function deletedWhen(isDeleted: boolean, one: MappedRecord): MappedRecord {
  return isDeleted ? { ...one, deletedAt: '2026-06-01T00:00:00.000Z' } : one;
}

function currency(code: string, n: number): MappedRecord {
  return record('currency', n, { code, name: code });
}

function account(n: number): MappedRecord {
  const parent: Reference | null = n === 0 ? null : { entity: 'Account', by: '_idValue', value: '1' };
  return record('account', n, { code: `40${n}`, name: `Account ${n}`, isActive: true }, { parent });
}

function vendor(n: number): MappedRecord {
  const values = {
    code: `V-${String(n).padStart(5, '0')}`,
    name: `${NAMES[n % NAMES.length]} ${n}`,
    legalName: n === 0 ? null : `${NAMES[n % NAMES.length]} ${n} GmbH`,
    isActive: n % 2 === 0,
    terms: 'Net 30',
    leadTimeDays: n % 30,
    partnerSinceDate: `2020-01-${String((n % 28) + 1).padStart(2, '0')}`,
  };
  return record('party', n, values, {
    currency: n === 0 ? null : { entity: 'Currency', by: 'code', value: ['EUR', 'USD', 'CZK'][n % 3] ?? 'EUR' },
    accountPayable: { entity: 'Account', by: '_idValue', value: '2' },
  });
}

function workOrder(n: number): MappedRecord {
  const values = {
    code: `WO-${n}`,
    name: `Job ${n}`,
    statusCategory: CATEGORIES[n % CATEGORIES.length],
    priorityLevel: (n % 5) + 1,
  };
  return record('maintenance', n, values);
}
