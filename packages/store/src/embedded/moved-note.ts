import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.ts';

/** Written to a data directory once all that its database contains is in another one. */
export interface MovedNote {
  /** `host:port/database`, without a user or password. */
  readonly to: string;
  /** RFC 3339 */
  readonly movedAt: string;
}

const fileOf = (dataDir: string) => join(dataDir, 'moved.json');

/** Notes that the installation was moved: from then on, its embedded database is not started. */
export async function noteMoved(dataDir: string, note: MovedNote): Promise<void> {
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

/** Throws `DataDirectoryError` if the installation was moved. */
export async function refuseMoved(dataDir: string): Promise<void> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const { to, movedAt } = JSON.parse(text) as MovedNote;
  throw new DataDirectoryError(
    `The installation in ${dataDir} was moved to ${to} at ${movedAt}.`,
    `Set DATABASE_URL to that database. To use the state before the move again, delete ${fileOf(dataDir)}; later changes remain in the other database.`,
  );
}
