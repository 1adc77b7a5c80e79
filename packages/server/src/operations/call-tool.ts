import { ServiceError } from '@unified/contract';
import { type AccessRequest, countCall, logToolCall } from '@unified/store';
import { type AnyTool, type ThirdPartyTool, toolNamed } from '../mcp/catalog/tools.ts';
import { decide } from '../mcp/policy/decide.ts';
import { masked, maskedArgument } from '../mcp/policy/masked-fields.ts';
import { baseDecision, type Decision } from '../mcp/policy/policy.ts';
import { callFacts, isOfSystem, type ToolUse } from './call-facts.ts';
import type { McpContext } from './context.ts';
import { executeProposal } from './execute-proposal.ts';
import { connectionTo, type OwnPolicy, ownPolicy } from './mcp-user-policy.ts';
import { noTool } from './no-tool.ts';
import { propose } from './propose-call.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { runThirdPartyTool, thirdPartyTools } from './third-party-use.ts';

/** A call as a user makes it. */
export interface GivenCall {
  readonly platform: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The approved request whose call is to be executed, if any. */
  readonly accessRequestId?: string | undefined;
  /** Whether to only prepare the call. Defaults to false. */
  readonly propose?: boolean | undefined;
  /** Key of the write, if any. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result of a call that was carried out, or the access request of a call that waits for a decision or for its execution.
 */
export type CallOutcome = { readonly result: ToolResult } | { readonly request: AccessRequest };

/**
 * Calls a tool for a user. This is the only way to execute one. The policy decides, the call is counted, and then it is carried
 * out like a request of the data API, or stored until it is approved. Every call is logged with its decision. Throws
 * SERVICE_NOT_FOUND, SERVICE_TOOL_DENIED, SERVICE_CONNECTION_INACTIVE, SERVICE_INVALID_TRANSITION, SERVICE_INVALID_BODY,
 * SERVICE_RATE_LIMITED and SERVICE_MCP_QUOTA_EXCEEDED. An error of the operation is returned as a result.
 */
export async function callTool(context: McpContext, given: GivenCall): Promise<CallOutcome> {
  const began = performance.now();
  const policy = await ownPolicy(context);
  const log = async (decision: Decision, logged: Logged) => {
    const { tool, platform, accessRequestId = null } = given;
    const entity = toolNamed(tool)?.entity ?? '';
    await logToolCall(context.customer, {
      ...{ userId: context.user.userId, tokenId: context.user.tokenId, agent: context.agent, platform, tool },
      arguments: masked(given.arguments, policy.mask, entity) as GivenCall['arguments'],
      ...{ decision: decision.effect, rule: decision.rule.slice(0, 300), accessRequestId, ...logged },
      milliseconds: performance.now() - began,
    });
  };
  let decision = NO_DECISION;
  try {
    const use = await useOf(context, policy, given);
    decision = await decisionOn(context, policy, use);
    const outcome = await carryOut(context, policy, { given, use, decision });
    await log(decision, loggedOf(outcome));
    return outcome;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'SERVICE_INTERNAL';
    await log(decision, { isError: true, code, writeId: null });
    throw error;
  }
}

/** The parts of an outcome that are logged. */
interface Logged extends Pick<ToolResult, 'isError' | 'code' | 'writeId'> {
  readonly accessRequestId?: string;
}

function loggedOf(outcome: CallOutcome): Logged {
  if ('request' in outcome) return { isError: false, code: null, writeId: null, accessRequestId: outcome.request.id };
  const { isError, code, writeId } = outcome.result;
  return { isError, code, writeId };
}

const NO_DECISION: Decision = { effect: 'deny', rule: 'the call cannot be made', approvals: 1 };

/** The tool and the connection of a call. Throws SERVICE_NOT_FOUND. */
async function useOf(
  context: McpContext,
  policy: OwnPolicy,
  { tool: name, platform, arguments: given }: GivenCall,
): Promise<ToolUse<AnyTool> & Known> {
  const connection = connectionTo(policy, platform);
  const foreign = connection ? undefined : await thirdPartyTools(context, platform);
  const tool = foreign ? foreign.find((each) => each.name === name) : toolNamed(name);
  if (!tool) throw noTool(name, foreign);
  if (!tool.operation) return { tool, arguments: given, connection: { connectionId: '', platform }, status: 'active' };
  return {
    tool,
    arguments: given,
    connection: connection ?? { connectionId: '', platform },
    status: connection?.status,
  };
}

interface Known {
  /** Undefined if the platform is not connected. */
  readonly status: 'active' | 'inactive' | undefined;
}

async function decisionOn(context: McpContext, policy: OwnPolicy, use: ToolUse<AnyTool> & Known): Promise<Decision> {
  const tool = { ...use.tool, platform: use.connection.platform };
  const base = baseDecision(policy, tool);
  // Nothing else is revealed about tools that the user may not use.
  if (base.isFixed) return base;
  const hidden = maskedArgument(use.arguments, policy.mask, use.tool.entity);
  if (hidden !== undefined) return { effect: 'deny', rule: `masked field ${hidden}`, approvals: 1 };
  requireConnection(use);
  // Reading the facts may need a dry run, which costs as much as the call.
  await count(context, policy);
  const facts = await callFacts(context, policy, use);
  return decide(policy, tool, { ...facts, now: Date.now() });
}

function requireConnection({ status, connection: { platform } }: ToolUse<AnyTool> & Known): void {
  if (status === undefined)
    throw new ServiceError(
      'SERVICE_NOT_FOUND',
      `The platform ${platform} is not connected. An administrator can create a setup link.`,
    );
  if (status === 'inactive')
    throw new ServiceError(
      'SERVICE_CONNECTION_INACTIVE',
      `The connection to ${platform} is deactivated. An administrator can activate it.`,
    );
}

interface Decided {
  readonly given: GivenCall;
  readonly use: ToolUse<AnyTool>;
  readonly decision: Decision;
}

async function carryOut(
  context: McpContext,
  policy: OwnPolicy,
  { given, use, decision }: Decided,
): Promise<CallOutcome> {
  if (decision.effect === 'deny') throw denied(given, decision);
  const { accessRequestId, idempotencyKey } = given;
  if (accessRequestId !== undefined)
    return { result: await executeProposal(context, policy, use, { id: accessRequestId, decision }) };
  if (decision.effect === 'ask' || given.propose) return propose(context, policy, use, decision);
  if (!isOfSystem(use)) return { result: await runThirdPartyTool(context, policy, use as ToolUse<ThirdPartyTool>) };
  return { result: await runTool(context, policy, use, { idempotencyKey }) };
}

function denied({ tool, platform }: GivenCall, { rule }: Decision): ServiceError {
  const message = `The tool policy denies this call of ${tool} on ${platform}: ${rule}. An administrator can change that: request access.`;
  return new ServiceError('SERVICE_TOOL_DENIED', message, { details: [{ platform, tool, rule }] });
}

/** Throws SERVICE_RATE_LIMITED and SERVICE_MCP_QUOTA_EXCEEDED. */
async function count({ customer, user, callsPerMonth }: McpContext, policy: OwnPolicy): Promise<void> {
  const hourly = policy.guardrails.callsPerHour;
  const exceeded = await countCall(customer, user.userId, { hourly, monthly: callsPerMonth });
  if (!exceeded) return;
  const { limit, most, seconds: retryAfter } = exceeded;
  if (limit === 'hour')
    throw new ServiceError('SERVICE_RATE_LIMITED', `A user can make ${most} calls per hour. Nothing was done.`, {
      retryAfter,
    });
  const message = `The plan includes ${most} tool calls per calendar month, and they have been used up. Nothing was done.`;
  throw new ServiceError('SERVICE_MCP_QUOTA_EXCEEDED', message, { retryAfter });
}
