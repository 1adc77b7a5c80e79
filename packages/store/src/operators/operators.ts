import { v7 as newId } from 'uuid';
import { asOwner, lockNamed, type Store } from '../access/store.ts';
import { isUuid } from '../sql/parameter.ts';

/** What an operator may do in the console; each role includes the ones before it. */
export type OperatorRole = 'viewer' | 'operator' | 'admin';

/** A person who can sign in to the console, without the password. */
export interface ConsoleOperator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly isActive: boolean;
  /** Whether the operator has never signed in. */
  readonly isInvited: boolean;
  readonly createdAt: string;
  readonly lastSignInAt: string | null;
}

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
}

/** What can be changed; absent values stay unchanged. */
export interface OperatorChange {
  readonly name?: string | undefined;
  readonly role?: OperatorRole | undefined;
  readonly isActive?: boolean | undefined;
  /** Hash of a new password, with its parameters. */
  readonly password?: string | undefined;
}

/** The columns of an operator, for queries in which the table is named `o`. */
export const OPERATOR_COLUMNS = `o.id, o.email, o.name, o.role, o."isActive", o."lastSignInAt" is null as "isInvited",
  o."createdAt", o."lastSignInAt"`;

/** All operators, by name. */
export async function listOperators(store: Store): Promise<ConsoleOperator[]> {
  const { rows } = await asOwner<ConsoleOperator>(
    store,
    `select ${OPERATOR_COLUMNS} from unified.operators o order by lower(o.name), o.id`,
  );
  return rows;
}

/** Whether there is any operator. */
export async function hasOperators(store: Store): Promise<boolean> {
  const { rowCount } = await asOwner(store, 'select from unified.operators limit 1');
  return rowCount !== 0;
}

/** The operator with an id, or null. */
export async function operatorById(store: Store, id: string): Promise<ConsoleOperator | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<ConsoleOperator>(
    store,
    `select ${OPERATOR_COLUMNS} from unified.operators o where o.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** An operator with the hash of the password; null if there is no password. */
export interface OperatorWithPassword extends ConsoleOperator {
  readonly password: string | null;
}

/** The operator with an email address, in any case, or null. */
export async function operatorByEmail(store: Store, email: string): Promise<OperatorWithPassword | null> {
  return withPassword(store, 'lower(o.email) = lower($1)', email);
}

/** The same by id. */
export async function operatorWithPassword(store: Store, id: string): Promise<OperatorWithPassword | null> {
  return withPassword(store, 'o.id = $1::uuid', id);
}

async function withPassword(store: Store, condition: string, value: string): Promise<OperatorWithPassword | null> {
  const { rows } = await asOwner<OperatorWithPassword>(
    store,
    `select ${OPERATOR_COLUMNS}, o.password from unified.operators o where ${condition}`,
    [value],
  );
  return rows[0] ?? null;
}

/** The operator to whom an identity of the OpenID Connect provider belongs, or null. */
export async function operatorBySubject(store: Store, subject: string): Promise<ConsoleOperator | null> {
  const { rows } = await asOwner<ConsoleOperator>(
    store,
    `select ${OPERATOR_COLUMNS} from unified.operators o where o."openIdSubject" = $1`,
    [subject],
  );
  return rows[0] ?? null;
}

/** Assigns an identity of the provider to an operator. Returns whether the operator had none. */
export async function bindSubject(store: Store, id: string, subject: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    'update unified.operators set "openIdSubject" = $2 where id = $1 and "openIdSubject" is null',
    [id, subject],
  );
  return rowCount === 1;
}

/** Removes the identity of the provider from an operator, so that the next one with the email address can be assigned. */
export async function unbindSubject(store: Store, id: string): Promise<void> {
  await asOwner(store, 'update unified.operators set "openIdSubject" = null where id = $1', [id]);
}

/** Creates an operator; null if another one has the email address. */
export async function addOperator(
  store: Store,
  { email, name, role }: NewOperator,
  password: string | null = null,
): Promise<ConsoleOperator | null> {
  const { rows } = await asOwner<ConsoleOperator>(
    store,
    `insert into unified.operators as o (id, email, name, role, password) values ($1, $2, $3, $4, $5)
     on conflict (lower(email)) do nothing returning ${OPERATOR_COLUMNS}`,
    [newId(), email, name, role, password],
  );
  return rows[0] ?? null;
}

/**
 * Lets one transaction at a time change who is an admin. Call it first, with the store of a transaction, so that the last admin
 * is not removed by two concurrent changes, nor the first one created twice.
 */
export async function lockOperators(store: Store): Promise<void> {
  await lockNamed(store, 'operators');
}

/** Whether an active admin other than this operator can sign in. */
export async function hasOtherAdmin(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `select from unified.operators where id <> $1 and role = 'admin' and "isActive" and "lastSignInAt" is not null limit 1`,
    [id],
  );
  return rowCount !== 0;
}

/** Changes an operator; null if there is none with this id. */
export async function changeOperator(
  store: Store,
  id: string,
  change: OperatorChange,
): Promise<ConsoleOperator | null> {
  const { name = null, role = null, isActive = null, password = null } = change;
  const { rows } = await asOwner<ConsoleOperator>(
    store,
    `update unified.operators o set name = coalesce($2, name), role = coalesce($3, role),
       "isActive" = coalesce($4, "isActive"), password = coalesce($5, password)
     where o.id = $1 returning ${OPERATOR_COLUMNS}`,
    [id, name, role, isActive, password],
  );
  return rows[0] ?? null;
}

/** Deletes an operator with all sessions. */
export async function removeOperator(store: Store, id: string): Promise<void> {
  await asOwner(store, 'delete from unified.operators where id = $1', [id]);
}
