import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '@unified/contract';
import { type AccessRequest, endProposed, type ProposedCall, startProposed } from '@unified/store';
import type { AnyTool, ThirdPartyTool } from '../mcp/catalog/tools.ts';
import type { Decision } from '../mcp/policy/policy.ts';
import { requestError } from '../request-error.ts';
import { isOfSystem, type ToolUse } from './call-facts.ts';
import type { McpContext } from './context.ts';
import { ownAccess } from './mcp-surface.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { callReadyTool, readyThirdPartyTool } from './third-party-use.ts';

/**
 * Executes an approved call exactly as it was shown, and only once: its write has a key, and expects the record to be unchanged
 * since then. Throws SERVICE_NOT_FOUND, SERVICE_INVALID_TRANSITION for a request that cannot be executed, and
 * SERVICE_INVALID_BODY for a call that differs from the approved one.
 */
export async function executeProposal(
  context: McpContext,
  policy: OwnPolicy,
  use: ToolUse<AnyTool>,
  { id, decision }: { readonly id: string; readonly decision: Decision },
): Promise<ToolResult> {
  const { customer, user } = context;
  const request = await requireSameCall(context, use, id);
  requireApprovals(request, decision);
  const started = await startProposed(customer, id, user.userId);
  if (!started) throw await cannotStart(context, id);
  requireSameConnection(started, use);
  if (!isOfSystem(use)) {
    const foreign = use as ToolUse<ThirdPartyTool>;
    const ready = await readyThirdPartyTool(context, foreign);
    if ('unavailable' in ready) return ready.unavailable;
    // Nothing would recognize a second call, so the first one is marked before it is made.
    if (!(await endProposed(customer, id, null))) throw await cannotStart(context, id);
    return callReadyTool(context, policy, { ...foreign, ...ready });
  }
  const key = { idempotencyKey: `mcp ${id}`, expected: started.expected ?? undefined };
  const result = await runTool(context, policy, use, use.tool.access === 'read' ? {} : key);
  // A call that failed for a temporary reason can be executed again, with the same key.
  if (!isRetryable(result)) await endProposed(customer, id, result.writeId);
  return result;
}

async function requireSameCall(
  context: McpContext,
  { tool, connection, arguments: given }: ToolUse<AnyTool>,
  id: string,
) {
  const request = await ownAccess(context, id);
  const { proposal } = request;
  if (!proposal)
    throw new ServiceError(
      'SERVICE_INVALID_TRANSITION',
      'This request is for a tool, not for a call. Send the call without it.',
    );
  const isSame =
    request.tool === tool.name &&
    request.platform === connection.platform &&
    isDeepStrictEqual(JSON.parse(JSON.stringify(given)), proposal.arguments);
  if (isSame) return request;
  const message =
    'This call differs from the one that was approved. Send it as shown in `proposal`, or propose the new call.';
  throw requestError('SERVICE_INVALID_BODY', 'body/arguments', message);
}

/** The policy may have changed since the call was proposed, and now require more approvals. */
function requireApprovals({ status, approvals }: AccessRequest, decision: Decision): void {
  if (status !== 'approved' || decision.effect !== 'ask' || approvals.length >= decision.approvals) return;
  const message = 'The policy now requires more approvals than this call has. Propose it again.';
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message);
}

/** The platform may have been connected to another system since, and the tool of a third party may be another one. */
function requireSameConnection({ connectionId, expected }: ProposedCall, { tool, connection }: ToolUse<AnyTool>): void {
  if (tool.operation ? connectionId === connection.connectionId : expected === tool.hash) return;
  const message =
    'The platform was connected to a different system, or its tool was changed, after the call was proposed. Propose it again.';
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message);
}

async function cannotStart(context: McpContext, id: string): Promise<ServiceError> {
  const { status, executedAt, expiresAt } = await ownAccess(context, id);
  const state =
    status === 'pending'
      ? 'is not approved yet. Check its status later'
      : status === 'denied'
        ? 'was denied'
        : executedAt !== null
          ? `was executed at ${executedAt}. A call is executed once`
          : `expired at ${expiresAt}. Propose the call again`;
  return new ServiceError('SERVICE_INVALID_TRANSITION', `The access request ${state}. Nothing was done.`);
}

const RETRYABLE: ReadonlySet<string> = new Set([
  'SERVICE_UNAVAILABLE',
  'SERVICE_CONNECTION_INACTIVE',
  'SERVICE_SYSTEM_UNAVAILABLE',
  'SERVICE_SYSTEM_RATE_LIMITED',
  'SERVICE_RATE_LIMITED',
  'SERVICE_PLATFORM_BROKEN',
]);

function isRetryable({ code, writeId }: ToolResult): boolean {
  return writeId === null && code !== null && RETRYABLE.has(code);
}
