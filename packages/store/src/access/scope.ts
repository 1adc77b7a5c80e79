import { type Entity, ServiceError } from '@unified/contract';
import type { Reads, Sessions } from '../replicas/reads-on.ts';
import type { OwnerClients } from '../sql/fair-clients.ts';
import type { Notices } from '../sql/notices.ts';
import { isUuid } from '../sql/parameter.ts';
import { pooledSession, type Session } from '../sql/session.ts';
import type { ContentStorage } from './content-storage.ts';

export interface ScopeOf {
  readonly applicationId: string;
  readonly connectionId: string;
  /** Platform of the connection, if the caller has already read it, for example with a token. */
  readonly platform?: string | undefined;
  /** Version of its active field mappings, if the caller has already read it with the platform. */
  readonly mappingVersion?: number | undefined;
  /** Whether data derived from rows is stored only while this version is the active one. Defaults to false. */
  readonly isFenced?: boolean | undefined;
}

/** The data of one connection, and nothing else. Functions of this package require a scope to access data. */
export interface Scope extends ScopeOf {
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  /** Where the bytes of files are stored. */
  readonly contents: ContentStorage;
  /**
   * Runs `work` in one transaction: everything it does through the scope that it receives is committed together or not at all.
   * Inside a transaction, it joins that transaction.
   */
  transaction<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
}

interface Surroundings {
  /** Database clients of the tenant pool, as many at a time as one application may use. */
  clientsOf(applicationId: string): OwnerClients;
  /** Database clients for the queries that API clients send, limited in the same way. */
  queriesOf(applicationId: string): OwnerClients;
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  readonly contents: ContentStorage;
  readonly notices: Notices;
  /** Whether the database is distributed over several servers. */
  readonly isDistributed: boolean;
}

interface Bound extends Sessions {
  readonly notices: Notices;
  readonly readsKey: string;
}

/** A scope with its database sessions and notifications, which only this package sees. */
class BoundScope implements Scope {
  readonly applicationId: string;
  readonly connectionId: string;
  readonly platform: string | undefined;
  readonly mappingVersion: number | undefined;
  readonly isFenced: boolean | undefined;
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  readonly contents: ContentStorage;
  readonly #session: Session;
  readonly #queries: Session;
  readonly #notices: Notices;
  readonly #readsKey: string;

  constructor(plain: Omit<Scope, 'transaction'>, { session, queries, notices, readsKey }: Bound) {
    this.applicationId = plain.applicationId;
    this.connectionId = plain.connectionId;
    this.platform = plain.platform;
    this.mappingVersion = plain.mappingVersion;
    this.isFenced = plain.isFenced;
    this.publicUrl = plain.publicUrl;
    this.entities = plain.entities;
    this.contents = plain.contents;
    this.#session = session;
    this.#queries = queries;
    this.#notices = notices;
    this.#readsKey = readsKey;
  }

  transaction<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#session.transaction((inner) => work(inner === this.#session ? this : this.#within(inner)));
  }

  #within(session: Session): BoundScope {
    return new BoundScope(this, { session, queries: this.#queries, notices: this.#notices, readsKey: '' });
  }

  static sessionOf(scope: Scope): Session {
    return BoundScope.#bound(scope).#session;
  }

  static queriesOf(scope: Scope): Session {
    return BoundScope.#bound(scope).#queries;
  }

  static noticesOf(scope: Scope): Notices {
    return BoundScope.#bound(scope).#notices;
  }

  static readsKeyOf(scope: Scope): string {
    return BoundScope.#bound(scope).#readsKey;
  }

  static #bound(scope: Scope): BoundScope {
    if (scope instanceof BoundScope) return scope;
    throw new Error('This scope was not created by a store.');
  }
}

/** The database session of a scope, for the modules of this package. */
export function sessionOf(scope: Scope): Session {
  return BoundScope.sessionOf(scope);
}

/**
 * The session for the queries that API clients send, in a role that can only read the records of the connection. Its statements
 * are not part of a transaction of the scope.
 */
export function querySessionOf(scope: Scope): Session {
  return BoundScope.queriesOf(scope);
}

/** The notifications of a scope's store, for the modules of this package. */
export function noticesOf(scope: Scope): Notices {
  return BoundScope.noticesOf(scope);
}

/**
 * Scopes of a connection with the same key may share the result of a read that starts after all of them. Empty for those that
 * read from the primary.
 */
export function readsKeyOf(scope: Scope): string {
  return BoundScope.readsKeyOf(scope);
}

/** Binds to a connection; with `reads`, only to read its data. Throws when an id is not a UUID. */
export function createScope(
  of: ScopeOf,
  { clientsOf, queriesOf, notices, isDistributed, ...surroundings }: Surroundings,
  reads?: Reads,
): Scope {
  for (const id of [of.applicationId, of.connectionId]) {
    if (!isUuid(id)) throw new Error(`A scope needs UUIDs, not ${JSON.stringify(id)}.`);
  }
  const { applicationId, connectionId, platform, mappingVersion, isFenced } = of;
  const primary = {
    session: pooledSession(clientsOf(applicationId), connectionId, isDistributed),
    queries: pooledSession(queriesOf(applicationId), connectionId, isDistributed),
  };
  return new BoundScope(
    { applicationId, connectionId, platform, mappingVersion, isFenced, ...surroundings },
    { ...(reads ? reads.route(primary) : primary), notices, readsKey: reads?.key ?? '' },
  );
}

/** The entity with this name. Throws SERVICE_INTERNAL: names come from the contract and from platforms, not from requests. */
export function entityIn(scope: Scope, name: string): Entity {
  const entity = Object.hasOwn(scope.entities, name) ? scope.entities[name] : undefined;
  if (!entity) throw new ServiceError('SERVICE_INTERNAL', `There is no entity "${name}".`);
  return entity;
}
