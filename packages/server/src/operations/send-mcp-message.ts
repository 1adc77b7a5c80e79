import { type Request as CheckedRequest, type ErrorCode, ServiceError } from '@unified/contract';
import { SEPARATOR } from '../mcp/catalog/tools.ts';
import { agentTools } from '../mcp/protocol/agent-tools.ts';
import { respondToMessage } from '../mcp/protocol/protocol-handler.ts';
import { type AgentResult, shownResult } from '../mcp/protocol/shown-result.ts';
import { mcpResource } from '../oauth/access-tokens.ts';
import { agentResult, callAgentTool } from './call-agent-tool.ts';
import { callTool, type GivenCall } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { listedTools } from './listed-tools.ts';
import { release } from './release.ts';
import { thirdPartyTools } from './third-party-use.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Responds to one message of the Model Context Protocol. Throws SERVICE_FORBIDDEN for a page of another origin, and what is no
 * error of the call, such as SERVICE_UNAVAILABLE.
 */
export async function sendMcpMessage({ body, headers, query }: CheckedRequest<'sendMcpMessage'>, context: McpContext) {
  refuseOrigin(headers.Origin, context.publicUrl);
  const failures: unknown[] = [];
  const response = await respondToMessage(webRequest(headers, context.publicUrl), body, {
    release,
    list: (cursor) => kept(failures, () => listedTools(context, { isAll: query.tools === 'all', cursor })),
    call: (name, given) => kept(failures, () => callNamed(context, name, given)),
  });
  const text = await response.text();
  if (failures.length > 0) throw failures[0];
  const { status } = response;
  if (text === '') return { status: 202 } as const;
  const json = /^text\/event-stream/.test(response.headers.get('content-type') ?? '') ? messageOf(text) : text;
  return { status: status as 200, body: { json } } as const;
}

/** Browsers state the origin of a page. Others may have no use of a token that a page was given. */
function refuseOrigin(origin: string | undefined, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new ServiceError('SERVICE_FORBIDDEN', 'Pages of other origins cannot use MCP. Send requests from a program.');
}

/** The parts of a request that the protocol defines. The response is always JSON, whatever the client prefers. */
function webRequest(sent: Readonly<Record<string, string | undefined>>, publicUrl: string): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value);
  return new Request(mcpResource(publicUrl), { method: 'POST', headers });
}

/** The message of a stream that contains one, which earlier versions of the protocol return. */
function messageOf(events: string): string {
  return events
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('');
}

/** Remembers a failure of the service: the library would respond with 200, and its message. */
async function kept<T>(failures: unknown[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOfCaller(error)) failures.push(error);
    throw error;
  }
}

function isOfCaller(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status < 500;
}

/** Calls a tool by the name under which it is listed. Errors of the service are results, so that an agent can correct its call. */
async function callNamed(context: McpContext, name: string, given: Given) {
  const agentTool = agentTools.find((tool) => tool.name === name);
  const at = name.indexOf(SEPARATOR);
  if (!agentTool && at < 0) return undefined;
  return shownResult(
    await resultOf(async () =>
      agentTool
        ? callAgentTool(context, agentTool.name, given)
        : agentResult(await callTool(context, { ...(await placeOf(context, name, at)), arguments: given })),
    ),
  );
}

/**
 * The platform and the tool of a listed name, whose separator is at `at`. Third parties have the prefix in the names of their
 * tools.
 */
async function placeOf(context: McpContext, name: string, at: number): Promise<Pick<GivenCall, 'platform' | 'tool'>> {
  const platform = name.slice(0, at);
  const isForeign = (await thirdPartyTools(context, platform)) !== undefined;
  return { platform, tool: isForeign ? name : name.slice(at + SEPARATOR.length) };
}

/** Errors before a tool is called, whose texts are from the service. Those of the tool itself are results. */
const OWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['SERVICE_INVALID_BODY', 'SERVICE_NOT_FOUND', 'SERVICE_TOOL_DENIED', 'SERVICE_CONNECTION_INACTIVE'] as const),
  ...(['SERVICE_INVALID_TRANSITION', 'SERVICE_RATE_LIMITED', 'SERVICE_MCP_QUOTA_EXCEEDED'] as const),
]);

async function resultOf(work: () => Promise<AgentResult>): Promise<AgentResult> {
  try {
    return await work();
  } catch (error) {
    if (!isOfCaller(error)) throw error;
    const { code, message, details } = error;
    const value = { code, message, ...(details !== undefined && { details }) };
    return { value, isError: true, isForeign: !OWN.has(code) };
  }
}
