import type { Driver } from '@unified/connectors';
import type { Connection, Scope, Store, SyncSchedule } from '@unified/store';
import type { Logger } from 'pino';
import { type ConnectionModel, platformOfModel } from '../model/connection-model.ts';
import type { Systems } from '../model/systems.ts';
import { type Quotas, quotaFor, type SystemQuota } from './quotas.ts';

/** An open driver for the system of one connection, with everything that calls to it need. */
export interface DriverSession {
  readonly connectionId: string;
  readonly scope: Scope;
  /** Resolved before the session was opened; a connection that changed gets a new session. */
  readonly model: ConnectionModel;
  readonly driver: Driver;
  /** Every call of the driver goes through it. */
  readonly quota: SystemQuota;
  /** As they were given with the connection; they contain secrets. */
  readonly settings: Settings;
  readonly schedule: SyncSchedule;
}

export type Settings = Parameters<Systems['openDriver']>[1];

interface Opening {
  readonly store: Store;
  readonly systems: Systems;
  readonly quotas: Quotas;
  readonly log: Logger;
}

/** Opens a session. Throws `DefinitionError`, and `SystemError` when the settings do not fit the platform. */
export function openSession(
  { store, systems, quotas, log }: Opening,
  connection: Connection,
  { model, settings }: Pick<DriverSession, 'model' | 'settings'>,
): DriverSession {
  const { id: connectionId, applicationId } = connection;
  const scope = store.scope({ applicationId, connectionId });
  const connectionBroke = (err: Error) => log.warn({ err, connectionId }, 'a connection to a connected system broke');
  const driver = systems.openDriver(platformOfModel(model), settings, { connectionBroke });
  const quota = quotaFor(quotas, connectionId);
  return { connectionId, scope, model, driver, quota, settings, schedule: connection };
}
