import { ServiceError } from '@unified/contract';
import {
  bindSubject,
  type ConsoleOperator,
  forgetSignIns,
  lockOperators,
  operatorByEmail,
  operatorBySubject,
  type Store,
} from '@unified/store';
import type { OpenIdIdentity, OpenIdProvider } from './openid-provider.ts';
import { countAttempt, inChange, type SignedIn } from './operator-sign-in.ts';
import type { Visit } from './visit.ts';

/** What attempts are counted for, which is no email address. */
const ATTEMPTS = 'openid-connect';

/** What a browser brings back from the provider, and the secret of the attempt. */
interface Returned {
  readonly secret: string;
  readonly response: string;
}

/**
 * Signs in with the response of the provider. Every attempt sends the credentials of this service to the provider, which would
 * lock it out after too many, so attempts of a network are limited like passwords. Throws `SERVICE_UNAUTHORIZED`,
 * `SERVICE_RATE_LIMITED` and `SERVICE_UNAVAILABLE`.
 */
export async function signInWithOpenId(
  store: Store,
  { provider, secret, response }: Returned & { readonly provider: OpenIdProvider },
  visit: Visit,
): Promise<SignedIn> {
  await countAttempt(store, ATTEMPTS, visit);
  const signedIn = await signInWithIdentity(store, await provider.identityOf(secret, response), visit);
  await forgetSignIns(store, ATTEMPTS, visit.network);
  return signedIn;
}

/**
 * Signs in the operator of an identity. An identity that belongs to no operator is assigned to the one with its email address.
 * Throws `SERVICE_UNAUTHORIZED` if there is none, the operator is deactivated, or has another identity.
 */
function signInWithIdentity(store: Store, identity: OpenIdIdentity, visit: Visit): Promise<SignedIn> {
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
