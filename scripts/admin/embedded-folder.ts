import { Refusal } from '../command-line/usage.ts';
import { readConfiguration } from '../start/configuration.ts';

/** The data directory. If DATABASE_URL is set, the command is refused with this remedy. */
export function embeddedFolder(remedy: string): string {
  const { databaseUrl, dataDir } = readConfiguration([], process.env);
  if (databaseUrl === undefined) return dataDir;
  throw new Refusal(
    'This command is for the embedded PostgreSQL, but DATABASE_URL names a different database.',
    remedy,
  );
}
