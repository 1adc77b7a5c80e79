import { DefinitionError } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { type Connection, connectionById, connectionSettings, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { type Link, linkOpener, type Settings } from './driver-session.ts';
import type { Systems } from '../model/systems.ts';

/**
 * Links of this process, opened when they are first needed. A link is lent for as long as somebody works with it: when
 * the settings of its connection change meanwhile, that work goes on with those it began with, and the next one gets a
 * new link. The old link is closed when the last who works with it has ended.
 */
export interface Links {
  /**
   * Does `work` with the link of a connection. Undefined, and nothing done: the connection is inactive or gone, or the
   * files of its platform cannot be used.
   */
  use<T>(connectionId: string, work: (link: Link) => Promise<T>): Promise<T | undefined>;
  /**
   * What `pieces` gives, read as it is asked for; the link is lent until the last piece, or until the reader leaves.
   * Throws SERVICE_CONNECTION_INACTIVE.
   */
  read<T>(connectionId: string, pieces: (link: Link) => AsyncIterable<T>): AsyncIterable<T>;
  /** Closes all links, also those that somebody works with. */
  close(): Promise<void>;
}

interface LinksOptions {
  readonly store: Store;
  readonly systems: Systems;
  readonly log: Logger;
}

/** Calls nobody before a link is used. */
export function createLinks(options: LinksOptions): Links {
  return new LentLinks(options);
}

/** A link, and how many work with it. */
interface Lent {
  readonly link: Link;
  /** Differs when the connection was changed since. */
  readonly updatedAt: string;
  users: number;
  closed?: Promise<void>;
}

class LentLinks implements Links {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #open: ReturnType<typeof linkOpener>;
  /** By connection; what the next who asks gets. */
  readonly #current = new Map<string, Lent>();
  /** The current ones, and those before them that somebody still works with. */
  readonly #opened = new Set<Lent>();

  constructor(options: LinksOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#open = linkOpener(options);
  }

  async use<T>(connectionId: string, work: (link: Link) => Promise<T>): Promise<T | undefined> {
    const lent = await this.#borrow(connectionId);
    if (!lent) return undefined;
    try {
      return await work(lent.link);
    } finally {
      this.#giveBack(lent);
    }
  }

  async *read<T>(connectionId: string, pieces: (link: Link) => AsyncIterable<T>): AsyncGenerator<T, void, void> {
    const lent = await this.#borrow(connectionId);
    if (!lent) throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
    try {
      yield* pieces(lent.link);
    } finally {
      this.#giveBack(lent);
    }
  }

  async close(): Promise<void> {
    this.#current.clear();
    await Promise.all([...this.#opened].map((lent) => this.#close(lent)));
  }

  async #borrow(connectionId: string): Promise<Lent | undefined> {
    const connection = await connectionById(this.#store, connectionId);
    if (connection?.status !== 'active') {
      this.#retire(connectionId);
      return undefined;
    }
    if (!this.#isCurrent(connection)) {
      const settings = ((await connectionSettings(this.#store, connectionId)) ?? {}) as Settings;
      // Others who wanted the link may have opened it meanwhile.
      if (!this.#isCurrent(connection) && !this.#renew(connection, settings)) return undefined;
    }
    const lent = this.#current.get(connectionId);
    if (lent) lent.users += 1;
    return lent;
  }

  #isCurrent({ id, updatedAt }: Connection): boolean {
    return this.#current.get(id)?.updatedAt === updatedAt;
  }

  /** Whether there is a link now. */
  #renew(connection: Connection, settings: Settings): boolean {
    this.#retire(connection.id);
    const link = this.#openUsable(connection, settings);
    if (!link) return false;
    const lent = { link, updatedAt: connection.updatedAt, users: 0 };
    this.#current.set(connection.id, lent);
    this.#opened.add(lent);
    return true;
  }

  /** What is wrong with the files of a platform is said at the start and in the status; work for it waits. */
  #openUsable(connection: Connection, settings: Settings): Link | undefined {
    try {
      return this.#open(connection, settings);
    } catch (err) {
      if (!(err instanceof DefinitionError)) throw err;
      this.#log.debug({ err, connectionId: connection.id }, 'the platform of a connection cannot be used');
      return undefined;
    }
  }

  #retire(connectionId: string): void {
    const lent = this.#current.get(connectionId);
    this.#current.delete(connectionId);
    if (lent?.users === 0) void this.#close(lent);
  }

  #giveBack(lent: Lent): void {
    lent.users -= 1;
    const isCurrent = this.#current.get(lent.link.connectionId) === lent;
    if (lent.users === 0 && !isCurrent) void this.#close(lent);
  }

  #close(lent: Lent): Promise<void> {
    const { connectionId, driver } = lent.link;
    lent.closed ??= driver
      .close()
      .catch((err) => this.#log.warn({ err, connectionId }, 'a link did not close'))
      .finally(() => this.#opened.delete(lent));
    return lent.closed;
  }
}
