import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { empty, startPrepared } from '../../store/test/prepared-server.ts';

/** Autovacuum would be an open transaction, which holds back the marks of incremental passes. */
const settings = { autovacuum: 'off' };

/** A separate PostgreSQL for a test file, with the test as its administrator; `stop` removes it. */
export async function testDatabase(preparation = empty): Promise<{ url: string; stop(): Promise<void> }> {
  const { url, dataDir, remove } = await startPrepared(preparation, settings);
  return { url: await administratorUrl(url, dataDir), stop: remove };
}

/** The same address, with the administrator login of an embedded PostgreSQL. */
export async function administratorUrl(url: string, dataDir: string): Promise<string> {
  const { password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  return Object.assign(new URL(url), { username: 'postgres', password }).href;
}
