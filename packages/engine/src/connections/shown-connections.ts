import { type Connection, connectionFailures, type KnownFailures, readableSettings } from '@unified/store';
import { accountOf } from '../drivers/account-of.ts';
import type { Quotas } from '../drivers/quotas.ts';
import { modelOrProblems } from '../model/broken-platform.ts';
import { type ModelParts, platformIn, type Settings } from '../model/systems.ts';
import { openSettings } from './audited-connection.ts';
import { type ConnectionHealth, healthOf } from './connection-health.ts';

/** A connection with the settings that are not secret, and its health. */
export interface ShownConnection extends Connection {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly health: ConnectionHealth;
}

/** Adds settings and health to connections. The number of queries does not depend on the number of connections. */
export async function shownConnections(
  parts: ShownParts,
  connections: readonly Connection[],
): Promise<ShownConnection[]> {
  const { store, systems, quotas } = parts;
  const ids = connections.map(({ id }) => id);
  const settings = await readableSettings(store, ids);
  const known = await connectionFailures(store, ids);
  const accounts = new Map(
    connections.flatMap(({ id, platform: name }) => {
      const [platform, given] = [platformIn(systems, name), settings.get(id)];
      return platform && given ? [[id, accountOf(platform, given as Settings)] as const] : [];
    }),
  );
  const pauses = await quotas.pausesOf([...new Set(accounts.values())]);
  return Promise.all(
    connections.map(async (connection) => {
      const { id, platform } = connection;
      const model = await modelOrProblems(parts, connection);
      return {
        ...connection,
        settings: openSettings(platformIn(systems, platform), settings.get(id) ?? {}),
        health: healthOf(known.get(id) ?? NOTHING, model, pauses.get(accounts.get(id) ?? '')),
      };
    }),
  );
}

interface ShownParts extends ModelParts {
  readonly quotas: Pick<Quotas, 'pausesOf'>;
}

/** What is known about a connection that has been removed in the meantime. */
const NOTHING: KnownFailures = { lastSyncAt: null, failures: [] };
