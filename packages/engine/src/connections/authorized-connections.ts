import { type Json, type Platform, type SettingProblem, settingsProblems, systemIdentity } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type Connection,
  ConnectionNameTaken,
  connectionById,
  connectionSettings,
  createConnection,
  listConnections,
  type NewConnection,
  type Store,
} from '@unified/store';
import { offeredPlatform, platformIn, type Systems } from '../model/systems.ts';
import { type CheckProgress, type CheckWatch, checkWithProgress } from './check-with-progress.ts';
import type { ConnectionJobs } from './connection-parts.ts';
import { OPERATOR_SETTINGS, operatorSettingProblems } from './operator-settings.ts';
import { updateConnection } from './update-connection.ts';

type Settings = Readonly<Record<string, Json>>;

/** A system that an end user authorizes an application to use, after it was checked. */
export interface AuthorizedSystem {
  readonly platform: string;
  readonly settings: Settings;
  /** The connection that gets these settings, and keeps its ids; absent: a new one. */
  readonly connectionId?: string | undefined;
}

/** Connections of one application that its end users authorize. */
export interface AuthorizedConnections {
  /** The platform with this id, or undefined if it cannot be used. */
  platform(id: string): Platform | undefined;
  /** The platform with this id, or undefined if no new connection can be made to it. */
  offered(id: string): Platform | undefined;
  /** An active or inactive connection of the application to a platform that can be used, or null. */
  connection(id: string): Promise<Connection | null>;
  /** All errors in the settings; empty if they can be used. Makes no calls. */
  problems(platform: Platform, settings: Settings): SettingProblem[];
  /** Checks a system with `checkWithProgress`. */
  check(system: AuthorizedSystem, watch: CheckWatch): Promise<CheckProgress>;
  /** The connections of the application to this system, whatever their user. */
  connectionsTo(platform: string, settings: Settings): Promise<Connection[]>;
  /** Stores a connection, or the settings of an existing one, and requests its synchronization. */
  accept(system: AuthorizedSystem): Promise<Connection>;
}

interface Parts {
  readonly store: Store;
  readonly engine: ConnectionJobs;
  readonly systems: Systems;
}

export function authorizedConnections(parts: Parts, { applicationId }: ApplicationScope): AuthorizedConnections {
  const { store, engine, systems } = parts;

  async function findUsable(id: string): Promise<Connection | null> {
    const found = await connectionById(store, id);
    if (!found || found.applicationId !== applicationId || found.deletedAt !== null) return null;
    return platformIn(systems, found.platform) ? found : null;
  }

  async function connectionsTo(platformId: string, settings: Settings): Promise<Connection[]> {
    const platform = platformIn(systems, platformId);
    if (!platform) return [];
    const wanted = systemIdentity(platform, settings);
    const same: Connection[] = [];
    for (const connection of await listConnections(store, applicationId)) {
      if (connection.platform !== platformId) continue;
      const known = (await connectionSettings(store, connection.id)) as Settings | null;
      if (known && systemIdentity(platform, known) === wanted) same.push(connection);
    }
    return same;
  }

  /** The settings with those that an operator has made for a connection. */
  async function completed(connectionId: string, settings: Settings): Promise<Settings> {
    const before = ((await connectionSettings(store, connectionId)) ?? {}) as Settings;
    const kept = Object.entries(before).filter(([name]) => OPERATOR_SETTINGS.includes(name));
    return { ...settings, ...Object.fromEntries(kept) };
  }

  return {
    platform: (id) => platformIn(systems, id),
    offered: (id) => offeredPlatform(systems, id),
    connection: findUsable,
    problems: (platform, settings) => [...operatorSettingProblems(settings), ...settingsProblems(platform, settings)],
    async check({ platform, settings, connectionId }, watch) {
      const given = connectionId === undefined ? settings : await completed(connectionId, settings);
      const found = platformIn(systems, platform);
      if (!found) throw new ServiceError('SERVICE_NOT_FOUND', 'This system is no longer offered.');
      return checkWithProgress(found, given, { systems, ...watch });
    },
    connectionsTo,
    async accept({ platform: platformId, settings, connectionId }) {
      if (connectionId !== undefined) {
        const changes = { settings: await completed(connectionId, settings) };
        const updated = await updateConnection(parts, { applicationId, connectionId }, changes);
        if (!updated) throw new ServiceError('SERVICE_NOT_FOUND', 'The connection no longer exists.');
        return updated;
      }
      const name = platformIn(systems, platformId)?.name ?? platformId;
      const connection = await createNamed(store, { applicationId, platform: platformId, settings }, name);
      await engine.requestSync(connection.id, 'full');
      return connection;
    },
  };
}

/** Creates a connection with this name, or the next one that is free: `Tryton`, `Tryton 2`, `Tryton 3`. */
async function createNamed(store: Store, given: Omit<NewConnection, 'name'>, name: string): Promise<Connection> {
  for (let number = 1; ; number += 1) {
    try {
      return await createConnection(store, { ...given, name: number === 1 ? name : `${name} ${number}` });
    } catch (error) {
      if (!(error instanceof ConnectionNameTaken)) throw error;
    }
  }
}
