import { ServiceError } from '@unified/contract';
import {
  addOperator,
  audited,
  type ConsoleOperator,
  changeOperator,
  createSignInLink,
  endOtherSessions,
  endTokensOfOperator,
  hasOtherAdmin,
  lockOperators,
  type NewOperator,
  type OperatorChange,
  operatorById,
  removeOperator,
  type SignInLink,
  type Store,
} from '@unified/store';
import { originOf, type Visit } from './visit.ts';

/** An operator with a one-time link. */
export interface Invited {
  readonly operator: ConsoleOperator;
  readonly link: SignInLink;
}

/** Who makes a change. */
interface By {
  readonly by: string;
  readonly visit: Visit;
}

/** Creates an operator with a one-time link. Throws `SERVICE_ALREADY_EXISTS`. */
export function inviteOperator(store: Store, given: NewOperator, { by, visit }: By): Promise<Invited> {
  return audited(store, originOf(visit, by), async (inner, record) => {
    const operator = await addOperator(inner, given);
    if (!operator)
      throw new ServiceError('SERVICE_ALREADY_EXISTS', `Another operator has the email address ${given.email}.`);
    const link = await createSignInLink(inner, operator.id);
    const after = { ...operator, linkExpiresAt: link.expiresAt };
    await record(null, { action: 'operator.create', target: operator.id, after });
    return { operator, link };
  });
}

/** Creates another one-time link for an operator. Throws `SERVICE_NOT_FOUND`. */
export function linkOperator(store: Store, id: string, { by, visit }: By): Promise<Invited> {
  return audited(store, originOf(visit, by), async (inner, record) => {
    const operator = await existing(inner, id);
    const link = await createSignInLink(inner, id);
    const after = { ...operator, linkExpiresAt: link.expiresAt };
    await record(null, { action: 'operator.create_link', target: id, before: operator, after });
    return { operator, link };
  });
}

/**
 * Changes an operator. With another role, the tokens of the sessions end; a deactivated operator's sessions end. Throws
 * `SERVICE_NOT_FOUND`, and `SERVICE_INVALID_TRANSITION` if no admin would remain.
 */
export function updateOperator(
  store: Store,
  id: string,
  change: OperatorChange,
  { by, visit }: By,
): Promise<ConsoleOperator> {
  return audited(store, originOf(visit, by), async (inner, record) => {
    await lockOperators(inner);
    const before = await existing(inner, id);
    const isDemoted = change.role !== undefined && change.role !== 'admin';
    if (isDemoted || change.isActive === false) await keepAdmin(inner, before);
    const after = await changeOperator(inner, id, change);
    if (!after) throw notFound();
    if (after.role !== before.role) await endTokensOfOperator(inner, id);
    if (!after.isActive) await endOtherSessions(inner, id);
    await record(null, { action: 'operator.update', target: id, before, after });
    return after;
  });
}

/** Deletes an operator with all sessions. Throws like `updateOperator`. */
export async function deleteOperator(store: Store, id: string, { by, visit }: By): Promise<void> {
  await audited(store, originOf(visit, by), async (inner, record) => {
    await lockOperators(inner);
    const before = await existing(inner, id);
    await keepAdmin(inner, before);
    await removeOperator(inner, id);
    await record(null, { action: 'operator.delete', target: id, before });
  });
}

async function existing(store: Store, id: string): Promise<ConsoleOperator> {
  const operator = await operatorById(store, id);
  if (operator) return operator;
  throw notFound();
}

function notFound(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no operator with this id.');
}

async function keepAdmin(store: Store, { id, role, isActive }: ConsoleOperator): Promise<void> {
  if (role !== 'admin' || !isActive || (await hasOtherAdmin(store, id))) return;
  const message = 'No other admin can sign in. Make another operator an admin first, who then signs in.';
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message);
}
