import { type Platform, systemIdentity } from '@unified/connectors';
import {
  type ApplicationScope,
  type Connection,
  connectionsOfUnknownSystem,
  connectionsToSystem,
  lockSystem,
  readableSettings,
  rememberSystem,
  type Store,
} from '@unified/store';
import type { Settings } from '../model/systems.ts';

/** Whether both settings lead to the same system, whichever user they sign in as. */
export function isSameSystem(platform: Platform, one: Settings, other: Settings): boolean {
  return systemIdentity(platform, one) === systemIdentity(platform, other);
}

/** The connections of an application to the system that these settings lead to, whichever user they sign in as. */
export async function connectionsTo(
  store: Store,
  application: ApplicationScope,
  platform: Platform,
  settings: Settings,
): Promise<Connection[]> {
  const unknown = await connectionsOfUnknownSystem(application, platform.id);
  for (const [id, known] of await readableSettings(store, unknown))
    await rememberSystem(application, id, systemIdentity(platform, known as Settings));
  return connectionsToSystem(application, systemIdentity(platform, settings));
}

/** Throws `SystemConnected` if the application has a connection to the system that these settings lead to. */
export async function refuseConnected(
  store: Store,
  application: ApplicationScope,
  platform: Platform,
  settings: Settings,
): Promise<void> {
  refuseDuplicate(await connectionsTo(store, application, platform, settings));
}

/**
 * Makes other transactions that connect the application to this system wait until this one ends. Returns its connections to the
 * system, oldest first. Call it with the scope of a transaction.
 */
export async function lockedConnectionsTo(application: ApplicationScope, system: string): Promise<Connection[]> {
  await lockSystem(application, system);
  return connectionsToSystem(application, system);
}

/** The application has a connection to the same system. */
export class SystemConnected extends Error {
  override readonly name = 'SystemConnected';

  constructor({ id, name }: Connection) {
    super(`The connection "${name}" (${id}) is to the same system.`);
  }
}

/** Throws `SystemConnected` if there is a connection. */
export function refuseDuplicate([same]: readonly Connection[]): void {
  if (same) throw new SystemConnected(same);
}
