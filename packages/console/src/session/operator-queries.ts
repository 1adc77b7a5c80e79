import { queryOptions } from '@tanstack/react-query';
import { called, dataOf } from '../api/called.ts';
import type { ConsoleSession, InvitedOperator, Operator, OperatorRole } from '../api/console-schemas.ts';
import { consoleClient } from '../api/service-clients.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => dataOf<ConsoleSession[]>(consoleClient.GET('/console/sessions')),
});

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: () => dataOf<Operator[]>(consoleClient.GET('/console/operators')),
});

/** Ends a session. */
export async function endSession(sessionId: string): Promise<void> {
  await called(consoleClient.DELETE('/console/sessions/{sessionId}', { params: { path: { sessionId } } }));
}

/** Creates an operator, with the one-time link for the person. */
export async function inviteOperator(body: {
  name: string;
  email: string;
  role: OperatorRole;
}): Promise<InvitedOperator> {
  return dataOf(consoleClient.POST('/console/operators', { body }));
}

/** Creates a link with which an operator sets a new password. */
export async function createLink(operatorId: string): Promise<InvitedOperator> {
  const call = consoleClient.POST('/console/operators/{operatorId}/link', { params: { path: { operatorId } } });
  return dataOf(call);
}

/** Changes the role of an operator, or whether the person can sign in. */
export async function updateOperator(
  operatorId: string,
  body: { role?: OperatorRole; isActive?: boolean },
): Promise<void> {
  await called(consoleClient.PATCH('/console/operators/{operatorId}', { params: { path: { operatorId } }, body }));
}
