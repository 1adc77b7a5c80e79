import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadPlatform } from '../../src/load-platform.ts';
import type { Platform } from '../../src/platform.ts';
import { testDatabase } from '../system-database.ts';

/** Cascade Outfitters: a company whose database was not designed for an API and runs on Los Angeles time. */
export interface Company {
  readonly platform: Platform;
  readonly url: string;
  /** Runs SQL as the company's own programs do. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function startCompany(): Promise<Company> {
  const server = await testDatabase();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('CREATE DATABASE cascade');
  await admin.query(`ALTER DATABASE cascade SET timezone TO 'America/Los_Angeles'`);
  await admin.end();
  const url = Object.assign(new URL(server.url), { pathname: '/cascade' }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(new URL('tables.sql', import.meta.url), 'utf8'));
  return {
    platform: loadPlatform(fileURLToPath(new URL('platform', import.meta.url))),
    url,
    sql: async (text) => (await client.query(text)).rows,
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}
