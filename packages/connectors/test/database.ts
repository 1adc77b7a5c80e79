import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { empty, type Preparation, startPrepared } from '../../store/test/prepared-server.ts';
import { seedSandbox } from '../sandbox/seed.ts';

/** Tidying up in the background would be an open transaction, which holds back the marks of incremental passes. */
const settings = { autovacuum: 'off' };

/** The sandbox company in this schema. */
export function company(schema: string): Preparation {
  return {
    name: `company-${schema}`,
    fill: async ({ url }, dataDir) => void (await seedSandbox({ url: await administratorUrl(url, dataDir), schema })),
  };
}

/** A PostgreSQL of its own for a test file, of which the test is the administrator; `stop` removes it. */
export async function testDatabase(preparation = empty): Promise<{ url: string; stop(): Promise<void> }> {
  const { url, dataDir, remove } = await startPrepared(preparation, settings);
  return { url: await administratorUrl(url, dataDir), stop: remove };
}

async function administratorUrl(url: string, dataDir: string): Promise<string> {
  const { password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  return Object.assign(new URL(url), { username: 'postgres', password }).href;
}
