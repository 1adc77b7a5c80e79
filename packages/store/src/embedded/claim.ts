import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.ts';
import { type FileLock, tryLock } from './file-lock.ts';
import { refuseMoved } from './moved-note.ts';
import { until } from './until.ts';

/** Seconds to wait for other processes, each of which locks the directory briefly when it starts. */
const PATIENCE = 2;
const LATE = 'The directory was not free in time.';

/**
 * Claims a data directory until the lock is released or the process ends: together with other processes, or alone. Throws
 * `DataDirectoryError` if the installation was moved to another database, or is being moved, or if `alone` and another process
 * uses it.
 */
export async function claimDirectory(dataDir: string, alone: boolean): Promise<FileLock> {
  const attempt = () => tryLock(join(dataDir, 'claim.lock'), alone ? 'exclusive' : 'shared');
  const lock = await until(attempt, PATIENCE, LATE).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === LATE)) throw error;
    throw alone ? inUse(dataDir) : beingMoved(dataDir);
  });
  try {
    await refuseMoved(dataDir);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

const inUse = (dataDir: string) =>
  new DataDirectoryError(
    `A process uses the database in ${dataDir}.`,
    'Stop it: press Ctrl-C where `npm start` runs, or stop its service, such as with `systemctl stop unified`. Then run this again.',
  );

const beingMoved = (dataDir: string) =>
  new DataDirectoryError(
    `The installation in ${dataDir} is being moved to another database.`,
    'Wait until the move has ended, then set DATABASE_URL to that database.',
  );
