import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Key of the lock of the tables; the same in every process, so that one changes them while the others wait. */
export const MIGRATING = 7_246_100_512;

const LONGEST_PAUSE = 500;

/**
 * Acquires an advisory lock of the database session by polling. A statement that waits for the lock keeps a snapshot open, and
 * `create index concurrently` in the process that has the lock would wait for that snapshot.
 */
export async function takeSessionLock(client: pg.ClientBase, key: number, mode: 'exclusive' | 'shared'): Promise<void> {
  const attempt = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  for (let wait = 10; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${attempt}($1) as taken`, [key]);
    if (rows[0]?.taken) return;
    await pause(wait);
  }
}
