import { SEPARATOR } from '../mcp/catalog/tools.ts';
import { agentTools, type ListedTool } from '../mcp/protocol/agent-tools.ts';
import type { McpContext } from './context.ts';
import { callableAfter, cursorAfter, type OfferedTool, shownTool } from './mcp-surface.ts';
import { type OwnPolicy, ownPolicy } from './mcp-user-policy.ts';

/**
 * Bytes of the tools on a page of `tools/list`, so that the whole message has less than 20 kB: the tools become part of the context
 * of a model.
 */
const LARGEST_PAGE = 19_000;

/** A page of the tools of a user. */
interface ToolPage {
  readonly tools: readonly ListedTool[];
  readonly nextCursor?: string;
}

/**
 * The tools that lead to all others; with `isAll`, followed by those of the platforms that the user can call, page by page. A page
 * has as many as fit, and at least one. Throws SERVICE_INVALID_CURSOR.
 */
export async function listedTools(
  context: McpContext,
  { isAll, cursor }: { readonly isAll: boolean; readonly cursor: string | undefined },
): Promise<ToolPage> {
  if (!isAll) return { tools: agentTools };
  const policy = await ownPolicy(context);
  const tools: ListedTool[] = cursor === undefined ? [...agentTools] : [];
  let bytes = bytesOf(tools);
  let last: OfferedTool | undefined;
  for (const each of await callableAfter(context, policy, { cursor })) {
    const tool = listedTool(each, policy);
    bytes += bytesOf(tool) + 1;
    if (bytes > LARGEST_PAGE && tools.length > 0) return { tools, nextCursor: cursorAfter(last) };
    tools.push(tool);
    last = each;
  }
  return { tools };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function listedTool(offered: OfferedTool, policy: OwnPolicy): ListedTool {
  const { platform, name, description, inputSchema, isReadOnly, isDestructive } = shownTool(offered, policy);
  const hints = { readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: isReadOnly };
  return {
    ...{ name: listedName(platform, name), description },
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { ...hints, openWorldHint: true },
  };
}

/** Names of tools of third parties have the prefix already. */
function listedName(platform: string, tool: string): string {
  return tool.startsWith(platform + SEPARATOR) ? tool : platform + SEPARATOR + tool;
}
