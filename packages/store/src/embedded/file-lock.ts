import { DatabaseSync } from 'node:sqlite';

/** A lock that the operating system releases when its process ends for any reason. */
export interface FileLock {
  release(): void;
}

/** Error code of SQLite: another connection holds a lock that excludes this one. */
const BUSY = 5;

const STATEMENTS = { shared: 'begin; select name from sqlite_master', exclusive: 'begin exclusive' } as const;

/**
 * Locks a file; returns null while another lock excludes it. Node has no file locks. SQLite has them on every platform, so an
 * empty SQLite database is the lock file: nothing is ever written to it.
 */
export function tryLock(file: string, mode: keyof typeof STATEMENTS): FileLock | null {
  const database = new DatabaseSync(file);
  try {
    database.exec(STATEMENTS[mode]);
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null;
    throw new Error(`${file} cannot be locked: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
