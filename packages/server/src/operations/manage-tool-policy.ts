import type { Request } from '@unified/contract';
import {
  type EndCustomerScope,
  type Guardrails,
  listMcpRoles,
  listThirdPartyServers,
  type PolicySettings,
  policySettings,
  savePolicySettings,
  type ToolRule,
} from '@unified/store';
import { prefixedName } from '../mcp/catalog/third-party-tools.ts';
import { tools } from '../mcp/catalog/tools.ts';
import { ruleProblem } from '../mcp/policy/rule-problems.ts';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { checkMask, checkPlatforms } from './manage-mcp-roles.ts';

/** Throws SERVICE_NOT_FOUND. */
export async function getPlatformVisibility({ path }: Request<'getPlatformVisibility'>, context: ManagementContext) {
  const { platforms } = await policySettings(await customerOf(context, path.endCustomerId));
  return { status: 200, body: { data: { platforms } } } as const;
}

/** Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY. */
export async function setPlatformVisibility(
  { path, body }: Request<'setPlatformVisibility'>,
  context: ManagementContext,
) {
  const servers = await listThirdPartyServers(await customerOf(context, path.endCustomerId));
  checkPlatforms(body.platforms, context, servers);
  const { platforms } = await change(context, path.endCustomerId, 'platform_visibility.set', body);
  return { status: 200, body: { data: { platforms } } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getToolPolicy({ path }: Request<'getToolPolicy'>, context: ManagementContext) {
  return shown(await policySettings(await customerOf(context, path.endCustomerId)));
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_INVALID_BODY for rules that cannot apply. */
export async function setToolPolicy({ path, body }: Request<'setToolPolicy'>, context: ManagementContext) {
  await checkRules(body.rules, await customerOf(context, path.endCustomerId), context);
  return shown(await change(context, path.endCustomerId, 'tool_policy.set', body));
}

/** Throws SERVICE_NOT_FOUND. */
export async function getGuardrails({ path }: Request<'getGuardrails'>, context: ManagementContext) {
  const { guardrails } = await policySettings(await customerOf(context, path.endCustomerId));
  return { status: 200, body: { data: guardrails } } as const;
}

/** Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY. */
export async function setGuardrails({ path, body }: Request<'setGuardrails'>, context: ManagementContext) {
  checkMask(body.maskedFields);
  const { callsPerHour = null, requiresConfirmation = false, maskedFields = [] } = body;
  const guardrails: Guardrails = { callsPerHour, requiresConfirmation, maskedFields };
  await change(context, path.endCustomerId, 'guardrails.set', { guardrails });
  return { status: 200, body: { data: guardrails } } as const;
}

/** Throws SERVICE_INVALID_BODY for rules that cannot apply. */
export async function checkRules(
  rules: readonly ToolRule[],
  customer: EndCustomerScope,
  { platforms }: Pick<ManagementContext, 'platforms'>,
): Promise<void> {
  const servers = await listThirdPartyServers(customer);
  const known = {
    platforms: [...platforms().map(({ id }) => id), ...servers.map(({ prefix }) => prefix)],
    roles: (await listMcpRoles(customer)).map(({ slug }) => slug),
    tools: [
      ...tools.map(({ name }) => name),
      ...servers.flatMap((server) => server.tools.map(({ name }) => prefixedName(server, name))),
    ],
  };
  const problem = ruleProblem(rules, known);
  if (problem) throw requestError('SERVICE_INVALID_BODY', `body/${problem.path}`, problem.message);
}

type Changes = Parameters<typeof savePolicySettings>[1];

/** Changes settings, and records them before and after the change. Returns all settings. */
function change(
  context: ManagementContext,
  endCustomerId: string,
  action: 'platform_visibility.set' | 'tool_policy.set' | 'guardrails.set',
  changes: Changes,
): Promise<PolicySettings> {
  return changeCustomer(context, endCustomerId, async (customer, record) => {
    const before = await policySettings(customer);
    await savePolicySettings(customer, changes);
    const after = await policySettings(customer);
    const flat = (settings: PolicySettings) => ({ ...settings, ...settings.guardrails });
    await record({ action, target: endCustomerId, before: flat(before), after: flat(after) });
    return after;
  });
}

function shown({ rules, rulesUpdatedAt }: PolicySettings) {
  return { status: 200, body: { data: { rules, updatedAt: rulesUpdatedAt } } } as const;
}
