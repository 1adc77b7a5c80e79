import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEmbedded, hasInstallation } from '@unified/store';
import type { Configuration } from '../start/configuration.ts';
import { Refusal } from './usage.ts';

type Place = Pick<Configuration, 'databaseUrl' | 'dataDir' | 'key' | 'keyCommand'>;

/**
 * Throws `Refusal` if the environment names no installation, so that a command without the settings of the service does not
 * create an empty one.
 */
export async function refuseMissing({ databaseUrl, dataDir, key, keyCommand }: Place): Promise<void> {
  if (databaseUrl === undefined) await refuseMissingDirectory(dataDir);
  else if (!(await hasInstallation(databaseUrl)))
    throw new Refusal(
      'There is no installation in the database that DATABASE_URL names.',
      'Check DATABASE_URL. To create an installation there, run: npm start',
    );
  if ((key ?? keyCommand) === undefined) await refuseMissingKey(join(dataDir, 'key'));
}

/** Throws `Refusal` if the directory contains no embedded database. */
export async function refuseMissingDirectory(dataDir: string): Promise<void> {
  if (await hasEmbedded(dataDir)) return;
  throw new Refusal(
    `There is no installation in ${dataDir}.`,
    'Set DATA_DIR to the directory that the server uses, or DATABASE_URL to its database. To create an installation here, run: npm start',
  );
}

async function refuseMissingKey(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  if (isThere) return;
  throw new Refusal(
    `There is no master key in ${file}.`,
    'Set UNIFIED_KEY, MASTER_KEY_COMMAND or DATA_DIR as they are set for the server.',
  );
}
