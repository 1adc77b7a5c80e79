import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Creates a database on the embedded server of a data directory, and returns its URL for the superuser: the baselines
 * read the tables without row-level security.
 */
export async function adminDatabase(dataDir: string, name: string): Promise<string> {
  const { port, password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  try {
    await admin.query(`create database ${admin.escapeIdentifier(name)} template template0`);
  } finally {
    await admin.end();
  }
  return urlOf(name);
}
