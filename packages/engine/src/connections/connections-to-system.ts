import { type Platform, systemIdentity } from '@unified/connectors';
import {
  type ApplicationScope,
  type Connection,
  connectionsOfUnknownSystem,
  connectionsToSystem,
  readableSettings,
  rememberSystem,
  type Store,
} from '@unified/store';
import type { Settings } from '../model/systems.ts';

/** Whether both settings lead to one system, whatever their user. */
export function isSameSystem(platform: Platform, one: Settings, other: Settings): boolean {
  return systemIdentity(platform, one) === systemIdentity(platform, other);
}

/** The connections of an application to the system that these settings lead to, whatever their user. */
export async function connectionsTo(
  store: Store,
  application: ApplicationScope,
  platform: Platform,
  settings: Settings,
): Promise<Connection[]> {
  for (const id of await connectionsOfUnknownSystem(application, platform.id)) {
    const known = (await readableSettings(store, id)) as Settings | null;
    if (known) await rememberSystem(application, id, systemIdentity(platform, known));
  }
  return connectionsToSystem(application, systemIdentity(platform, settings));
}
