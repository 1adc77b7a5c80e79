import { randomBytes } from 'node:crypto';
import { type Request, ServiceError } from '@unified/contract';
import {
  type ConsoleSession,
  listApplications,
  type OpenConsoleSession,
  listConsoleSessions as openSessions,
} from '@unified/store';
import { expiredSignIn } from '../console/openid-provider.ts';
import { signInWithOpenId } from '../console/openid-sign-in.ts';
import {
  changePassword,
  endSession,
  type SignedIn,
  signInWithLink,
  signInWithPassword,
} from '../console/operator-sign-in.ts';
import { connectionToken, managementToken } from '../console/session-tokens.ts';
import type { ConsoleContext } from './context.ts';

/** How operators can sign in. */
export async function getSignInMethods(_request: unknown, { methods }: ConsoleContext) {
  return { status: 200, body: { data: await methods() } } as const;
}

/** The operator who is signed in. */
export async function getConsoleSession(_request: unknown, context: ConsoleContext) {
  return { status: 200, body: await current(context, context.signedIn()) } as const;
}

/** Signs in with a password. Throws SERVICE_UNAUTHORIZED and SERVICE_RATE_LIMITED. */
export async function createConsoleSession({ body }: Request<'createConsoleSession'>, context: ConsoleContext) {
  return started(context, await signInWithPassword(context.store, body, context.visit));
}

/** Signs in with a one-time link. Throws SERVICE_UNAUTHORIZED and SERVICE_INVALID_BODY. */
export async function redeemSignInLink({ body }: Request<'redeemSignInLink'>, context: ConsoleContext) {
  return started(context, await signInWithLink(context.store, body, context.visit));
}

/** Begins a sign-in with OpenID Connect. Throws SERVICE_UNAUTHORIZED without a provider, and SERVICE_UNAVAILABLE. */
export async function beginOpenIdSignIn(_request: unknown, context: ConsoleContext) {
  const { provider, cookie } = openIdOf(context);
  const secret = randomBytes(32).toString('base64url');
  const url = await provider.addressFor(secret);
  return {
    status: 201,
    headers: { 'Set-Cookie': cookie.set(secret, ATTEMPT_SECONDS) },
    body: { data: { url } },
  } as const;
}

/**
 * Signs in with the response of the OpenID Connect provider. Throws SERVICE_UNAUTHORIZED, SERVICE_RATE_LIMITED and
 * SERVICE_UNAVAILABLE.
 */
export async function completeOpenIdSignIn({ body }: Request<'completeOpenIdSignIn'>, context: ConsoleContext) {
  const { provider, secret } = openIdOf(context);
  if (secret === undefined) throw expiredSignIn();
  const returned = { provider, secret, response: body.response };
  return started(context, await signInWithOpenId(context.store, returned, context.visit));
}

/** Time that a person has to sign in at the provider. */
const ATTEMPT_SECONDS = 600;

function openIdOf({ openId }: ConsoleContext) {
  if (openId) return openId;
  const message = 'Sign-in with OpenID Connect is not set up here. Set OPENID_ISSUER, or sign in with a password.';
  throw new ServiceError('SERVICE_UNAUTHORIZED', message);
}

/** Signs out. */
export async function endConsoleSession(_request: unknown, { store, signedIn, visit, cookie }: ConsoleContext) {
  const { session, operator } = signedIn();
  await endSession(store, { id: session.id, by: operator.id }, visit);
  return { status: 204, headers: { 'Set-Cookie': cookie.removal } } as const;
}

/** Replaces the own password. Throws SERVICE_FORBIDDEN and SERVICE_RATE_LIMITED. */
export async function changeConsolePassword(
  { body }: Request<'changeConsolePassword'>,
  { store, signedIn, visit }: ConsoleContext,
) {
  const { currentPassword = '', newPassword } = body;
  await changePassword(store, signedIn(), { current: currentPassword, wanted: newPassword }, visit);
  return { status: 204 } as const;
}

/** Open sessions: the own ones or, for an admin, all. */
export async function listConsoleSessions(_request: unknown, { store, signedIn }: ConsoleContext) {
  const { operator, session } = signedIn();
  const sessions = await openSessions(store, operator.role === 'admin' ? undefined : operator.id);
  return { status: 200, body: { data: sessions.map((each) => described(each, session.id)) } } as const;
}

/** Ends an own session or, for an admin, any. Throws SERVICE_NOT_FOUND. */
export async function revokeConsoleSession(
  { path }: Request<'revokeConsoleSession'>,
  { store, signedIn, visit }: ConsoleContext,
) {
  const { operator } = signedIn();
  const of = operator.role === 'admin' ? undefined : operator.id;
  await endSession(store, { id: path.sessionId, of, by: operator.id }, visit);
  return { status: 204 } as const;
}

/** Issues a token for the Management API. Throws SERVICE_INVALID_BODY. */
export async function issueManagementToken(
  { body }: Request<'issueManagementToken'>,
  { store, signedIn, visit }: ConsoleContext,
) {
  const data = await managementToken(store, signedIn(), body.applicationId, visit);
  return { status: 201, body: { data } } as const;
}

/** Issues a token for the data of a connection. Throws SERVICE_INVALID_BODY. */
export async function issueConsoleConnectionToken(
  { body }: Request<'issueConsoleConnectionToken'>,
  { store, signedIn, visit }: ConsoleContext,
) {
  const data = await connectionToken(store, signedIn(), body.connectionId, visit);
  return { status: 201, body: { data } } as const;
}

/** The response to a sign-in, which sets the cookie of the session. */
export async function started(context: ConsoleContext, { secret, ...open }: SignedIn) {
  const seconds = Math.ceil((Date.parse(open.session.expiresAt) - Date.now()) / 1000);
  const headers = { 'Set-Cookie': context.cookie.set(secret, Math.max(seconds, LONGEST_SECONDS)) };
  return { status: 201, headers, body: await current(context, open) } as const;
}

/** The browser keeps the cookie until the session ends at the latest; the server ends it earlier without requests. */
const LONGEST_SECONDS = 7 * 24 * 3600;

async function current({ store }: ConsoleContext, { operator, session }: OpenConsoleSession) {
  const applications = (await listApplications(store)).map(({ id, name }) => ({ id, name }));
  return { data: { operator, session: described(session, session.id), applications } };
}

function described(session: ConsoleSession, current: string) {
  return { ...session, isCurrent: session.id === current };
}
