import { type Entity, ServiceError } from '@unified/contract';
import type pg from 'pg';
import { pooledSession, type Session } from './sql/session.ts';

export interface ScopeOf {
  readonly applicationId: string;
  readonly connectionId: string;
}

/** The data of one connection, and nothing else. Functions of this package take a scope where they touch data. */
export interface Scope extends ScopeOf {
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  /**
   * Runs `work` in one transaction: everything it does through the scope it is given happens together or not at all.
   * Inside a transaction it joins that one.
   */
  transaction<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
}

interface Surroundings {
  readonly tenants: pg.Pool;
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const sessions = new WeakMap<Scope, Session>();

/** The database session of a scope, for the modules of this package. */
export function sessionOf(scope: Scope): Session {
  const session = sessions.get(scope);
  if (!session) throw new Error('This scope was not made by a store.');
  return session;
}

/** Binds to a connection. Throws when an id is no UUID. */
export function createScope(of: ScopeOf, { tenants, publicUrl, entities }: Surroundings): Scope {
  for (const id of [of.applicationId, of.connectionId]) {
    if (!UUID.test(id)) throw new Error(`A scope needs UUIDs, not ${JSON.stringify(id)}.`);
  }
  const { applicationId, connectionId } = of;
  return bind({ applicationId, connectionId, publicUrl, entities }, pooledSession(tenants, connectionId));
}

function bind(plain: Omit<Scope, 'transaction'>, session: Session): Scope {
  const scope: Scope = {
    ...plain,
    transaction: (work) => session.transaction((inner) => work(inner === session ? scope : bind(plain, inner))),
  };
  sessions.set(scope, session);
  return scope;
}

/** The entity of this name. Throws SERVICE_INTERNAL: names come from the contract and from platforms, not from requests. */
export function entityIn(scope: Scope, name: string): Entity {
  const entity = Object.hasOwn(scope.entities, name) ? scope.entities[name] : undefined;
  if (!entity) throw new ServiceError('SERVICE_INTERNAL', `There is no entity "${name}".`);
  return entity;
}
