import { ServiceError } from '@unified/contract';
import { countCall } from '@unified/store';
import { type AnyTool, toolNamed } from '../mcp/catalog/tools.ts';
import { decide } from '../mcp/policy/decide.ts';
import { maskedArgument } from '../mcp/policy/masked-fields.ts';
import { baseDecision, type Decision } from '../mcp/policy/policy.ts';
import { quoted, requestError } from '../request-error.ts';
import { callFacts, type ToolUse } from './call-facts.ts';
import type { GivenCall } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { connectionTo, type OwnPolicy } from './mcp-user-policy.ts';
import { noTool } from './no-tool.ts';
import { thirdPartyTools } from './third-party-use.ts';

/** The tool and the connection of a call. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY. */
export async function useOf(
  context: McpContext,
  policy: OwnPolicy,
  { tool: name, platform, arguments: given, onlyReads }: GivenCall,
): Promise<KnownUse> {
  const connection = connectionTo(policy, platform);
  const foreign = connection ? undefined : await thirdPartyTools(context, platform);
  const tool = foreign ? foreign.find((each) => each.name === name) : toolNamed(name);
  if (!tool) throw noTool(name, foreign);
  if (onlyReads && tool.access !== 'read') throw notOnlyReading();
  if (!tool.operation) return { tool, arguments: given, connection: { connectionId: '', platform }, status: 'active' };
  return {
    tool,
    arguments: given,
    connection: connection ?? { connectionId: '', platform },
    status: connection?.status,
  };
}

function notOnlyReading(): ServiceError {
  const message = 'This tool can change data. Use propose or execute.';
  return requestError('SERVICE_INVALID_BODY', 'arguments/tool', message);
}

/** A call, and the status of its connection, which is undefined if the platform is not connected. */
export interface KnownUse extends ToolUse<AnyTool> {
  readonly status: 'active' | 'inactive' | undefined;
}

/**
 * What the policy says about a call. Calls `count` first unless the tool and the names of arguments determine the answer.
 * Throws SERVICE_NOT_FOUND, SERVICE_CONNECTION_INACTIVE, and what `count` and `callFacts` throw.
 */
export async function decisionOn(
  context: McpContext,
  policy: OwnPolicy,
  use: KnownUse,
  count: () => Promise<void>,
): Promise<Decision> {
  const tool = { ...use.tool, platform: use.connection.platform };
  const base = baseDecision(policy, tool);
  // Nothing else is revealed about tools that the user may not use.
  if (base.isFixed) return base;
  const hidden = maskedArgument(use.arguments, policy.mask, use.tool.entity);
  if (hidden !== undefined) return { effect: 'deny', rule: `masked field ${hidden}`, approvals: 1 };
  requireConnection(use);
  // Reading the facts may need a dry run, which costs as much as the call.
  await count();
  const facts = await callFacts(context, policy, use);
  return decide(policy, tool, { ...facts, now: Date.now() });
}

function requireConnection({ status, connection: { platform } }: KnownUse): void {
  if (status === undefined)
    throw new ServiceError(
      'SERVICE_NOT_FOUND',
      `The platform ${quoted(platform)} is not connected. An administrator can create a setup link.`,
    );
  if (status === 'inactive')
    throw new ServiceError(
      'SERVICE_CONNECTION_INACTIVE',
      `The connection to ${platform} is deactivated. An administrator can activate it.`,
    );
}

/** Counts a call. Throws SERVICE_RATE_LIMITED and SERVICE_MCP_QUOTA_EXCEEDED. */
export async function count(context: McpContext, policy: OwnPolicy): Promise<void> {
  const exceeded = await countCall(context.customer, context.user.userId, limitsOf(context, policy));
  if (!exceeded) return;
  const { limit, most, seconds: retryAfter } = exceeded;
  if (limit === 'hour')
    throw new ServiceError('SERVICE_RATE_LIMITED', `A user can make ${most} calls per hour. Nothing was done.`, {
      retryAfter,
    });
  const message = `The plan includes ${most} tool calls per calendar month, and they have been used up. Nothing was done.`;
  throw new ServiceError('SERVICE_MCP_QUOTA_EXCEEDED', message, { retryAfter });
}

/** How many calls the user can make per hour, and the application per month; null means that there is no limit. */
export function limitsOf({ callsPerMonth }: McpContext, { guardrails }: OwnPolicy) {
  return { hourly: guardrails.callsPerHour, monthly: callsPerMonth };
}
