import { entities, type MappedRecord } from '@unified/contract';
import {
  createApplication,
  createConnection,
  issueConnectionToken,
  migrate,
  openStore,
  refreshStatistics,
  type Scope,
  type SecretKey,
  saveRecords,
} from '@unified/store';

export interface ListFixture {
  readonly connectionId: string;
  readonly token: string;
}

const BATCH = 1000;
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'];

const KEY: SecretKey = { id: 'bench', bytes: Buffer.alloc(32, 7) };

/**
 * A connection with `count` vendors of typical size, saved with the usual functions. `key` is the master key of a database that
 * a server has already used.
 */
export async function listFixture(databaseUrl: string, count: number, key: SecretKey = KEY): Promise<ListFixture> {
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
  try {
    await migrate(store);
    const application = await createApplication(store, 'Benchmark');
    const connection = await createConnection(store, {
      applicationId: application.id,
      platform: 'sandbox',
      name: 'Benchmark',
      settings: {},
    });
    const scope = store.scope({ applicationId: application.id, connectionId: connection.id });
    await saveRecords(scope, entities.Currency, CURRENCIES.map(currency));
    await saveVendors(scope, count);
    await refreshStatistics(store);
    const { token } = await issueConnectionToken(store, { connectionId: connection.id });
    return { connectionId: connection.id, token };
  } finally {
    await store.close();
  }
}

async function saveVendors(scope: Scope, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => from + index);
    await saveRecords(scope, entities.Vendor, numbers.map(vendor));
  }
}

function currency(code: string): MappedRecord {
  return { _source: 'currency', _idValue: code, values: { code, name: code, isoCode: code }, references: {} };
}

/** A vendor of typical size. */
export function vendor(number: number): MappedRecord {
  const code = `V-${String(number).padStart(7, '0')}`;
  return {
    _source: 'vendor',
    _idValue: String(number),
    values: {
      code,
      name: `Vendor ${number} Industrial Supplies`,
      description: 'Fasteners, sheet metal and bearings for maintenance and production',
      legalName: `Vendor ${number} Industrial Supplies GmbH & Co. KG`,
      isActive: number % 9 !== 0,
      partnerSinceDate: `20${String(10 + (number % 15))}-0${1 + (number % 9)}-15`,
      terms: number % 3 === 0 ? 'Net 30' : 'Net 45, 2 % within 10 days',
      taxNumber: `DE${String(100_000_000 + number)}`,
      email: `orders@vendor-${number}.example`,
      phone: `+49 30 ${String(1_000_000 + number)}`,
      website: `https://vendor-${number}.example`,
      leadTimeDays: number % 60,
      _createdAt: '2024-02-01T08:00:00Z',
      _updatedAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    },
    references: {
      currency: { entity: 'Currency', by: '_idValue', value: CURRENCIES[number % CURRENCIES.length] ?? '' },
    },
  };
}
