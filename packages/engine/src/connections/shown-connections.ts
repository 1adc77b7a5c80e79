import { type Connection, connectionFailures, type KnownFailures, readableSettings } from '@unified/store';
import { modelOrProblems } from '../model/broken-platform.ts';
import { type ModelParts, platformIn } from '../model/systems.ts';
import { openSettings } from './audited-connection.ts';
import { type ConnectionHealth, healthOf } from './connection-health.ts';

/** A connection with the settings that are not secret, and its health. */
export interface ShownConnection extends Connection {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly health: ConnectionHealth;
}

/** Adds settings and health to connections. The number of queries does not depend on the number of connections. */
export async function shownConnections(
  parts: ModelParts,
  connections: readonly Connection[],
): Promise<ShownConnection[]> {
  const { store, systems } = parts;
  const ids = connections.map(({ id }) => id);
  const settings = await readableSettings(store, ids);
  const known = await connectionFailures(store, ids);
  return Promise.all(
    connections.map(async (connection) => ({
      ...connection,
      settings: openSettings(platformIn(systems, connection.platform), settings.get(connection.id) ?? {}),
      health: healthOf(known.get(connection.id) ?? NOTHING, await modelOrProblems(parts, connection)),
    })),
  );
}

/** What is known about a connection that has been removed in the meantime. */
const NOTHING: KnownFailures = { lastSyncAt: null, failures: [] };
