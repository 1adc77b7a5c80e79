import { type Request, ServiceError } from '@unified/contract';
import {
  type EndCustomerScope,
  listThirdPartyServers,
  type McpRole,
  type McpRoleFields,
  mcpRoleById,
  deleteMcpRole as removeRole,
  updateMcpRole as saveRole,
  listMcpRoles as storedRoles,
  createMcpRole as storeRole,
} from '@unified/store';
import { unknownFields } from '../mcp/policy/mask.ts';
import { quoted, requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { once } from './once.ts';

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listMcpRoles({ path }: Request<'listMcpRoles'>, context: ManagementContext) {
  const data = await storedRoles(await customerOf(context, path.endCustomerId));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS and SERVICE_INVALID_BODY. */
export async function createMcpRole(request: Request<'createMcpRole'>, context: ManagementContext) {
  const { path, body } = request;
  return once(request, context, async () => {
    await checkRole(body, path.endCustomerId, context);
    const { slug = slugOf(body.name), ...given } = body;
    return changeCustomer(context, path.endCustomerId, async (customer, record) => {
      const mcpRole = await storeRole(customer, { ...given, slug, clientId: context.clientId });
      await record({ action: 'mcp_role.create', target: mcpRole.id, after: { ...path, ...mcpRole } });
      return { mcpRole };
    });
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function getMcpRole({ path }: Request<'getMcpRole'>, context: ManagementContext) {
  const mcpRole = await roleOf(await customerOf(context, path.endCustomerId), path.roleId);
  return { status: 200, body: { mcpRole } } as const;
}

/** Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS and SERVICE_INVALID_BODY. */
export async function updateMcpRole({ path, body }: Request<'updateMcpRole'>, context: ManagementContext) {
  await checkRole(body, path.endCustomerId, context);
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await roleOf(customer, path.roleId);
    const mcpRole = await saveRole(customer, path.roleId, body);
    await record({
      action: 'mcp_role.update',
      target: mcpRole.id,
      before: { ...path, ...before },
      after: { ...path, ...mcpRole },
    });
    return { status: 200, body: { mcpRole } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteMcpRole({ path }: Request<'deleteMcpRole'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await roleOf(customer, path.roleId);
    await removeRole(customer, path.roleId);
    await record({ action: 'mcp_role.delete', target: path.roleId, before: { ...path, ...before } });
    return { status: 204 } as const;
  });
}

/** A role of the end customer. Throws SERVICE_NOT_FOUND. */
async function roleOf(customer: EndCustomerScope, id: string): Promise<McpRole> {
  const role = await mcpRoleById(customer, id);
  if (role) return role;
  throw new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no role with this id.');
}

async function checkRole(
  { platforms: presets = [], maskedFields }: McpRoleFields,
  endCustomerId: string,
  context: ManagementContext,
): Promise<void> {
  const names = presets.map(({ platform }) => platform);
  checkPlatforms(names, context, await listThirdPartyServers(await customerOf(context, endCustomerId)));
  checkMask(maskedFields);
}

/** Throws SERVICE_INVALID_BODY for a platform that does not exist and is no prefix of these servers, or is listed twice. */
export function checkPlatforms(
  wanted: readonly string[],
  { platforms }: Pick<ManagementContext, 'platforms'>,
  servers: readonly { readonly prefix: string }[] = [],
): void {
  const known = [...platforms().map(({ id }) => id), ...servers.map(({ prefix }) => prefix)];
  const unknown = wanted.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw invalid('platforms', `There is no platform ${quoted(unknown)}. Use ${known.join(', ')}.`);
  const repeated = wanted.find((id, index) => wanted.indexOf(id) !== index);
  if (repeated !== undefined) throw invalid('platforms', `${quoted(repeated)} is listed twice. Remove one of them.`);
}

/** Throws SERVICE_INVALID_BODY for a field that no entity has. */
export function checkMask(fields: readonly string[] = []): void {
  const [unknown] = unknownFields(fields);
  if (unknown === undefined) return;
  throw invalid('maskedFields', `No entity has the field ${quoted(unknown)}. Send a name, or an entity and a name.`);
}

function invalid(property: string, message: string): ServiceError {
  return requestError('SERVICE_INVALID_BODY', `body/${property}`, message);
}

/** The slug of a name, such as `purchasing_north` for `Purchasing North`. */
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63);
  return slug === '' ? 'role' : slug;
}
