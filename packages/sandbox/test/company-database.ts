import pg from 'pg';
import { administratorUrl } from '../../connectors/test/system-database.ts';
import { type Preparation, startPrepared } from '../../store/test/prepared-server.ts';
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

/** Work orders of most companies in tests: a tenth, because no other rows take as long to seed, read and compare. */
export const WORK_ORDERS = 2_000;

/** The sandbox company with few work orders, in the schema erp of a separate database. */
export const company: Preparation = {
  name: 'company',
  fill: async (server) => void (await seedSandbox({ ...(await companySettings(server)), workOrders: WORK_ORDERS })),
};

/** The sandbox company as users get it. */
export const fullCompany: Preparation = {
  name: 'full-company',
  fill: async (server) => void (await seedSandbox(await companySettings(server))),
};

/** Settings of a connection to the company of a server. */
export async function companySettings(server: { createDatabase(name: string): Promise<string> }) {
  return { url: await server.createDatabase('sandbox_company'), schema: 'erp', allowPrivateHosts: true };
}

/** A separate PostgreSQL with a company; `url` is the address for its administrator. */
export async function startCompany(preparation = company): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startPrepared(preparation, { autovacuum: 'off' });
  const { url } = await companySettings(server);
  return { url: await administratorUrl(url, server.dataDir), stop: server.remove };
}

export async function startCompanyDatabase(preparation = company): Promise<CompanyDatabase> {
  const { url, stop } = await startCompany(preparation);
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
