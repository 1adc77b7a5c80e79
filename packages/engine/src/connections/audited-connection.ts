import { isDeepStrictEqual } from 'node:util';
import { type Platform, settingsOf } from '@unified/connectors';
import {
  type AuditOrigin,
  activateConnection,
  audited,
  type Connection,
  deactivateConnection,
  lockConnection,
  type Store,
} from '@unified/store';

/** The settings of a connection as they are stored. */
type StoredSettings = Readonly<Record<string, unknown>>;

/** The settings that a platform describes and does not mark as secret; none if the platform cannot be used. */
export function openSettings(platform: Platform | undefined, settings: StoredSettings): StoredSettings {
  if (!platform) return {};
  const known = settingsOf(platform);
  const isOpen = (name: string) => known.has(name) && !platform.secrets.includes(name);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isOpen(name)));
}

/**
 * A connection as the audit log stores it. For secret settings, only the names of those that differ from `previous` are stored.
 */
export function withOpenSettings(
  platform: Platform | undefined,
  connection: Connection,
  settings: StoredSettings,
  previous?: StoredSettings,
): object {
  const changed = platform?.secrets.filter((name) => !isDeepStrictEqual(settings[name], previous?.[name]));
  return {
    ...connection,
    settings: openSettings(platform, settings),
    ...(previous && { changedSecrets: changed ?? [] }),
  };
}

/** Who makes the changes, and where they are stored. */
interface Changing {
  readonly store: Store;
  readonly origin: AuditOrigin;
}

/**
 * Activates or deactivates a connection and records it, unless it already is in that state. Null if there is none, or it is
 * deleted.
 */
export function changeStatus({ store, origin }: Changing, id: string, isActive: boolean): Promise<Connection | null> {
  return audited(store, origin, async (inner, record) => {
    const before = await lockConnection(inner, id);
    if (!before || before.deletedAt !== null) return null;
    if ((before.status === 'active') === isActive) return before;
    const after = await (isActive ? activateConnection : deactivateConnection)(inner, id);
    const action = isActive ? 'connection.activate' : 'connection.deactivate';
    await record(before.applicationId, { action, target: id, before, after });
    return after;
  });
}
