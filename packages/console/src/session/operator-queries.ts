import { queryOptions } from '@tanstack/react-query';
import { called, dataOf } from '../api/called.ts';
import type { ConsoleSession, InvitedOperator, Operator, OperatorRole } from '../api/console-schemas.ts';
import { consoleClient } from '../api/service-clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: until the SDK has the operations of the console.
const client = consoleClient as any;

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => dataOf<ConsoleSession[]>(client.GET('/console/sessions')),
});

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: () => dataOf<Operator[]>(client.GET('/console/operators')),
});

/** Ends a session. */
export async function endSession(sessionId: string): Promise<void> {
  await called(client.DELETE('/console/sessions/{sessionId}', { params: { path: { sessionId } } }));
}

/** Creates an operator, with the one-time link for the person. */
export async function inviteOperator(body: {
  name: string;
  email: string;
  role: OperatorRole;
}): Promise<InvitedOperator> {
  return dataOf(client.POST('/console/operators', { body }));
}

/** Creates a link with which an operator sets a new password. */
export async function createLink(operatorId: string): Promise<InvitedOperator> {
  const call = client.POST('/console/operators/{operatorId}/link', { params: { path: { operatorId } } });
  return dataOf(call);
}

/** Changes the role of an operator, or whether the person can sign in. */
export async function updateOperator(
  operatorId: string,
  body: { role?: OperatorRole; isActive?: boolean },
): Promise<void> {
  await called(client.PATCH('/console/operators/{operatorId}', { params: { path: { operatorId } }, body }));
}
