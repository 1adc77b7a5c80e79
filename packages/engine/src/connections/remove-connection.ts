import { audited, connectionById, deleteConnection, type ScopeOf, withoutWorkers } from '@unified/store';
import { changeStatus } from './audited-connection.ts';
import type { ConnectionParts, ConnectionWork } from './connection-parts.ts';

/** Longer than a single call to a connected system takes. */
const WAIT_MS = 180_000;

interface Removing extends Pick<ConnectionParts, 'store' | 'origin'> {
  readonly engine: Pick<ConnectionWork, 'forgetJobs'>;
}

/**
 * Removes a connection of an application with everything that belongs to it: records, raw rows, changes, writes, keys, tokens,
 * files and jobs. The connection is deactivated first; workers stop after the current page or write, and the removal waits for
 * them. Deactivation and removal are recorded in the audit log. Returns whether there was such a connection. Throws
 * `ConnectionBusy` when they do not stop in time: the connection stays deactivated, and the removal can be repeated.
 */
export async function removeConnection(
  { store, engine, origin }: Removing,
  { applicationId, connectionId }: ScopeOf,
  { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
): Promise<boolean> {
  if ((await connectionById(store, connectionId))?.applicationId !== applicationId) return false;
  await changeStatus({ store, origin }, connectionId, false);
  await engine.forgetJobs(connectionId);
  const removed = await withoutWorkers(store, { connectionId, waitMs }, () =>
    audited(store, origin, async (inner, record) => {
      const before = await connectionById(inner, connectionId);
      const isRemoved = await deleteConnection(inner, { applicationId, connectionId });
      if (isRemoved) await record(applicationId, { action: 'connection.purge', target: connectionId, before });
      return isRemoved;
    }),
  );
  // A worker that stopped may have requested its next run.
  await engine.forgetJobs(connectionId);
  return removed;
}
