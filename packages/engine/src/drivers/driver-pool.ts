import { DefinitionError, type Driver, type DriverHost } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type Connection,
  connectionById,
  connectionSettings,
  keptTokens,
  type LoggedCall,
  type Scope,
  type Store,
  type SyncSchedule,
} from '@unified/store';
import type { Logger } from 'pino';
import type { CallLog } from '../logs/call-log.ts';
import { type ConnectionModel, platformOfModel } from '../model/connection-model.ts';
import { resolveModel, type Settings, type Systems } from '../model/systems.ts';
import { accountOf } from './account-of.ts';
import { type EndedCall, type Quotas, quotaFor, type SystemQuota } from './quotas.ts';

/** An open driver for the system of one connection, with everything that its callers need. */
export interface DriverSession {
  readonly connectionId: string;
  /** Results derived by the model are stored only while its mappings are active; see `MappingChanged`. */
  readonly scope: Scope;
  /** Resolved before the session was opened; a changed connection gets a new session. */
  readonly model: ConnectionModel;
  readonly driver: Driver;
  /** For more drivers of the same connection. */
  readonly host: DriverHost;
  /** Every call to the driver goes through it. */
  readonly quota: SystemQuota;
  /** As entered for the connection; may contain secrets. */
  readonly settings: Settings;
  readonly schedule: SyncSchedule;
  /** `updatedAt` of the connection when the session was opened; a different value means that the connection has changed. */
  readonly updatedAt: string;
}

/**
 * Driver sessions of this process, one per connection, opened on first use and shared by concurrent users. When the
 * settings of a connection change, users of the old session continue with it and the next user gets a new one. The old
 * session is closed when its last user finishes. Of the sessions without a user, only those that were used last stay open.
 */
export interface DriverPool {
  /**
   * Calls `work` with the session of a connection. Returns undefined without calling it when the connection is inactive
   * or removed, or when its platform cannot be used.
   */
  withDriver<T>(connectionId: string, work: (session: DriverSession) => Promise<T>): Promise<T | undefined>;
  /**
   * Yields the pieces that `pieces` yields, on demand; the session stays in use until the last piece, or until the consumer
   * stops. Throws SERVICE_CONNECTION_INACTIVE.
   */
  readWithDriver<T>(connectionId: string, pieces: (session: DriverSession) => AsyncIterable<T>): AsyncIterable<T>;
  /** Closes all sessions, including those in use. */
  close(): Promise<void>;
}

interface DriverPoolOptions {
  readonly store: Store;
  readonly systems: Systems;
  readonly log: Logger;
  readonly quotas: Quotas;
  /** Stores the calls to connected systems. */
  readonly calls: Pick<CallLog, 'add'>;
  /** Called after each call to a connected system. */
  readonly onCall?: OnCall | undefined;
  /** Number of sessions that stay open without a user; 100 by default. */
  readonly mostIdle?: number;
}

/** A session may have a login and sockets, and an installation thousands of connections. */
const MOST_IDLE = 100;

export type OnCall = (call: EndedCall & { readonly platform: string }) => void;

/** Opens no session before it is used. */
export function createDriverPool(options: DriverPoolOptions): DriverPool {
  return new SharedSessions(options);
}

/** A session and the number of its users. */
interface PooledSession {
  readonly session: DriverSession;
  /** Of the platforms, when it was opened. */
  readonly version: number;
  users: number;
  closed?: Promise<void>;
}

function versionOf({ systems }: DriverPoolOptions): number {
  return systems.version?.() ?? 0;
}

class SharedSessions implements DriverPool {
  readonly #options: DriverPoolOptions;
  /** The session that the next user of a connection gets, by connection. */
  readonly #current = new Map<string, PooledSession>();
  /** The current sessions, and earlier ones that are still in use. */
  readonly #opened = new Set<PooledSession>();
  /** The current sessions without a user, the one that was used last at the end. */
  readonly #idle = new Set<PooledSession>();

  constructor(options: DriverPoolOptions) {
    this.#options = options;
  }

  async withDriver<T>(connectionId: string, work: (session: DriverSession) => Promise<T>): Promise<T | undefined> {
    const pooled = await this.#acquire(connectionId);
    if (!pooled) return undefined;
    try {
      return await work(pooled.session);
    } finally {
      this.#release(pooled);
    }
  }

  async *readWithDriver<T>(
    connectionId: string,
    pieces: (session: DriverSession) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, void> {
    const pooled = await this.#acquire(connectionId);
    if (!pooled) throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
    try {
      yield* pieces(pooled.session);
    } finally {
      this.#release(pooled);
    }
  }

  async close(): Promise<void> {
    this.#current.clear();
    this.#idle.clear();
    await Promise.all([...this.#opened].map((pooled) => this.#close(pooled)));
  }

  async #acquire(connectionId: string): Promise<PooledSession | undefined> {
    const { store } = this.#options;
    const connection = await connectionById(store, connectionId);
    if (connection?.status !== 'active') {
      this.#retire(connectionId);
      return undefined;
    }
    if (!this.#isCurrent(connection)) await this.#renew(connection);
    const pooled = this.#current.get(connectionId);
    if (!pooled) return undefined;
    pooled.users += 1;
    this.#idle.delete(pooled);
    return pooled;
  }

  #isCurrent({ id, updatedAt }: Connection): boolean {
    const current = this.#current.get(id);
    return current?.session.updatedAt === updatedAt && current.version === versionOf(this.#options);
  }

  /** Opens the session of a connection that is new or changed. Opens none for a broken platform, which the status reports. */
  async #renew(connection: Connection): Promise<void> {
    const { store, systems, log } = this.#options;
    const { id: connectionId } = connection;
    const settings = ((await connectionSettings(store, connectionId)) ?? {}) as Settings;
    const version = versionOf(this.#options);
    try {
      const model = await resolveModel({ store, systems }, connection);
      // A concurrent call may have opened the session in the meantime.
      if (this.#isCurrent(connection)) return;
      this.#retire(connectionId);
      const pooled = { session: openSession(this.#options, connection, { model, settings }), version, users: 0 };
      this.#current.set(connectionId, pooled);
      this.#opened.add(pooled);
    } catch (err) {
      if (!(err instanceof DefinitionError)) throw err;
      this.#retire(connectionId);
      log.debug({ err, connectionId }, 'the platform of a connection cannot be used');
    }
  }

  #retire(connectionId: string): void {
    const pooled = this.#current.get(connectionId);
    this.#current.delete(connectionId);
    if (pooled?.users !== 0) return;
    this.#idle.delete(pooled);
    void this.#close(pooled);
  }

  #release(pooled: PooledSession): void {
    pooled.users -= 1;
    if (pooled.users > 0) return;
    if (this.#current.get(pooled.session.connectionId) !== pooled) return void this.#close(pooled);
    this.#idle.add(pooled);
    const [unused] = this.#idle;
    if (unused && this.#idle.size > (this.#options.mostIdle ?? MOST_IDLE)) this.#retire(unused.session.connectionId);
  }

  #close(pooled: PooledSession): Promise<void> {
    const { connectionId, driver } = pooled.session;
    pooled.closed ??= driver
      .close()
      .catch((err) => this.#options.log.warn({ err, connectionId }, 'a driver session did not close'))
      .finally(() => this.#opened.delete(pooled));
    return pooled.closed;
  }
}

/** Opens a session. Throws `DefinitionError`, and `SystemError` when the settings are not valid for the platform. */
function openSession(
  { store, systems, quotas, log, calls, onCall }: DriverPoolOptions,
  connection: Connection,
  { model, settings }: Pick<DriverSession, 'model' | 'settings'>,
): DriverSession {
  const { id: connectionId, applicationId, updatedAt, mappingVersion } = connection;
  const scope = store.scope({ applicationId, connectionId, mappingVersion, isFenced: true });
  const connectionBroke = (err: Error) => log.warn({ err, connectionId }, 'a connection to a connected system broke');
  const host = { connectionBroke, tokens: keptTokens(store, { applicationId, connectionId }) };
  const driver = systems.openDriver(platformOfModel(model), settings, host);
  // The text may contain values of rows, so it is logged only at debug level.
  const noteText = (text: string) => log.debug({ connectionId, system: text }, 'a connected system reported');
  const { id: platform } = platformOfModel(model);
  const account = accountOf(platformOfModel(model), settings);
  const noteCall = (call: EndedCall) => {
    calls.add(loggedCall({ applicationId, connectionId }, call));
    onCall?.({ ...call, platform });
  };
  const quota = quotaFor(quotas, account, noteText, noteCall, { platform, connectionId });
  return { connectionId, scope, model, driver, host, quota, settings, schedule: connection, updatedAt };
}

const LONGEST_MESSAGE = 1_000;

function loggedCall(
  connection: Pick<LoggedCall, 'applicationId' | 'connectionId'>,
  { purpose, stream, writeId, syncStartedAt, failure = 'ok', message, ms }: EndedCall,
): LoggedCall {
  return {
    ...connection,
    ...{ at: Date.now(), purpose, stream, writeId, syncStartedAt, outcome: failure },
    ...{ milliseconds: Math.round(ms * 10) / 10, message: message?.slice(0, LONGEST_MESSAGE) },
  };
}
