import pg from 'pg';
import { administratorUrl, testDatabase } from '../../connectors/test/system-database.ts';
import type { Preparation } from '../../store/test/prepared-server.ts';
import { type SeedOptions, seedSandbox } from '../src/seed.ts';

/** The sandbox company in a separate PostgreSQL, and a session in its schema. */
export interface CompanyDatabase {
  /** Seeds another company, or the same one again. */
  seed(options: Omit<SeedOptions, 'url'>): Promise<boolean>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** First column of the first row; undefined when there is no row. */
  value(sql: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** The sandbox company in the schema erp. */
export const company: Preparation = {
  name: 'company',
  fill: async ({ url }, dataDir) => {
    await seedSandbox({ url: await administratorUrl(url, dataDir), schema: 'erp' });
  },
};

export async function startCompanyDatabase(): Promise<CompanyDatabase> {
  const { url, stop } = await testDatabase(company);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET search_path TO erp');
  const rows = async (sql: string) => (await client.query(sql)).rows;
  return {
    seed: (options) => seedSandbox({ url, ...options }),
    rows,
    value: async (sql) => Object.values((await rows(sql))[0] ?? {})[0],
    async stop() {
      await client.end();
      await stop();
    },
  };
}
