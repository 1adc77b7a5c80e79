import { connectionLocks, type Store } from '@unified/store';
import { vi } from 'vitest';

/**
 * Waits until no sync of a connection is running. Streams succeed before that, because records that waited for a target in a
 * later stream are derived again at the end of the run.
 */
export async function syncEnd(store: Store, connectionId: string, timeout: number): Promise<void> {
  const locks = connectionLocks(store);
  const taken = async () => {
    if (!(await locks.take('sync', connectionId))) throw new Error('the sync has not ended in time');
  };
  try {
    await vi.waitFor(taken, { timeout, interval: 50 });
  } finally {
    await locks.close();
  }
}
