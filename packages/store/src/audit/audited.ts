import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../access/scope.ts';
import { inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { type AuditedKind, auditedFields } from './audited-fields.ts';

/**
 * Kinds of actors: a client of an application, an operator at the command line or in the console, an end user on an
 * authorization page, this service.
 */
export type ActorType = 'application' | 'operator' | 'end_user' | 'service';

/** Who makes a change, and how. */
export interface AuditOrigin {
  readonly actorType: ActorType;
  /**
   * Id of the client; for an end user, the id of the client that is authorized; for an operator, the id in the console or, at the
   * command line, the user name in the operating system.
   */
  readonly actor: string;
  /** Id of the operation, the command, such as `admin secret add`, or the task of the service. */
  readonly operation: string;
  readonly requestId: string | null;
  /** IP address of the client. */
  readonly address: string | null;
}

/** A change of one object. Only the fields in `AUDITED_FIELDS` are stored. */
export interface AuditChange {
  /** Kind of the object and what happened, such as `secret.create`. */
  readonly action: `${AuditedKind}.${string}`;
  /** Id of the object. */
  readonly target: string;
  /** The object before the change; absent or null if it did not exist. */
  readonly before?: object | null;
  /** The object after the change; absent or null if it no longer exists. */
  readonly after?: object | null;
}

const COLUMNS = ['id', 'applicationId', 'actorType', 'actor', 'operation', 'requestId', 'address'];
const INSERT = `insert into unified.audit_entries
  (${[...COLUMNS, 'action', 'target', 'before', 'after'].map((name) => `"${name}"`).join(', ')})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

function valuesOf(applicationId: string | null, origin: AuditOrigin, change: AuditChange): (string | null)[] {
  const { action, target, before = null, after = null } = change;
  const kind = action.slice(0, action.indexOf('.')) as AuditedKind;
  const json = (value: object | null) => (value === null ? null : JSON.stringify(auditedFields(kind, value)));
  return [
    ...[newId(), applicationId, origin.actorType, origin.actor, origin.operation, origin.requestId, origin.address],
    ...[action, target, json(before), json(after)],
  ];
}

/**
 * Makes changes and records them in the audit log, in one transaction: `work` makes them through the store that it receives and
 * calls `record` for each one, with null if the change concerns all applications. If it records nothing, nothing is changed.
 * Throws what `work` throws, and SERVICE_UNAVAILABLE.
 */
export function audited<T>(
  store: Store,
  origin: AuditOrigin,
  work: (inner: Store, record: (applicationId: string | null, change: AuditChange) => Promise<void>) => Promise<T>,
): Promise<T> {
  let isRecorded = false;
  const recordBy = (client: pg.ClientBase) => async (applicationId: string | null, change: AuditChange) => {
    await client.query(INSERT, valuesOf(applicationId, origin, change));
    isRecorded = true;
  };
  return inOwnerTransaction(
    store,
    (client) => work(storeWithin(store, client), recordBy(client)),
    () => isRecorded,
  );
}

/**
 * The same for a change to the data of a connection, such as its data mappings: `work` makes and records exactly one change.
 * Throws if it returns without having recorded one.
 */
export function auditedInScope<T>(
  scope: Scope,
  origin: AuditOrigin,
  work: (inner: Scope, record: (change: AuditChange) => Promise<void>) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (inner) => {
    let isRecorded = false;
    const result = await work(inner, async (change) => {
      await sessionOf(inner).runAsOwner(INSERT, valuesOf(scope.applicationId, origin, change));
      isRecorded = true;
    });
    if (!isRecorded) throw new Error(`${origin.operation} has changed data without an audit entry.`);
    return result;
  });
}
