import { type Request, ServiceError } from '@unified/contract';
import { endAuthorizationOfUser, listAgentAuthorizations as storedAuthorizations } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { userOf } from './manage-mcp-users.ts';

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listAgentAuthorizations(
  { path }: Request<'listAgentAuthorizations'>,
  context: ManagementContext,
) {
  const customer = await customerOf(context, path.endCustomerId);
  await userOf(customer, path.userId);
  return { status: 200, body: { meta: {}, data: await storedAuthorizations(customer, path.userId) } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function revokeAgentAuthorization(
  { path }: Request<'revokeAgentAuthorization'>,
  context: ManagementContext,
) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await endAuthorizationOfUser(customer, path.userId, path.authorizationId);
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'The user has not authorized an agent with this id.');
    const target = path.authorizationId;
    await record({ action: 'agent_authorization.revoke', target, before: { ...path, ...before } });
    return { status: 204 } as const;
  });
}
