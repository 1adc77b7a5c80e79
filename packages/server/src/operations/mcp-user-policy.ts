import { ServiceError } from '@unified/contract';
import { type McpConnection, policyOfUser, type UserPolicy } from '@unified/store';
import { LRUCache } from 'lru-cache';
import { type AnyTool, supportedTools, tools } from '../mcp/catalog/tools.ts';
import { type Mask, maskOf } from '../mcp/policy/mask.ts';
import type { McpContext } from './context.ts';
import { thirdPartyTools } from './third-party-use.ts';

/** The policy of a user, and the fields that are hidden from that user. */
export interface OwnPolicy extends UserPolicy {
  readonly mask: Mask;
}

/** The policy of the user of a request. Throws SERVICE_UNAUTHORIZED when the user was deleted. */
export async function ownPolicy({ customer, user }: McpContext): Promise<OwnPolicy> {
  const policy = await policyOfUser(customer, user.userId);
  if (!policy) throw new ServiceError('SERVICE_UNAUTHORIZED', 'The user of this token was deleted.');
  const { role, guardrails } = policy;
  const own = { ...policy, mask: maskOf([...new Set([...guardrails.maskedFields, ...(role?.maskedFields ?? [])])]) };
  lastPolicies.set(user.userId, own);
  return own;
}

const lastPolicies = new LRUCache<string, OwnPolicy>({ max: 1_000 });

/** The policy of the user when it was last read; it may have changed since. Undefined if it was not read recently. */
export function lastPolicy({ user }: McpContext): OwnPolicy | undefined {
  return lastPolicies.get(user.userId);
}

/** Ids of the platforms that the user can see and has a role or a granted tool for, in alphabetical order. */
export function ownPlatforms({ role, granted, platforms: visible }: OwnPolicy): string[] {
  const named = [...(role?.platforms ?? []), ...granted].map(({ platform }) => platform);
  return [...new Set(named)].filter((id) => visible === null || visible.includes(id)).sort();
}

/** The connection through which the user calls tools of a platform; undefined if there is none. */
export function connectionTo({ connections }: OwnPolicy, platform: string): McpConnection | undefined {
  return connections.find((each) => each.platform === platform);
}

/** The tools that the connected system of a platform supports, all of them if it is not connected; or those of a third party. */
export async function toolsOf(context: McpContext, policy: OwnPolicy, platform: string): Promise<readonly AnyTool[]> {
  const connection = connectionTo(policy, platform);
  const foreign = connection ? undefined : await thirdPartyTools(context, platform);
  if (foreign) return foreign;
  return connection ? supportedTools(await context.engine.capabilities(context.scopeOf(connection))) : tools;
}
