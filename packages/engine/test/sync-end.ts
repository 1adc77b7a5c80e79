import { vi } from 'vitest';
import { schema } from '../src/jobs/jobs.ts';
import { withDatabase } from './job-database.ts';

/**
 * Waits until the syncs of a connection that are due or were requested have ended; with `mode`, only those requested in this
 * mode. A run that is already in progress does not count as a requested one: the job of the requested run is postponed until
 * then, and is removed when its run has ended. Throws if they have not ended after `timeout` milliseconds.
 */
export async function syncEnd(databaseUrl: string, connectionId: string, timeout: number, mode = ''): Promise<void> {
  const find = `select key, last_error from ${schema}.jobs where key like $1`;
  await withDatabase(databaseUrl, (query) =>
    vi.waitFor(
      async () => {
        const left = await query(find, [`sync:${connectionId}:${mode}%`]);
        if (left.length > 0) throw new Error(`the sync has not ended in time: ${JSON.stringify(left)}`);
      },
      { timeout, interval: 20 },
    ),
  );
}
