import { queryOptions } from '@tanstack/react-query';
import { called, dataOf } from '../api/called.ts';
import type { CurrentSession, SignInMethods } from '../api/console-schemas.ts';
import { consoleClient, forgetClients } from '../api/service-clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: until the SDK has the operations of the console.
const client = consoleClient as any;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => dataOf<CurrentSession>(client.GET('/console/session')),
  staleTime: 60_000,
});

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => dataOf<SignInMethods>(client.GET('/console/sign-in-methods')),
});

/** Signs in with a password. */
export async function signIn(body: { email: string; password: string }): Promise<CurrentSession> {
  return dataOf(client.POST('/console/session', { body }));
}

/** Signs in with the token of a one-time link, and sets the password. */
export async function redeemLink(body: object): Promise<CurrentSession> {
  return dataOf(client.POST('/console/first-sign-in', { body }));
}

/** Ends the session and forgets its tokens. */
export async function signOut(): Promise<void> {
  await called(client.DELETE('/console/session'));
  forgetClients();
}
