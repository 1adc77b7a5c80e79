import { type Json, type Platform, systemIdentity } from '@unified/connectors';
import { type Connection, createConnection, issueConnectionToken, type SyncSchedule } from '@unified/store';
import type { ConnectionParts } from './connection-parts.ts';

export interface NewSystem {
  readonly applicationId: string;
  readonly platform: Platform;
  readonly name: string;
  /** As described by the platform, already checked (`settingProblems`, `checkSystem`). */
  readonly settings: Readonly<Record<string, Json>>;
  /** Absent properties have their defaults. */
  readonly schedule?: Partial<SyncSchedule>;
  /** Name of the token that is issued. */
  readonly tokenName: string;
}

/** Stores a connection, issues its first token and requests a full sync. Throws `ConnectionNameTaken`. */
export async function connectSystem(
  { store, engine }: ConnectionParts,
  { applicationId, platform, name, settings, schedule = {}, tokenName }: NewSystem,
): Promise<{ readonly connection: Connection; readonly token: string }> {
  const system = systemIdentity(platform, settings);
  const made = { applicationId, platform: platform.id, name, settings, system, schedule };
  const connection = await createConnection(store, made);
  const { token } = await issueConnectionToken(store, { connectionId: connection.id, name: tokenName });
  await engine.requestSync(connection.id, 'full');
  return { connection, token };
}
