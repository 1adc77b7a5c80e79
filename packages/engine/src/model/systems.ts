import {
  DefinitionError,
  type Driver,
  type DriverHost,
  type DriverLimits,
  type Json,
  openDriver,
  type Platform,
  platformOf,
  platformsVersion,
} from '@unified/connectors';
import type { Connection, Store } from '@unified/store';
import { type ConnectionModel, modelOfPlatform } from './connection-model.ts';
import { revisedModel } from './revised-model.ts';

/** The settings of a connection, by name. They contain secrets. */
export type Settings = Readonly<Record<string, Json>>;

/** The properties of a connection that determine its model. */
export type ModelKey = Pick<Connection, 'id' | 'applicationId' | 'platform' | 'mappingVersion'>;

/** The kinds of connected systems, and how to open a driver. */
export interface Systems {
  /** Throws `DefinitionError` when there is no such platform or its files cannot be used. */
  platformOf(id: string): Platform;
  /** Changes when platforms have been loaded again. Absent: they never are. */
  version?(): number;
  openDriver(platform: Platform, settings: Settings, host?: DriverHost, limits?: DriverLimits): Driver;
  /**
   * Whether applications and end users can connect systems of a platform; by default, all platforms. Existing connections are
   * not affected.
   */
  isOffered?(id: string): boolean;
}

/** Every platform of the connectors package. */
export const allSystems: Systems = { platformOf, version: platformsVersion, openDriver };

/** What is needed to determine models. */
export interface ModelParts {
  readonly store: Store;
  readonly systems: Systems;
}

/**
 * The model of a connection: its platform, with the mappings and streams that the connection has changed. Throws
 * `DefinitionError`.
 */
export async function resolveModel({ store, systems }: ModelParts, connection: ModelKey): Promise<ConnectionModel> {
  const platform = systems.platformOf(connection.platform);
  return connection.mappingVersion === 0 ? modelOfPlatform(platform) : revisedModel(store, platform, connection);
}

/** The platform with this id that applications and end users can connect, or undefined. */
export function offeredPlatform(systems: Systems, id: string): Platform | undefined {
  return (systems.isOffered?.(id) ?? true) ? platformIn(systems, id) : undefined;
}

/** The platform with this id, or undefined if there is none or its files cannot be used. */
export function platformIn(systems: Systems, id: string): Platform | undefined {
  try {
    return systems.platformOf(id);
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}
