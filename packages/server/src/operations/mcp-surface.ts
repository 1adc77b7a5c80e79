import { type Request, ServiceError } from '@unified/contract';
import { type AccessRequest, accessRequestById, listThirdPartyServers, requestTool } from '@unified/store';
import { describeTool } from '../mcp/catalog/describe-tool.ts';
import type { AnyTool } from '../mcp/catalog/tools.ts';
import { foldTool, isCallable } from '../mcp/policy/fold-policy.ts';
import { quoted, requestError } from '../request-error.ts';
import type { McpContext } from './context.ts';
import { connectionTo, type OwnPolicy, ownPlatforms, ownPolicy, toolsOf } from './mcp-user-policy.ts';
import { noTool } from './no-tool.ts';
import { thirdPartyTools, toolOn } from './third-party-use.ts';

/** In alphabetical order. */
export async function listMcpPlatforms(_request: unknown, context: McpContext) {
  const policy = await ownPolicy(context);
  const names = new Map(context.engine.platforms().map(({ id, name }) => [id, name]));
  const servers = new Map((await listThirdPartyServers(context.customer)).map((server) => [server.prefix, server]));
  const data = ownPlatforms(policy).map((id) => ({
    ...{ id, name: names.get(id) ?? servers.get(id)?.name ?? id },
    isConnected: servers.get(id)?.isActive ?? connectionTo(policy, id)?.status === 'active',
  }));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Whether tools can be executed on a platform and, if not, why. */
export async function resolveMcpExecution({ path }: Request<'resolveMcpExecution'>, context: McpContext) {
  const policy = await ownPolicy(context);
  const isForeign = (await thirdPartyTools(context, path.platform)) !== undefined;
  const reason = isForeign && ownPlatforms(policy).includes(path.platform) ? null : obstacle(policy, path.platform);
  return { status: 200, body: { data: { isAllowed: reason === null, reason } } } as const;
}

/** Why no tool of a platform can be executed; null if tools can be. */
export function obstacle(policy: OwnPolicy, platform: string): string | null {
  if (!ownPlatforms(policy).includes(platform)) return `The user may not use the platform ${platform}.`;
  const connection = connectionTo(policy, platform);
  if (!connection)
    return `The platform ${quoted(platform)} is not connected. An administrator can create a setup link.`;
  return connection.status === 'active' ? null : `The connection to ${platform} is deactivated.`;
}

/** The effect of each tool, and the conditions under which it differs. */
export async function getMcpPolicy({ query }: Request<'getMcpPolicy'>, context: McpContext) {
  const policy = await ownPolicy(context);
  const all = await offeredTools(context, policy, query.platform);
  const folded = all.map(({ platform, tool }) => {
    const { effect, rule, conditions } = foldTool(policy, { ...tool, platform });
    return { platform, tool: tool.name, effect, rule, conditions };
  });
  const { callsPerHour } = policy.guardrails;
  const data = { tools: folded, maskedFields: [...policy.mask.all], callsPerHour };
  return { status: 200, body: { data } } as const;
}

/** A tool of a platform that a user can see. */
export interface OfferedTool {
  readonly platform: string;
  readonly tool: AnyTool;
}

/** The tools of the user's platforms, or of one of them, ordered by platform and name. */
export async function offeredTools(
  context: McpContext,
  policy: OwnPolicy,
  only: string | undefined,
): Promise<readonly OfferedTool[]> {
  const found: OfferedTool[] = [];
  for (const platform of ownPlatforms(policy).filter((id) => only === undefined || id === only)) {
    for (const tool of await toolsOf(context, policy, platform)) found.push({ platform, tool });
  }
  return found;
}

/** The tools for which the user can make at least some calls. */
export async function callableTools(
  context: McpContext,
  policy: OwnPolicy,
  only?: string | undefined,
): Promise<readonly OfferedTool[]> {
  const all = await offeredTools(context, policy, only);
  return all.filter(({ platform, tool }) => isCallable(policy, { ...tool, platform }));
}

/** Throws SERVICE_INVALID_CURSOR. */
export async function listMcpTools({ query }: Request<'listMcpTools'>, context: McpContext) {
  const { per_page = 50, cursor, platform } = query;
  const policy = await ownPolicy(context);
  const left = await callableAfter(context, policy, { cursor, platform });
  const page = left.slice(0, per_page);
  const last = left.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? cursorAfter(last) : null;
  const meta = { current_page: null, per_page, has_more: last !== undefined, next_cursor };
  return { status: 200, body: { meta, data: page.map((each) => shownTool(each, policy)) } } as const;
}

/** The callable tools that follow a page. Throws SERVICE_INVALID_CURSOR. */
export async function callableAfter(
  context: McpContext,
  policy: OwnPolicy,
  { cursor, platform }: { readonly cursor?: string | undefined; readonly platform?: string | undefined },
): Promise<readonly OfferedTool[]> {
  const after = cursor === undefined ? '' : placeOf(cursor);
  return (await callableTools(context, policy, platform)).filter((each) => placeIn(each) > after);
}

/** The cursor of a page that ends with a tool, or has none of those that are listed here. */
export function cursorAfter(last: OfferedTool | undefined): string {
  return Buffer.from(last ? placeIn(last) : BEFORE_ALL).toString('base64url');
}

/** A place before those of all tools. */
const BEFORE_ALL = ' ';

function placeIn({ platform, tool }: OfferedTool): string {
  return `${platform} ${tool.name}`;
}

function placeOf(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (place === BEFORE_ALL || /^[a-z0-9_-]+ [A-Za-z0-9_.-]+$/.test(place)) return place;
  throw new ServiceError('SERVICE_INVALID_CURSOR', 'The cursor is invalid. Start again without it.');
}

/** A tool as the document describes it. */
export function shownTool({ platform, tool }: OfferedTool, policy: OwnPolicy) {
  const { description, inputSchema } = describeTool(tool);
  const { effect } = foldTool(policy, { ...tool, platform });
  return {
    ...{ name: tool.name, platform, description, inputSchema: { ...inputSchema } },
    ...{ isReadOnly: tool.access === 'read', isDestructive: tool.access === 'delete' },
    // Calls of a tool with the effect `deny` may be possible under a condition of the policy.
    needsApproval: effect !== 'allow',
  };
}

/** Throws SERVICE_INVALID_BODY for a tool that does not exist or is not denied. */
export async function requestMcpAccess({ body }: Request<'requestMcpAccess'>, context: McpContext) {
  const { platform, tool: name, reason = null } = body;
  const tool = await toolOn(context, platform, name);
  if (!tool) throw requestError('SERVICE_INVALID_BODY', 'body/tool', noTool(name).message);
  const policy = await ownPolicy(context);
  if (
    tool.operation &&
    !connectionTo(policy, platform) &&
    !context.engine.platforms().some(({ id }) => id === platform)
  )
    throw requestError('SERVICE_INVALID_BODY', 'body/platform', 'There is no such platform.');
  if (isCallable(policy, { ...tool, platform }))
    throw requestError('SERVICE_INVALID_BODY', 'body/tool', 'The policy does not deny this tool. Call it.');
  const { userId } = context.user;
  const data = await requestTool(context.customer, { userId, platform, tool: name, reason });
  return { status: 201, body: { data: shownAccess(data) } } as const;
}

/** An access request of the user. Throws SERVICE_NOT_FOUND. */
export async function getMcpAccess({ path }: Request<'getMcpAccess'>, context: McpContext) {
  return { status: 200, body: { data: shownAccess(await ownAccess(context, path.requestId)) } } as const;
}

/** An access request of the user. Throws SERVICE_NOT_FOUND. */
export async function ownAccess({ customer, user }: McpContext, id: string): Promise<AccessRequest> {
  const found = await accessRequestById(customer, id, { userId: user.userId });
  if (found) return found;
  throw new ServiceError('SERVICE_NOT_FOUND', 'The user has no access request with this id.');
}

/** The parts of an access request that its user can see. */
export function shownAccess(request: AccessRequest) {
  const { id, platform, tool, status, proposal, note, expiresAt, executedAt, writeId } = request;
  return { id, platform, tool, status, proposal, note, expiresAt, executedAt, writeId };
}
