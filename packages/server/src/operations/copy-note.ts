import { entityOf } from '@unified/contract';
import type { Scope } from '@unified/store';
import { toolNamed } from '../mcp/catalog/tools.ts';
import type { AgentResult } from '../mcp/protocol/shown-result.ts';
import type { GivenCall } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { connectionTo, ownPolicy } from './mcp-user-policy.ts';
import { entitiesRead, type Statement } from './run-query.ts';

/**
 * The result of a read, with a note if it found nothing while records of the entities that it read were never copied: an agent
 * would conclude that there are none.
 */
export async function withCopyNote(context: McpContext, call: GivenCall, result: AgentResult): Promise<AgentResult> {
  if (result.isError || !foundNothing(result.value)) return result;
  const connection = connectionTo(await ownPolicy(context), call.platform);
  if (!connection) return result;
  const scope = context.scopeOf(connection);
  const read = new Set(await entitiesOf(scope, call));
  const streams = (await context.engine.syncStatus(scope)).filter(({ entities }) =>
    entities.some((name) => read.has(name)),
  );
  const missing = streams.filter(({ lastFullAt, lastSuccessAt }) => (lastFullAt ?? lastSuccessAt) === null).length;
  if (missing === 0) return result;
  const note = `Records of ${call.platform} are still being copied: ${missing} of ${streams.length} parts that this call reads are missing, so there may be more. Try again later.`;
  return { ...result, value: { ...(result.value as object), note } };
}

/** Names of the entities whose records a call reads. The records of a view are those of its members. */
async function entitiesOf(scope: Scope, { tool, arguments: given }: GivenCall): Promise<readonly string[]> {
  const { entity = '' } = toolNamed(tool) ?? {};
  const names = entity === '' ? await entitiesRead(given.body as Statement, scope) : [entity];
  return names.flatMap((name) => [name, ...(entityOf(name)?.view ?? []).map((member) => member.entity)]);
}

/** Whether a result is an empty list, or a table in which all values are null or 0. */
function foundNothing(value: unknown): boolean {
  const { data } = (value as { readonly content?: { readonly data?: unknown } | null }).content ?? {};
  if (Array.isArray(data)) return data.length === 0;
  const { rows } = (data ?? {}) as { readonly rows?: readonly (readonly unknown[])[] };
  return rows?.every((row) => row.every((each) => each === null || each === 0)) ?? false;
}
