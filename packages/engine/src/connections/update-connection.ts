import { type Json, systemIdentity } from '@unified/connectors';
import {
  type Connection,
  connectionById,
  renameConnection,
  replaceSchedule,
  replaceSettings,
  type ScopeOf,
  type SyncSchedule,
} from '@unified/store';
import { allSystems, platformIn } from '../model/systems.ts';
import type { ConnectionParts } from './connection-parts.ts';

export interface ConnectionChanges {
  readonly name?: string;
  /** All settings, already checked (`settingProblems`, `checkSystem`); absent: unchanged. */
  readonly settings?: Readonly<Record<string, Json>>;
  /** Absent properties are unchanged. */
  readonly schedule?: Partial<SyncSchedule>;
}

/**
 * Changes a connection of an application. Its records keep their ids, and its tokens stay valid. With new settings or another
 * schedule it is read immediately. Returns null if there is none. Throws `ConnectionNameTaken`.
 */
export async function updateConnection(
  { store, engine, systems = allSystems }: ConnectionParts,
  { applicationId, connectionId }: ScopeOf,
  { name, settings, schedule }: ConnectionChanges,
): Promise<Connection | null> {
  const before = await connectionById(store, connectionId);
  if (before?.applicationId !== applicationId) return null;
  if (name !== undefined && name !== before.name) await renameConnection(store, connectionId, name);
  const platform = platformIn(systems, before.platform);
  const system = platform && settings && systemIdentity(platform, settings);
  const isConfigured = settings !== undefined && (await replaceSettings(store, connectionId, settings, system));
  const isRescheduled = schedule !== undefined && (await replaceSchedule(store, connectionId, schedule));
  if ((isConfigured || isRescheduled) && before.status === 'active')
    await engine.requestSync(connectionId, 'incremental');
  return connectionById(store, connectionId);
}
