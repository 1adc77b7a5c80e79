import { logConfirmedRead } from '@unified/store';
import { toolNamed } from '../mcp/catalog/tools.ts';
import { decisionOn, limitsOf, useOf } from './call-decision.ts';
import { endingOf, entryOf } from './call-entry.ts';
import { isOfSystem } from './call-facts.ts';
import type { GivenCall } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { lastPolicy, type OwnPolicy } from './mcp-user-policy.ts';
import { runTool, type ToolResult } from './run-tool.ts';

/**
 * Carries out a read under the policy that the user had at an earlier call. Then one statement checks that the policy is the same
 * now, counts the call and logs it. If it is not, or if anything else prevents the read, returns undefined: the result was not
 * returned, and nothing else has happened, so the call can begin again with the current policy.
 *
 * A read of records takes about as long as one statement, so that it would take three times as long if the policy were read before
 * it, and the entry stored after it.
 */
export async function readAhead(context: McpContext, given: GivenCall, began: number): Promise<ToolResult | undefined> {
  const policy = lastPolicy(context);
  if (!policy || !canOnlyRead(given)) return undefined;
  // An error can be one of the outdated policy. If it is not, it occurs again.
  return underPolicy(context, policy, { given, began }).catch(() => undefined);
}

function canOnlyRead({ tool, propose, accessRequestId }: GivenCall): boolean {
  return toolNamed(tool)?.access === 'read' && !propose && accessRequestId === undefined;
}

async function underPolicy(
  context: McpContext,
  policy: OwnPolicy,
  { given, began }: { readonly given: GivenCall; readonly began: number },
): Promise<ToolResult | undefined> {
  const use = await useOf(context, policy, given);
  const decision = await decisionOn(context, policy, use, () => Promise.resolve());
  if (decision.effect !== 'allow' || !isOfSystem(use)) return undefined;
  const result = await runTool(context, policy, use);
  const { customer, user, agent } = context;
  const call = { customer, user, agent, policy, given, began };
  const entry = entryOf(call, decision, endingOf(given, { result }));
  const condition = { policyState: policy.state, ...limitsOf(context, policy) };
  return (await logConfirmedRead(customer, entry, condition)) ? result : undefined;
}
