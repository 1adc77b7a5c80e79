import { ServiceError } from '@unified/contract';
import {
  addOperator,
  audited,
  type ConsoleOperator,
  changeOperator,
  consoleSessionBySecret,
  countSignIn,
  deleteSignInLinks,
  endConsoleSession,
  endOtherSessions,
  forgetSignIns,
  hasOperators,
  isSignInLink,
  lockOperators,
  type OpenConsoleSession,
  operatorByEmail,
  operatorById,
  operatorWithPassword,
  redeemSignInLink,
  type SignInMethod,
  type Store,
  startConsoleSession,
  unbindSubject,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { originOf, type Visit } from './visit.ts';

/** A new session with the secret for its cookie. */
export interface SignedIn extends OpenConsoleSession {
  readonly secret: string;
}

/** What a person sends with a one-time link. */
export interface LinkEntry {
  readonly token: string;
  readonly password: string;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

type Recorder = Parameters<Parameters<typeof audited>[2]>[1];

/** Signs in with a password. Throws `SERVICE_UNAUTHORIZED`, with the same message whatever is wrong, and `SERVICE_RATE_LIMITED`. */
export async function signInWithPassword(
  store: Store,
  { email, password }: { readonly email: string; readonly password: string },
  visit: Visit,
): Promise<SignedIn> {
  await countAttempt(store, email, visit);
  const operator = await operatorByEmail(store, email);
  const isRight = await isPassword(password, operator?.password ?? null);
  if (!operator || !isRight || !operator.isActive) throw wrongPassword();
  await forgetSignIns(store, email, visit.network);
  return audited(store, originOf(visit, operator.id), async (inner, record) => {
    await lockOperators(inner);
    const current = await operatorWithPassword(inner, operator.id);
    // A change since the password was checked wins.
    if (!current?.isActive || current.password !== operator.password) throw wrongPassword();
    const { password: _hash, ...known } = current;
    return openSession(inner, record, { operator: known, method: 'password', visit });
  });
}

function wrongPassword(): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', 'The email address or the password is wrong.');
}

/**
 * Sets the password of the operator whose link it is, creates the first operator if there is none, and signs in. Throws
 * `SERVICE_UNAUTHORIZED` if the link is unknown, was used or has expired, and `SERVICE_INVALID_BODY`.
 */
export async function signInWithLink(store: Store, entry: LinkEntry, visit: Visit): Promise<SignedIn> {
  const { email, name, token } = entry;
  // Only links that work cause the work of a hash.
  if (!(await isSignInLink(store, token))) throw await unusable(store);
  const password = await hashPassword(entry.password);
  return inChange(store, visit, async (inner, record) => {
    await lockOperators(inner);
    const link = await redeemSignInLink(inner, token);
    if (!link) throw await unusable(inner);
    const isFirst = link.operatorId === null;
    const before = link.operatorId === null ? null : await operatorById(inner, link.operatorId);
    const operator = isFirst
      ? await addFirstOperator(inner, { email, name }, password)
      : await changeOperator(inner, link.operatorId ?? '', { name, password });
    if (!operator?.isActive) throw await unusable(inner);
    await unbindSubject(inner, operator.id);
    await endOtherSessions(inner, operator.id);
    await record(operator.id, {
      action: isFirst ? 'operator.create' : 'operator.set_password',
      before,
      after: { ...operator, passwordChanged: true },
    });
    return { operator, method: 'link' };
  });
}

async function addFirstOperator(store: Store, { email, name }: Partial<LinkEntry>, password: string) {
  for (const [key, value] of Object.entries({ email, name }))
    if (value === undefined)
      throw requestError(
        'SERVICE_INVALID_BODY',
        `body/${key}`,
        'The first operator needs an email address and a name.',
      );
  if (await hasOperators(store)) throw await unusable(store);
  return addOperator(store, { email: email ?? '', name: name ?? '', role: 'admin' }, password);
}

/** Before the first operator exists, each start prints another link, and only the last one works. */
async function unusable(store: Store): Promise<ServiceError> {
  const remedy = (await hasOperators(store))
    ? 'Ask an admin for another one, or create one with `npm run admin -- operator link`.'
    : 'Use the link that the last `npm start` printed.';
  return new ServiceError('SERVICE_UNAUTHORIZED', `This link was used, has expired, or is not complete. ${remedy}`);
}

/** Who signs in, after everything was checked. */
interface Proven {
  readonly operator: ConsoleOperator;
  readonly method: SignInMethod;
}

/** Makes a change through which an operator signs in, who is its actor. */
export async function inChange(
  store: Store,
  visit: Visit,
  work: (
    inner: Store,
    record: (actor: string, change: Omit<Parameters<Recorder>[1], 'target'>) => Promise<void>,
  ) => Promise<Proven>,
): Promise<SignedIn> {
  // The actor is known only within the transaction.
  const origin = { ...originOf(visit, ''), actor: '' };
  return audited(store, origin, async (inner, record) => {
    const { operator, method } = await work(inner, async (actor, change) => {
      origin.actor = actor;
      await record(null, { ...change, target: actor });
    });
    return openSession(inner, record, { operator, method, visit });
  });
}

/**
 * Starts a session with a new secret, and ends the one that this browser had, so that a secret that another person knows is never
 * used.
 */
export async function openSession(
  store: Store,
  record: Recorder,
  { operator, method, visit }: Proven & { readonly visit: Visit },
): Promise<SignedIn> {
  const previous = visit.secret === undefined ? null : await consoleSessionBySecret(store, visit.secret);
  if (previous) await endConsoleSession(store, previous.session.id);
  const { address, browser } = visit;
  const { secret, session } = await startConsoleSession(store, { operatorId: operator.id, method, address, browser });
  await record(null, { action: 'console_session.create', target: session.id, after: session });
  return { operator: { ...operator, isInvited: false, lastSignInAt: session.createdAt }, session, secret };
}

/** Ends a session: of this operator, or of anyone. Throws `SERVICE_NOT_FOUND`. */
export async function endSession(
  store: Store,
  { id, of, by }: { readonly id: string; readonly of?: string | undefined; readonly by: string },
  visit: Visit,
): Promise<void> {
  await audited(store, originOf(visit, by), async (inner, record) => {
    const before = await endConsoleSession(inner, id, of);
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no open session with this id.');
    await record(null, { action: 'console_session.end', target: id, before });
  });
}

/**
 * Replaces the password of an operator, and ends the other sessions and the one-time link. Throws `SERVICE_FORBIDDEN` if the
 * current one is wrong.
 */
export async function changePassword(
  store: Store,
  { session, operator }: OpenConsoleSession,
  { current, wanted }: { readonly current: string; readonly wanted: string },
  visit: Visit,
): Promise<void> {
  await countAttempt(store, operator.email, visit);
  const stored = (await operatorWithPassword(store, operator.id))?.password ?? null;
  const isRight = await isPassword(current, stored);
  if (stored !== null && !isRight) throw wrongCurrent();
  await forgetSignIns(store, operator.email, visit.network);
  const password = await hashPassword(wanted);
  await audited(store, originOf(visit, operator.id), async (inner, record) => {
    await lockOperators(inner);
    if ((await operatorWithPassword(inner, operator.id))?.password !== stored) throw wrongCurrent();
    const after = await changeOperator(inner, operator.id, { password });
    await endOtherSessions(inner, operator.id, session.id);
    await deleteSignInLinks(inner, operator.id);
    await record(null, {
      action: 'operator.set_password',
      target: operator.id,
      before: operator,
      after: { ...after, passwordChanged: true },
    });
  });
}

function wrongCurrent(): ServiceError {
  return new ServiceError('SERVICE_FORBIDDEN', 'The current password is wrong.');
}

/** Counts an attempt of a network to sign in. Throws `SERVICE_RATE_LIMITED` if there were too many. */
export async function countAttempt(store: Store, email: string, { network }: Visit): Promise<void> {
  const wait = await countSignIn(store, email, network);
  if (wait === 0) return;
  const message = `Too many failed attempts to sign in. Wait ${wait} seconds.`;
  throw new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter: wait });
}
