import { ServiceError } from '@unified/contract';
import type { AccessRequest } from '@unified/store';
import type { AnyTool, ThirdPartyTool } from '../mcp/catalog/tools.ts';
import type { Decision } from '../mcp/policy/policy.ts';
import { count, decisionOn, useOf } from './call-decision.ts';
import { type CallEntry, callEntry, endingOf } from './call-entry.ts';
import { isOfSystem, type ToolUse } from './call-facts.ts';
import type { McpContext } from './context.ts';
import { executeProposal } from './execute-proposal.ts';
import { type OwnPolicy, ownPolicy } from './mcp-user-policy.ts';
import { propose } from './propose-call.ts';
import { readAhead } from './read-ahead.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { runThirdPartyTool } from './third-party-use.ts';

/** A call as a user makes it. */
export interface GivenCall {
  readonly platform: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The approved request whose call is to be executed, if any. */
  readonly accessRequestId?: string | undefined;
  /** Whether to only prepare the call. Defaults to false. */
  readonly propose?: boolean | undefined;
  /** Whether to refuse tools that do more than to read. Defaults to false. */
  readonly onlyReads?: boolean | undefined;
  /** Key of the write, if any. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result of a call that was carried out, or the access request of a call that waits for a decision or for its execution.
 */
export type CallOutcome = { readonly result: ToolResult } | { readonly request: AccessRequest };

/**
 * Calls a tool for a user. This is the only way to execute one. The policy decides, the call is counted, and then it is carried
 * out like a request of the data API, or stored until it is approved. Every call is logged with its decision; one that can change
 * something, before that. Throws SERVICE_NOT_FOUND, SERVICE_TOOL_DENIED, SERVICE_CONNECTION_INACTIVE, SERVICE_INVALID_TRANSITION,
 * SERVICE_INVALID_BODY, SERVICE_RATE_LIMITED and SERVICE_MCP_QUOTA_EXCEEDED. An error of the operation is returned as a result.
 */
export async function callTool(context: McpContext, given: GivenCall): Promise<CallOutcome> {
  const began = performance.now();
  const read = await readAhead(context, given, began);
  if (read) return { result: read };
  const policy = await ownPolicy(context);
  const { customer, user, agent } = context;
  const entry = callEntry({ customer, user, agent, policy, given, began });
  const outcome = await decidedCall(context, policy, { given, entry }).catch(async (error: unknown) => {
    const code = error instanceof ServiceError ? error.code : 'SERVICE_INTERNAL';
    await entry.end({ accessRequestId: given.accessRequestId ?? null, isError: true, code, writeId: null });
    throw error;
  });
  await entry.end(endingOf(given, outcome));
  return outcome;
}

async function decidedCall(
  context: McpContext,
  policy: OwnPolicy,
  { given, entry }: { readonly given: GivenCall; readonly entry: CallEntry },
): Promise<CallOutcome> {
  const use = await useOf(context, policy, given);
  const decision = await decisionOn(context, policy, use, () => count(context, policy));
  await entry.decided(decision, { canChange: canChange(given, use, decision) });
  return carryOut(context, policy, { given, use, decision });
}

/** Whether a call is carried out now, and does more than to read records. */
function canChange({ accessRequestId, propose: isProposed }: GivenCall, use: ToolUse<AnyTool>, { effect }: Decision) {
  if (isOfSystem(use) && use.tool.access === 'read') return false;
  return accessRequestId !== undefined ? effect !== 'deny' : effect === 'allow' && isProposed !== true;
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
