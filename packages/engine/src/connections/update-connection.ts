import { systemIdentity } from '@unified/connectors';
import {
  type AuditChange,
  audited,
  type Connection,
  connectionById,
  connectionSettings,
  lockConnection,
  renameConnection,
  replaceMetadata,
  replaceSchedule,
  replaceSettings,
  type ScopeOf,
  type Store,
  type SyncSchedule,
} from '@unified/store';
import { allSystems, platformIn, type Settings, type Systems } from '../model/systems.ts';
import { withOpenSettings } from './audited-connection.ts';
import { changedMetadata, type MetadataChanges } from './connection-metadata.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { lockedConnectionsTo, refuseDuplicate } from './connections-to-system.ts';

export interface ConnectionChanges {
  readonly name?: string | undefined;
  /** All settings, already checked (`settingProblems`, `checkSystem`); unchanged if absent. */
  readonly settings?: Settings | undefined;
  /** Whether the system has accepted the check of the settings, which ends a pause that it requested. Defaults to false. */
  readonly isAccepted?: boolean | undefined;
  /** Whether the settings may lead to a system to which the application already has another connection. */
  readonly allowDuplicate?: boolean | undefined;
  /** Absent properties stay unchanged. */
  readonly schedule?: Partial<SyncSchedule> | undefined;
  readonly metadata?: MetadataChanges | undefined;
}

/**
 * Changes a connection of an application. Its records keep their ids, and its tokens stay valid. With new settings or another
 * schedule it is read immediately. The change is recorded in the audit log. Returns null if there is no such connection.
 * Throws `ConnectionNameTaken`, `SystemConnected` if the settings lead to the system of another connection, and
 * SERVICE_INVALID_BODY for metadata that exceeds its limits.
 */
export async function updateConnection(
  { store, engine, systems = allSystems, origin }: ConnectionParts,
  { applicationId, connectionId }: ScopeOf,
  changes: ConnectionChanges,
): Promise<Connection | null> {
  const updated = await audited(store, origin, async (within, record) => {
    const before = await lockConnection(within, connectionId);
    if (before?.applicationId !== applicationId) return null;
    const { isDescribed, isRead, states } = await change(within, systems, before, changes);
    if (isDescribed || isRead)
      await record(applicationId, { action: 'connection.update', target: connectionId, ...states });
    return { before, isRead };
  });
  if (!updated) return null;
  const { before, isRead } = updated;
  const platform = platformIn(systems, before.platform);
  const isAccepted = platform && changes.settings && changes.isAccepted;
  const wasPaused = isAccepted && (await engine.endPause(platform, changes.settings));
  if (isAccepted) await engine.attemptWrites(connectionId);
  if ((isRead || wasPaused) && before.status === 'active') await engine.requestSync(connectionId, 'incremental');
  return connectionById(store, connectionId);
}

/**
 * What has changed: `isDescribed` is whether its name or metadata changed; `isRead`, whether the connection must be read;
 * `states` are for the audit log.
 */
interface Changed {
  readonly isDescribed: boolean;
  readonly isRead: boolean;
  readonly states: Pick<AuditChange, 'before' | 'after'>;
}

async function change(
  store: Store,
  systems: Systems,
  before: Connection,
  { name, settings, schedule, metadata, allowDuplicate }: ConnectionChanges,
): Promise<Changed> {
  const { id, applicationId } = before;
  const isRenamed = name !== undefined && name !== before.name;
  if (isRenamed) await renameConnection(store, id, name);
  const isMarked =
    metadata !== undefined && (await replaceMetadata(store, id, changedMetadata(before.metadata, metadata)));
  const isDescribed = isRenamed || isMarked;
  const platform = platformIn(systems, before.platform);
  const systemOf = (each: Settings) => platform && systemIdentity(platform, each);
  const system = settings && systemOf(settings);
  const previous = settings && ((await connectionSettings(store, id)) ?? {});
  if (system !== undefined && previous && system !== systemOf(previous as Settings)) {
    const others = await lockedConnectionsTo(store.application(applicationId), system);
    if (!allowDuplicate) refuseDuplicate(others);
  }
  const isConfigured = settings !== undefined && (await replaceSettings(store, id, settings, system));
  const isRescheduled = schedule !== undefined && (await replaceSchedule(store, id, schedule));
  const after = (await connectionById(store, id)) ?? before;
  if (!settings || !previous) return { isDescribed, isRead: isRescheduled, states: { before, after } };
  const states = {
    before: withOpenSettings(platform, before, previous),
    after: withOpenSettings(platform, after, settings, previous),
  };
  return { isDescribed, isRead: isConfigured || isRescheduled, states };
}
