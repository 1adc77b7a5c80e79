import { ServiceError } from '@unified/contract';
import {
  bindSubject,
  type ConsoleOperator,
  lockOperators,
  operatorByEmail,
  operatorBySubject,
  type Store,
} from '@unified/store';
import type { OpenIdIdentity } from './openid-provider.ts';
import { inChange, type SignedIn } from './operator-sign-in.ts';
import type { Visit } from './visit.ts';

/**
 * Signs in the operator of an identity. An identity that belongs to no operator is assigned to the one with its email address.
 * Throws `SERVICE_UNAUTHORIZED` if there is none, the operator is deactivated, or has another identity.
 */
export function signInWithIdentity(store: Store, identity: OpenIdIdentity, visit: Visit): Promise<SignedIn> {
  return inChange(store, visit, async (inner, record) => {
    await lockOperators(inner);
    const bound = await operatorBySubject(inner, identity.subject);
    const operator = bound ?? (await invited(inner, identity.email));
    if (!operator.isActive) throw unknown(identity.email);
    if (!bound) {
      if (!(await bindSubject(inner, operator.id, identity.subject))) throw unknown(identity.email);
      const after = { ...operator, openIdSubject: identity.subject };
      await record(operator.id, { action: 'operator.bind_identity', before: operator, after });
    }
    return { operator, method: 'openid_connect' };
  });
}

async function invited(store: Store, email: string | null): Promise<ConsoleOperator> {
  if (email === null) {
    const message = 'The provider reports no verified email address for you. Ask an admin to check its settings.';
    throw new ServiceError('SERVICE_UNAUTHORIZED', message);
  }
  const operator = await operatorByEmail(store, email);
  if (!operator) throw unknown(email);
  const { password: _hash, ...known } = operator;
  return known;
}

/** The same for an unknown, a deactivated and another operator. */
function unknown(email: string | null): ServiceError {
  const who = email ?? 'this identity';
  return new ServiceError('SERVICE_UNAUTHORIZED', `No operator can sign in with ${who}. Ask an admin to invite you.`);
}
