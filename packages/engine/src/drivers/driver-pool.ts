import { DefinitionError } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { type Connection, connectionById, connectionSettings, type Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Systems } from '../model/systems.ts';
import { type DriverSession, type Settings, sessionOpener } from './driver-session.ts';

/**
 * Driver sessions of this process, one per connection, opened on first use and shared by concurrent users. When the
 * settings of a connection change, users of the old session continue with it and the next user gets a new one. The old
 * session is closed after its last user finished.
 */
export interface DriverPool {
  /**
   * Calls `work` with the session of a connection. Returns undefined without calling it when the connection is inactive
   * or removed, or when its platform cannot be used.
   */
  withDriver<T>(connectionId: string, work: (session: DriverSession) => Promise<T>): Promise<T | undefined>;
  /**
   * Yields what `pieces` yields, on demand; the session stays in use until the last piece, or until the consumer stops.
   * Throws SERVICE_CONNECTION_INACTIVE.
   */
  readWithDriver<T>(connectionId: string, pieces: (session: DriverSession) => AsyncIterable<T>): AsyncIterable<T>;
  /** Closes all sessions, including those in use. */
  close(): Promise<void>;
}

interface DriverPoolOptions {
  readonly store: Store;
  readonly systems: Systems;
  readonly log: Logger;
}

/** Opens no session before it is used. */
export function createDriverPool(options: DriverPoolOptions): DriverPool {
  return new SharedSessions(options);
}

/** A session and the number of its users. */
interface PooledSession {
  readonly session: DriverSession;
  /** `updatedAt` of the connection when the session was opened; differs once the connection changed. */
  readonly updatedAt: string;
  users: number;
  closed?: Promise<void>;
}

class SharedSessions implements DriverPool {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #open: ReturnType<typeof sessionOpener>;
  /** The session that the next user of a connection gets, by connection. */
  readonly #current = new Map<string, PooledSession>();
  /** The current sessions, and earlier ones that are still in use. */
  readonly #opened = new Set<PooledSession>();

  constructor(options: DriverPoolOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#open = sessionOpener(options);
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
    await Promise.all([...this.#opened].map((pooled) => this.#close(pooled)));
  }

  async #acquire(connectionId: string): Promise<PooledSession | undefined> {
    const connection = await connectionById(this.#store, connectionId);
    if (connection?.status !== 'active') {
      this.#retire(connectionId);
      return undefined;
    }
    if (!this.#isCurrent(connection)) {
      const settings = ((await connectionSettings(this.#store, connectionId)) ?? {}) as Settings;
      // A concurrent call may have opened the session meanwhile.
      if (!this.#isCurrent(connection) && !this.#renew(connection, settings)) return undefined;
    }
    const pooled = this.#current.get(connectionId);
    if (pooled) pooled.users += 1;
    return pooled;
  }

  #isCurrent({ id, updatedAt }: Connection): boolean {
    return this.#current.get(id)?.updatedAt === updatedAt;
  }

  /** Returns whether a session could be opened. */
  #renew(connection: Connection, settings: Settings): boolean {
    this.#retire(connection.id);
    const session = this.#openUsable(connection, settings);
    if (!session) return false;
    const pooled = { session, updatedAt: connection.updatedAt, users: 0 };
    this.#current.set(connection.id, pooled);
    this.#opened.add(pooled);
    return true;
  }

  /** Undefined for a broken platform: the start and the status report what is wrong with it. */
  #openUsable(connection: Connection, settings: Settings): DriverSession | undefined {
    try {
      return this.#open(connection, settings);
    } catch (err) {
      if (!(err instanceof DefinitionError)) throw err;
      this.#log.debug({ err, connectionId: connection.id }, 'the platform of a connection cannot be used');
      return undefined;
    }
  }

  #retire(connectionId: string): void {
    const pooled = this.#current.get(connectionId);
    this.#current.delete(connectionId);
    if (pooled?.users === 0) void this.#close(pooled);
  }

  #release(pooled: PooledSession): void {
    pooled.users -= 1;
    const isCurrent = this.#current.get(pooled.session.connectionId) === pooled;
    if (pooled.users === 0 && !isCurrent) void this.#close(pooled);
  }

  #close(pooled: PooledSession): Promise<void> {
    const { connectionId, driver } = pooled.session;
    pooled.closed ??= driver
      .close()
      .catch((err) => this.#log.warn({ err, connectionId }, 'a driver session did not close'))
      .finally(() => this.#opened.delete(pooled));
    return pooled.closed;
  }
}
