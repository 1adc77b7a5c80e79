import { queryOptions } from '@tanstack/react-query';
import { called, dataOf } from '../api/called.ts';
import type { CurrentSession, SignInMethods } from '../api/console-schemas.ts';
import { consoleClient, forgetClients } from '../api/service-clients.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => dataOf<CurrentSession>(consoleClient.GET('/console/session')),
  staleTime: 60_000,
});

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => dataOf<SignInMethods>(consoleClient.GET('/console/sign-in-methods')),
});

/** Signs in with a password. */
export async function signIn(body: { email: string; password: string }): Promise<CurrentSession> {
  return dataOf(consoleClient.POST('/console/session', { body }));
}

/** The address of the OpenID Connect provider, at which a sign-in has begun. */
export async function beginOpenIdSignIn(): Promise<string> {
  return (await dataOf<{ url: string }>(consoleClient.POST('/console/openid-sign-in'))).url;
}

/** Signs in with the query with which the provider returned the browser. */
export async function completeOpenIdSignIn(response: string): Promise<CurrentSession> {
  return dataOf(consoleClient.POST('/console/openid-session', { body: { response } }));
}

/** The token of a one-time link, and what a person enters. */
export interface LinkEntry {
  readonly token: string;
  readonly password: string;
  readonly name?: string;
  readonly email?: string;
}

/** Signs in with the token of a one-time link, and sets the password. */
export async function redeemLink(body: LinkEntry): Promise<CurrentSession> {
  return dataOf(consoleClient.POST('/console/first-sign-in', { body }));
}

/** Replaces the password; all other sessions of the operator end. */
export async function changePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  await called(consoleClient.PUT('/console/password', { body }));
}

/** Ends the session and forgets its tokens. */
export async function signOut(): Promise<void> {
  await called(consoleClient.DELETE('/console/session'));
  forgetClients();
}
