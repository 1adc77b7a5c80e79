import type { Json } from '@unified/connectors';
import { type Connection, connectionById, renameConnection, replaceSettings, type ScopeOf } from '@unified/store';
import type { ConnectionParts } from './connection-parts.ts';

export interface ConnectionChanges {
  readonly name?: string;
  /** All settings as they are to be, checked before (`settingProblems`, `checkSystem`); absent: they stay. */
  readonly settings?: Readonly<Record<string, Json>>;
}

/**
 * Changes a connection of an application. Its records keep their ids, its tokens stay good. With new settings it is read
 * at once, so that a new password or schedule takes effect now. Null when there is none. Throws `ConnectionNameTaken`.
 */
export async function updateConnection(
  { store, engine }: ConnectionParts,
  { applicationId, connectionId }: ScopeOf,
  { name, settings }: ConnectionChanges,
): Promise<Connection | null> {
  const before = await connectionById(store, connectionId);
  if (before?.applicationId !== applicationId) return null;
  if (name !== undefined && name !== before.name) await renameConnection(store, connectionId, name);
  if (settings !== undefined) {
    const isChanged = await replaceSettings(store, connectionId, settings);
    if (isChanged && before.status === 'active') await engine.requestSync(connectionId, 'incremental');
  }
  return connectionById(store, connectionId);
}
