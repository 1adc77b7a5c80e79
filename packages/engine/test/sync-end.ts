import type { Store } from '@unified/store';
import { vi } from 'vitest';
import { createLeases } from '../src/locks/leases.ts';

/**
 * Waits until no sync of a connection is running. A stream has succeeded before that: records that waited for a target
 * of a later stream are derived again at the end of the run.
 */
export async function syncEnd(store: Store, connectionId: string, timeout: number): Promise<void> {
  const leases = createLeases(store);
  const taken = async () => {
    if (!(await leases.take('sync', connectionId))) throw new Error('the sync has not ended in time');
  };
  try {
    await vi.waitFor(taken, { timeout, interval: 50 });
  } finally {
    await leases.close();
  }
}
