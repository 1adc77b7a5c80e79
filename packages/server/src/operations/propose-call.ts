import { entityOf, ServiceError } from '@unified/contract';
import { type AccessRequest, type Proposal, recordHash, storeProposal } from '@unified/store';
import type { AnyTool } from '../mcp/catalog/tools.ts';
import { accessOf } from '../mcp/policy/mask.ts';
import { masked } from '../mcp/policy/masked-fields.ts';
import type { Decision } from '../mcp/policy/policy.ts';
import { visibleValue } from '../mcp/results/foreign-text.ts';
import { shownText } from '../query/field-selection.ts';
import { narrowedTo } from '../query/token-access.ts';
import { dataCall, isOfSystem, storedText, type ToolUse } from './call-facts.ts';
import type { McpContext } from './context.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';
import { failure, type ToolResult } from './run-tool.ts';

type Doc = Readonly<Record<string, unknown>>;

/**
 * Stores a call together with what it would do: the record before it, the fields that it sets, and the dry run. The call
 * expects the record as it is now. An error of the dry run is returned as the result.
 */
export async function propose(
  context: McpContext,
  policy: OwnPolicy,
  use: ToolUse<AnyTool>,
  { effect, approvals: requiredApprovals }: Decision,
): Promise<{ readonly request: AccessRequest } | { readonly result: ToolResult }> {
  const { tool, connection, arguments: given } = use;
  const writes = isOfSystem(use) && tool.access !== 'read' ? use : undefined;
  const stored = writes && (await storedText(context, writes));
  const shown = (value: unknown) => visibleValue(masked(value, policy.mask, tool.entity)) as Doc;
  try {
    const plan = writes ? shown(await plannedWrite(context, policy, writes)) : null;
    const before = stored === undefined ? null : shown(JSON.parse(readText(policy, tool.entity, stored)));
    const after = (given.body as Doc | undefined) ?? null;
    const expected = tool.operation ? (stored === undefined ? null : recordHash(stored)) : tool.hash;
    const proposal: Proposal = { arguments: given, before, after, plan };
    const request = await storeProposal(context.customer, {
      ...{ userId: context.user.userId, platform: connection.platform, tool: tool.name, proposal },
      ...{ connectionId: tool.operation ? connection.connectionId : null, expected },
      ...{ requiredApprovals, isApproved: effect === 'allow' },
    });
    return { request };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return { result: failure(error) };
  }
}

/** A stored record as the user would get it from the address of an entity. */
function readText({ mask }: OwnPolicy, name: string, text: string): string {
  const entity = entityOf(name);
  const narrowed = entity && narrowedTo(accessOf(mask))(entity);
  if (!narrowed) throw new Error(`${name} is no entity.`);
  return shownText(narrowed, text);
}

/** The write record of a dry run, as the user may see it. */
async function plannedWrite(context: McpContext, { mask }: OwnPolicy, use: ToolUse): Promise<unknown> {
  const call = dataCall({ ...use, arguments: { ...use.arguments, dryRun: true } }, { access: accessOf(mask) });
  return (await context.run(call)).body;
}
