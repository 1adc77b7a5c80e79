import { type Request, ServiceError } from '@unified/contract';
import {
  type EndCustomerScope,
  type McpUser,
  mcpRoleById,
  mcpUserById,
  pageOfMcpUsers,
  deleteMcpUser as removeUser,
  revokePersonalAccessToken as revokeToken,
  updateMcpUser as saveUser,
  listPersonalAccessTokens as storedTokens,
  createPersonalAccessToken as storeToken,
  createMcpUser as storeUser,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

const DAY_MS = 24 * 3_600_000;

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listMcpUsers({ path, query }: Request<'listMcpUsers'>, context: ManagementContext) {
  const { per_page = 50, cursor } = query;
  const customer = await customerOf(context, path.endCustomerId);
  const rows = await pageOfMcpUsers(customer, { after: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS, and SERVICE_INVALID_BODY for a role of another end customer. */
export async function createMcpUser(request: Request<'createMcpUser'>, context: ManagementContext) {
  const { path, body } = request;
  return once(request, context, () =>
    changeCustomer(context, path.endCustomerId, async (customer, record) => {
      await checkRole(customer, body.roleId);
      const data = await storeUser(customer, body);
      await record({ action: 'mcp_user.create', target: data.id, after: { ...path, ...data } });
      return { data };
    }),
  );
}

/** Throws SERVICE_NOT_FOUND. */
export async function getMcpUser({ path }: Request<'getMcpUser'>, context: ManagementContext) {
  const data = await userOf(await customerOf(context, path.endCustomerId), path.userId);
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS and SERVICE_INVALID_BODY. */
export async function updateMcpUser({ path, body }: Request<'updateMcpUser'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await userOf(customer, path.userId);
    await checkRole(customer, body.roleId);
    const data = (await saveUser(customer, path.userId, body)) ?? (await userOf(customer, path.userId));
    await record({
      action: 'mcp_user.update',
      target: data.id,
      before: { ...path, ...before },
      after: { ...path, ...data },
    });
    return { status: 200, body: { data } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteMcpUser({ path }: Request<'deleteMcpUser'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await userOf(customer, path.userId);
    await removeUser(customer, path.userId);
    await record({ action: 'mcp_user.delete', target: path.userId, before: { ...path, ...before } });
    return { status: 204 } as const;
  });
}

/** Without their values, oldest first. Throws SERVICE_NOT_FOUND. */
export async function listPersonalAccessTokens(
  { path }: Request<'listPersonalAccessTokens'>,
  context: ManagementContext,
) {
  const customer = await customerOf(context, path.endCustomerId);
  await userOf(customer, path.userId);
  return { status: 200, body: { meta: {}, data: await storedTokens(customer, path.userId) } } as const;
}

/** Creates a token, which is shown again only if the request is repeated. Throws SERVICE_NOT_FOUND. */
export async function createPersonalAccessToken(
  request: Request<'createPersonalAccessToken'>,
  context: ManagementContext,
) {
  const { path, body } = request;
  const { name, expiresInDays: days } = body;
  const create = () =>
    changeCustomer(context, path.endCustomerId, async (customer, record) => {
      await userOf(customer, path.userId);
      const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
      const { token, ...made } = await storeToken(customer, { userId: path.userId, name, expiresAt });
      await record({ action: 'personal_access_token.create', target: made.id, after: { ...path, ...made } });
      return { data: { id: made.id, token, expiresAt: made.expiresAt } };
    });
  return once(request, context, create, ({ data }) => ({
    action: 'personal_access_token.read',
    target: data.id,
    after: { userId: path.userId, name, expiresAt: data.expiresAt },
  }));
}

/** Throws SERVICE_NOT_FOUND. */
export async function revokePersonalAccessToken(
  { path }: Request<'revokePersonalAccessToken'>,
  context: ManagementContext,
) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await revokeToken(customer, path.userId, path.tokenId);
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'The user has no token with this id.');
    await record({ action: 'personal_access_token.revoke', target: path.tokenId, before: { ...path, ...before } });
    return { status: 204 } as const;
  });
}

/** A user of the end customer. Throws SERVICE_NOT_FOUND. */
export async function userOf(customer: EndCustomerScope, id: string): Promise<McpUser> {
  const user = await mcpUserById(customer, id);
  if (user) return user;
  throw new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no user with this id.');
}

async function checkRole(customer: EndCustomerScope, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null || (await mcpRoleById(customer, id))) return;
  throw requestError('SERVICE_INVALID_BODY', 'body/roleId', 'The end customer has no role with this id.');
}
