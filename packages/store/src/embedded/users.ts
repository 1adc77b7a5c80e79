import { join } from 'node:path';
import { type FileLock, tryLock } from './file-lock.ts';
import { until } from './until.ts';

/** File that every process which uses a server has locked, as one of several. */
export const USERS_LOCK = 'users.lock';

/** This process's entry among the users of a server. */
export interface Use {
  /** Leaves. If no user is left, returns a lock that keeps new users out while the server is stopped; otherwise null. */
  leave(): FileLock | null;
}

/** Runs `work` while no other process starts or stops the server of this folder. */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const late = `Another process has been starting the database in ${dataDir} for two minutes. Stop it and start again.`;
  const lock = await until(() => tryLock(join(dataDir, 'start.lock'), 'exclusive'), 120, late);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Joins the users of the server of this folder. A process leaves when it ends for any reason. */
export async function useServer(dataDir: string): Promise<Use> {
  const file = join(dataDir, USERS_LOCK);
  const late = `Another process has been stopping the database in ${dataDir} for two minutes. Stop it and start again.`;
  const lock = await until(() => tryLock(file, 'shared'), 120, late);
  return {
    leave() {
      lock.release();
      return tryLock(file, 'exclusive');
    },
  };
}
