import {
  DefinitionError,
  type Driver,
  type DriverEvents,
  type DriverLimits,
  type Json,
  openDriver,
  type Platform,
  platformOf,
} from '@unified/connectors';
import type { Connection } from '@unified/store';
import { type ConnectionModel, modelOfPlatform } from './connection-model.ts';

/** The settings of a connection, by name. They contain secrets. */
export type Settings = Readonly<Record<string, Json>>;

/** The properties of a connection that determine its model. */
export type ModelKey = Pick<Connection, 'id' | 'platform'>;

/** The kinds of connected systems, the models of connections to them, and how to open a driver. */
export interface Systems {
  /** Throws `DefinitionError` when there is no such platform or its files cannot be used. */
  platformOf(id: string): Platform;
  openDriver(platform: Platform, settings: Settings, events?: DriverEvents, limits?: DriverLimits): Driver;
  /** Whether applications and end users can connect systems of a platform. Default: all. Existing connections are kept. */
  isOffered?(id: string): boolean;
  /** The model of a connection, for revisions other than 0. Default: the mappings of the platform. Throws `DefinitionError`. */
  modelOf?(connection: ModelKey): Promise<ConnectionModel>;
}

/** Every platform of the connectors package. */
export const allSystems: Systems = { platformOf, openDriver };

/** The model of a connection. Throws `DefinitionError`. */
export async function resolveModel(systems: Systems, connection: ModelKey): Promise<ConnectionModel> {
  return systems.modelOf ? systems.modelOf(connection) : modelOfPlatform(systems.platformOf(connection.platform));
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
