import type { Driver, Platform } from '@unified/connectors';
import type { Connection, Scope, Store, SyncSchedule } from '@unified/store';
import type { Systems } from '../model/systems.ts';
import { type Broker, createBroker } from './quota-broker.ts';

/** An open session to the system of one connection. */
export interface DriverSession {
  readonly connectionId: string;
  readonly scope: Scope;
  readonly platform: Platform;
  readonly driver: Driver;
  readonly broker: Broker;
  /** As they were given with the connection; they contain secrets. */
  readonly settings: Settings;
  readonly schedule: SyncSchedule;
}

export type Settings = Parameters<Systems['openDriver']>[1];

/** Calls that one connected system gets at once from one process. */
const CALLS_AT_ONCE = 4;

/** Returns a function that opens sessions. Sessions of one connection share its broker. */
export function sessionOpener({ store, systems }: { readonly store: Store; readonly systems: Systems }) {
  const brokers = new Map<string, Broker>();
  return (connection: Connection, settings: Settings): DriverSession => {
    const { id: connectionId, applicationId, platform: name } = connection;
    const broker = brokers.get(connectionId) ?? createBroker(CALLS_AT_ONCE);
    brokers.set(connectionId, broker);
    const platform = systems.platformOf(name);
    const driver = systems.openDriver(platform, settings);
    const scope = store.scope({ applicationId, connectionId });
    return { connectionId, scope, platform, driver, broker, settings, schedule: connection };
  };
}
