import { ServiceError } from '@unified/contract';
import { entityIn, find, isUuid, type WriteRecord } from '@unified/store';
import { type Arguments, callRequest } from '../mcp/catalog/call-request.ts';
import type { AnyTool, Tool } from '../mcp/catalog/tools.ts';
import type { CallFacts } from '../mcp/policy/argument-condition.ts';
import { rulesFor } from '../mcp/policy/policy.ts';
import { requestError } from '../request-error.ts';
import type { DataCall, McpContext } from './context.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';

/** A call of a tool that exists, on a connection. */
export interface ToolUse<Of extends AnyTool = Tool> {
  readonly tool: Of;
  /** For a tool of a third party, the id is empty, and the platform is the prefix of the server. */
  readonly connection: { readonly connectionId: string; readonly platform: string };
  readonly arguments: Arguments;
}

/** Whether a call is for a connected system, not for a server of a third party. */
export function isOfSystem(use: ToolUse<AnyTool>): use is ToolUse {
  return use.tool.operation !== undefined;
}

/**
 * Reads what the rules for a tool need to know about a call besides its arguments. Throws SERVICE_INVALID_BODY if the id of the
 * record is not a text, and SERVICE_TOOL_DENIED if references that rules refer to cannot be resolved.
 */
export async function callFacts(context: McpContext, policy: OwnPolicy, use: ToolUse<AnyTool>): Promise<CallFacts> {
  if (!isOfSystem(use)) return { values: { ...use.arguments, record: {} }, resolved: new Map() };
  const { tool, connection, arguments: given } = use;
  requireTextId(use);
  const rules = rulesFor(policy, { ...tool, platform: connection.platform });
  const wanted = rules.flatMap(({ when = [] }) => when);
  const record = wanted.some(({ argument }) => argument.startsWith('record.')) ? await recordOf(context, use) : {};
  const named = wanted.filter(({ operator, argument }) => isResolved(operator, argument));
  const resolved = named.length > 0 && tool.access !== 'read' ? await resolvedReferences(context, use) : new Map();
  return { values: { ...given, record }, resolved };
}

const LISTED: ReadonlySet<string> = new Set(['in', 'not_in']);

/** Whether a condition depends on the records that references point to: it lists records, or its path may lead into one. */
function isResolved(operator: string, argument: string): boolean {
  return argument.startsWith('body.') && (LISTED.has(operator) || argument.split('.').length > 2);
}

function requireTextId({ tool, arguments: { id } }: ToolUse): void {
  if (id === undefined || typeof id === 'string' || !tool.operation.path.includes('{id}')) return;
  throw requestError('SERVICE_INVALID_BODY', 'arguments/id', 'Send the id of a record as a text.');
}

/** The stored record that a call concerns; empty if there is none. */
async function recordOf(context: McpContext, use: ToolUse): Promise<Arguments> {
  const text = await storedText(context, use);
  return text === undefined ? {} : JSON.parse(text);
}

/** The stored text of the record that a call concerns; undefined if there is none. */
export async function storedText(
  { scopeOf }: McpContext,
  { tool, connection, arguments: { id } }: ToolUse,
): Promise<string | undefined> {
  if (typeof id !== 'string' || !isUuid(id) || !tool.operation.path.includes('{id}')) return undefined;
  const scope = scopeOf(connection);
  return find(scope, entityIn(scope, tool.entity), id);
}

/** The records that the references of a call point to, by the path of the argument. They are resolved with a dry run. */
async function resolvedReferences(context: McpContext, use: ToolUse): Promise<CallFacts['resolved']> {
  try {
    const plan = await dryRun(context, use);
    const links = plan.resolvedRefs.map(({ field, link }) => {
      const path = `body.${field.replaceAll(/\[\d+\]/g, '')}`;
      return [path, { ...link, isResolved: true }] as const;
    });
    return new Map([...Map.groupBy(links, ([path]) => path)].map(([path, all]) => [path, all.map(([, link]) => link)]));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    // The decision cannot be based on what was sent: the call itself may resolve references that this dry run could not.
    const message = `The rules for this tool depend on references that cannot be resolved (${error.code}). Nothing was done.`;
    throw new ServiceError('SERVICE_TOOL_DENIED', message);
  }
}

/** The write record of a dry run. Rejects with the `ServiceError` of the call. */
export async function dryRun(context: McpContext, use: ToolUse): Promise<WriteRecord> {
  const { body } = await context.run(dataCall({ ...use, arguments: { ...use.arguments, dryRun: true } }));
  return body as WriteRecord;
}

/** The operation that corresponds to a call. */
export function dataCall(
  use: ToolUse,
  more: Partial<Pick<DataCall, 'access' | 'idempotencyKey' | 'expected'>> = {},
): DataCall {
  const { tool, connection, arguments: given } = use;
  return { operation: tool.operation, ...connection, request: callRequest(tool, given), access: null, ...more };
}
