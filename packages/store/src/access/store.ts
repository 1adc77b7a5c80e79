import type { Entity } from '@unified/contract';
import type pg from 'pg';
import type { Replicas } from '../replicas/replicas.ts';
import type { WalPosition } from '../replicas/wal-position.ts';
import type { SecretKey } from '../secrets/secret-key.ts';
import { COMMIT_JOINTLY } from '../sql/joint-commits.ts';
import type { Listener } from '../sql/listener.ts';
import type { Parameter } from '../sql/parameter.ts';
import type { Pools } from '../sql/pools.ts';
import { withClient } from '../sql/with-client.ts';
import type { ApplicationScope } from './application-scope.ts';
import type { Scope, ScopeOf } from './scope.ts';

/** Access to the data of the service. */
export interface Store {
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  /** Binds to one connection of one application. Every access to data goes through a scope. */
  scope(of: ScopeOf): Scope;
  /**
   * The same for a request that only reads. Its statements run on a replica that has replayed `after`, if there is one, and
   * otherwise on the primary; without `after`, the replica may lag as much as the settings permit.
   */
  readingScope(of: ScopeOf, after?: WalPosition): Scope;
  /** Binds to one application: its clients and connections, without the data of the connections. */
  application(applicationId: string): ApplicationScope;
  /** Ends all database connections. */
  close(): Promise<void>;
}

/** The parts of a store for the modules of this package; other packages cannot access them. */
export interface Internals extends Pools {
  readonly databaseUrl: string;
  /** Whether the database is distributed over several servers. */
  readonly isDistributed: boolean;
  readonly listener: Pick<Listener, 'on'>;
  /** Undefined if all reads run on the primary. */
  readonly replicas: Replicas | undefined;
  readonly key: SecretKey | undefined;
  readonly onError: (error: Error) => void;
  /**
   * The client in whose transaction the owner's statements run. If absent, each statement is its own transaction. See
   * `storeWithin`.
   */
  readonly transaction?: pg.ClientBase;
}

const internals = new WeakMap<Store, Internals>();

/** Associates a store with its internals. */
export function bindInternals(store: Store, parts: Internals): void {
  internals.set(store, parts);
}

/** Returns the internals of a store, for the modules of this package. */
export function internalsOf(store: Store): Internals {
  const found = internals.get(store);
  if (!found) throw new Error('This store was not created by openStore.');
  return found;
}

/** The master key, which wraps the keys of secrets at rest. Throws when the store was opened without one. */
export function masterKeyOf(store: Store): SecretKey {
  const { key } = internalsOf(store);
  if (!key) throw new Error('Secrets are encrypted at rest: open the store with a key (see loadKey).');
  return key;
}

/** Runs one statement on data of all connections, such as identity. Throws SERVICE_UNAVAILABLE. */
export function asOwner<Row extends pg.QueryResultRow>(
  store: Store,
  query: string | pg.QueryConfig,
  values?: Parameter[],
): Promise<pg.QueryResult<Row>> {
  const { owner, transaction } = internalsOf(store);
  const run = (client: pg.ClientBase) => client.query<Row>(query, values);
  return transaction ? run(transaction) : withClient(owner, run);
}

/** Makes other transactions that lock this name wait until this one ends. Call it with the store of a transaction. */
export async function lockNamed(store: Store, name: string): Promise<void> {
  await asOwner(store, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/**
 * Runs `work` in one transaction of the owner. Everything is committed together, or nothing; nothing is committed if `isKept`
 * returns false at the end. Within a transaction, a failure undoes only this part of it. Throws SERVICE_UNAVAILABLE.
 */
export function inOwnerTransaction<T>(
  store: Store,
  work: (client: pg.ClientBase) => Promise<T>,
  isKept: () => boolean = () => true,
): Promise<T> {
  const { owner, transaction, isDistributed } = internalsOf(store);
  if (transaction) return between(transaction, WITHIN_TRANSACTION, work, isKept);
  return withClient(owner, (client) => between(client, isDistributed ? JOINT_TRANSACTION : TRANSACTION, work, isKept));
}

interface Boundaries {
  readonly begin: string;
  readonly commit: string;
  readonly rollback: string;
}

const TRANSACTION: Boundaries = { begin: 'begin', commit: 'commit', rollback: 'rollback' };
const JOINT_TRANSACTION: Boundaries = { ...TRANSACTION, begin: `begin; ${COMMIT_JOINTLY}` };
const WITHIN_TRANSACTION: Boundaries = {
  begin: 'savepoint part',
  commit: 'release savepoint part',
  rollback: 'rollback to savepoint part; release savepoint part',
};

async function between<T>(
  client: pg.ClientBase,
  { begin, commit, rollback }: Boundaries,
  work: (client: pg.ClientBase) => Promise<T>,
  isKept: () => boolean,
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work(client);
    await client.query(isKept() ? commit : rollback);
    return result;
  } catch (error) {
    await client.query(rollback).catch((failure: Error) => client.emit('error', failure));
    throw error;
  }
}

/** Throws SERVICE_UNAVAILABLE when the database does not respond. */
export async function ping(store: Store): Promise<void> {
  await asOwner(store, 'select 1');
}
