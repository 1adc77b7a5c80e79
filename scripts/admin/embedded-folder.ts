import { Refusal } from '../command-line/usage.ts';
import { readConfiguration } from '../start/configuration.ts';

/** The data directory. Refuses a database other than the embedded one, which has its own tools. */
export function embeddedFolder(): string {
  const { databaseUrl, dataDir } = readConfiguration([], process.env);
  if (databaseUrl === undefined) return dataDir;
  throw new Refusal(
    'This command is for the embedded PostgreSQL, but DATABASE_URL names a different database.',
    'Use pg_dump and pg_restore: docs/operations.md shows how.',
  );
}
