import { type Platform, systemIdentity } from '@unified/connectors';
import { audited, type Connection, createConnection, issueConnectionToken, type SyncSchedule } from '@unified/store';
import type { Settings } from '../model/systems.ts';
import { withOpenSettings } from './audited-connection.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { lockedConnectionsTo, refuseDuplicate } from './connections-to-system.ts';

export interface NewSystem {
  readonly applicationId: string;
  readonly platform: Platform;
  readonly name: string;
  /** As described by the platform, already checked (`settingProblems`, `checkSystem`). */
  readonly settings: Settings;
  /** Whether the application may have a second connection to the same system. */
  readonly allowDuplicate?: boolean;
  /** Absent properties get their defaults. */
  readonly schedule?: Partial<SyncSchedule>;
  /** Name of the token that is issued. */
  readonly tokenName: string;
}

/**
 * Stores a connection, issues its first token and requests a full sync. Throws `ConnectionNameTaken`, and `SystemConnected` if the
 * application has a connection to the system. Connections of earlier releases are found only after a call of `refuseConnected`.
 */
export async function connectSystem(
  { store, engine, origin }: ConnectionParts,
  { applicationId, platform, name, settings, allowDuplicate = false, schedule = {}, tokenName }: NewSystem,
): Promise<{ readonly connection: Connection; readonly token: string }> {
  const system = systemIdentity(platform, settings);
  const given = { applicationId, platform: platform.id, name, settings, system, schedule };
  const made = await audited(store, origin, async (within, record) => {
    const others = await lockedConnectionsTo(within.application(applicationId), system);
    if (!allowDuplicate) refuseDuplicate(others);
    const connection = await createConnection(within, given);
    const { id: connectionId } = connection;
    const after = withOpenSettings(platform, connection, settings);
    await record(applicationId, { action: 'connection.create', target: connectionId, after });
    const { id, token } = await issueConnectionToken(within, { connectionId, name: tokenName });
    const issued = { connectionId, name: tokenName, expiresAt: null };
    await record(applicationId, { action: 'token.create', target: id, after: issued });
    return { connection, token };
  });
  await engine.requestSync(made.connection.id, 'full');
  return made;
}
