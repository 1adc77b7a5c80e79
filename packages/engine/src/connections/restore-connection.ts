import { systemIdentity } from '@unified/connectors';
import {
  type AuditOrigin,
  audited,
  type Connection,
  connectionSettings,
  lockConnection,
  restoreDeletedConnection,
  type ScopeOf,
  type Store,
} from '@unified/store';
import { platformIn, type Settings, type Systems } from '../model/systems.ts';
import { lockedConnectionsTo, refuseDuplicate } from './connections-to-system.ts';

interface Parts {
  readonly store: Store;
  readonly systems: Systems;
  /** Who restores the connection, for the audit log. */
  readonly origin: AuditOrigin;
}

/**
 * Restores a deleted connection of an application, which is then inactive, and records this. A connection that is not deleted
 * stays unchanged. Returns null if there is none, or it was deleted more than 30 days ago. Throws `ConnectionNameTaken`, and
 * `SystemConnected` if the application has another connection to its system, unless that is allowed.
 */
export function restoreConnection(
  { store, systems, origin }: Parts,
  { applicationId, connectionId }: ScopeOf,
  { allowDuplicate = false }: { readonly allowDuplicate?: boolean | undefined },
): Promise<Connection | null> {
  return audited(store, origin, async (within, record) => {
    const before = await lockConnection(within, connectionId);
    if (before?.applicationId !== applicationId) return null;
    if (before.deletedAt === null) return before;
    const platform = platformIn(systems, before.platform);
    const settings = (await connectionSettings(within, connectionId)) as Settings | null;
    if (platform && settings) {
      const system = systemIdentity(platform, settings);
      const others = await lockedConnectionsTo(within.application(applicationId), system);
      if (!allowDuplicate) refuseDuplicate(others);
    }
    const after = await restoreDeletedConnection(within, before);
    if (after) await record(applicationId, { action: 'connection.restore', target: connectionId, before, after });
    return after;
  });
}
