import type { Request } from '@unified/contract';
import { callTool } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { shownAccess } from './mcp-surface.ts';

/**
 * Returns 200 with the result of the tool, or 202 with the access request for a call that was not executed. Throws the errors
 * of `callTool`.
 */
export async function executeMcpTool({ path, body, headers }: Request<'executeMcpTool'>, context: McpContext) {
  const idempotencyKey = headers['Idempotency-Key'];
  const outcome = await callTool(context, { ...body, tool: path.tool, idempotencyKey });
  if ('request' in outcome) return { status: 202, body: { data: shownAccess(outcome.request) } } as const;
  const { json: content, ...result } = outcome.result;
  const { isError, origin, writeId } = result;
  const rest = JSON.stringify({ isError, origin, writeId }).slice(1);
  return { status: 200, body: { json: `{"data":{"content":${content},${rest}}` } } as const;
}
