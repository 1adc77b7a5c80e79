import type { AgentResult } from '../mcp/protocol/shown-result.ts';
import type { McpContext } from './context.ts';
import { connectionTo, ownPolicy } from './mcp-user-policy.ts';

/**
 * The result of a read, with a note if it found nothing while records of the platform were never copied: an agent would conclude
 * that there are none.
 */
export async function withCopyNote(context: McpContext, platform: string, result: AgentResult): Promise<AgentResult> {
  if (result.isError || !foundNothing(result.value)) return result;
  const connection = connectionTo(await ownPolicy(context), platform);
  if (!connection) return result;
  const streams = await context.engine.syncStatus(context.scopeOf(connection));
  const missing = streams.filter(({ lastFullAt, lastSuccessAt }) => (lastFullAt ?? lastSuccessAt) === null).length;
  if (missing === 0) return result;
  const note = `Records of ${platform} are still being copied: ${missing} of ${streams.length} parts are missing, so there may be more. Try again later.`;
  return { ...result, value: { ...(result.value as object), note } };
}

/** Whether a result is an empty list, or a table in which all values are null or 0. */
function foundNothing(value: unknown): boolean {
  const { data } = (value as { readonly content?: { readonly data?: unknown } | null }).content ?? {};
  if (Array.isArray(data)) return data.length === 0;
  const { rows } = (data ?? {}) as { readonly rows?: readonly (readonly unknown[])[] };
  return rows?.every((row) => row.every((each) => each === null || each === 0)) ?? false;
}
