import { ServiceError } from '@unified/contract';
import type { HttpResponse } from '../http-response.ts';
import { accessOf } from '../mcp/policy/mask.ts';
import { visibleValue } from '../mcp/results/foreign-text.ts';
import { shownJson } from '../mcp/results/shown-json.ts';
import { dataCall, type ToolUse } from './call-facts.ts';
import type { DataCall, McpContext } from './context.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';
import { queryAccess } from './query-access.ts';

/** The result of a tool as agents get it. */
export interface ToolResult {
  readonly isError: boolean;
  /** JSON of the response of the operation, or of its error. */
  readonly json: string;
  readonly origin: 'connected_system' | 'service' | 'third_party';
  readonly writeId: string | null;
  /** Code of the error; null if there is none. */
  readonly code: string | null;
}

/**
 * Carries out a call. An error of the operation is returned as a result. Characters that people cannot see are removed from
 * texts, and masked fields are left out. Rejects with errors that are not caused by the call.
 */
export async function runTool(
  context: McpContext,
  policy: OwnPolicy,
  use: ToolUse,
  options: Pick<DataCall, 'idempotencyKey' | 'expected'> = {},
): Promise<ToolResult> {
  try {
    const { body, headers } = await shortened(context, use, { ...options, access: accessFor(policy, use) });
    const json = shownJson(jsonOf(body), policy.mask, containedIn(use));
    const origin = body === undefined ? 'service' : 'connected_system';
    return { isError: false, json, origin, writeId: headers?.['Write-Id'] ?? null, code: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'SERVICE_INTERNAL') throw error;
    return failure(error.code === 'SERVICE_BODY_REQUIRED' ? withoutBody(use, error) : error);
  }
}

/** What a call can see: all but masked fields, and of queries only what the user can list. */
function accessFor(policy: OwnPolicy, { tool, connection }: ToolUse): DataCall['access'] {
  return tool.entity === '' ? queryAccess(policy, connection.platform) : accessOf(policy.mask);
}

/** A body is an argument, since an agent sends no requests. */
function withoutBody({ tool }: ToolUse, cause: ServiceError): ServiceError {
  const message = `${tool.name} needs a body. Put it in arguments.body.`;
  return new ServiceError('SERVICE_BODY_REQUIRED', message, { cause });
}

/** An error as the result of a tool. Its message can quote the connected system. */
export function failure(error: ServiceError): ToolResult {
  const { code, message, details } = error;
  const writeId = 'writeId' in error && typeof error.writeId === 'string' ? error.writeId : null;
  const json = JSON.stringify(visibleValue({ code, message, ...(details !== undefined && { details }) }));
  return { isError: true, json, origin: 'connected_system', writeId, code };
}

/** Requests fewer and fewer records of a list until the result is small enough. */
async function shortened(
  context: McpContext,
  use: ToolUse,
  options: Pick<DataCall, 'access' | 'idempotencyKey' | 'expected'>,
): Promise<HttpResponse> {
  const { per_page: wanted = FIRST_COUNT } = use.arguments;
  let given = use.arguments;
  for (let count = Number(wanted); ; ) {
    try {
      return await context.run(dataCall({ ...use, arguments: given }, options));
    } catch (error) {
      const isTooLarge = error instanceof ServiceError && error.code === 'SERVICE_RESPONSE_TOO_LARGE';
      if (!isTooLarge || use.tool.operation.kind !== 'list' || count <= 1) throw error;
      count = Math.floor(count / 2);
      given = { ...given, per_page: count };
    }
  }
}

/** Number of records of a page that is requested without a size. */
const FIRST_COUNT = 10;

/** The JSON of a body, which may be rendered. */
function jsonOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('json' in body)) return JSON.stringify(body ?? null);
  const { json } = body as { readonly json: string | Uint8Array };
  return typeof json === 'string' ? json : Buffer.from(json).toString('utf8');
}

/**
 * Reads return records of the entity of their tool, and what they are asked to add to them. Others return records of writes as
 * well.
 */
function containedIn({ tool: { entity, access }, arguments: given }: ToolUse) {
  return { entity, isExpanded: access !== 'read' || given.expand !== undefined || given.extend !== undefined };
}
