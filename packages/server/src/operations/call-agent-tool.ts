import { describeTool, summaryOf } from '../mcp/catalog/describe-tool.ts';
import { searchTools } from '../mcp/catalog/search-tools.ts';
import { foldTool, isCallable } from '../mcp/policy/fold-policy.ts';
import type { AgentToolName } from '../mcp/protocol/agent-tools.ts';
import { type AgentResult, withoutEmpty } from '../mcp/protocol/shown-result.ts';
import { requestError } from '../request-error.ts';
import { type CallOutcome, callTool, type GivenCall } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { withCopyNote } from './copy-note.ts';
import { callableTools, ownAccess, shownAccess } from './mcp-surface.ts';
import { ownPolicy } from './mcp-user-policy.ts';
import { noTool } from './no-tool.ts';
import { toolOn } from './third-party-use.ts';
import { writeOf } from './write-of-access.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Calls one of the tools that lead to all others. Calls of tools on platforms go through `callTool`, like those of the MCP
 * surface. Throws the `ServiceError`s that it throws, and SERVICE_INVALID_BODY for arguments of the wrong type.
 */
export function callAgentTool(context: McpContext, name: AgentToolName, given: Given): Promise<AgentResult> {
  return ACTIONS[name](context, given);
}

const ACTIONS: Readonly<Record<AgentToolName, (context: McpContext, given: Given) => Promise<AgentResult>>> = {
  search_tools: search,
  describe,
  read,
  query,
  propose: async (context, given) => agentResult(await callTool(context, { ...callOf(given), propose: true })),
  execute,
  status,
};

const FOUND = 10;
const MOST_FOUND = 50;

async function search(context: McpContext, given: Given): Promise<AgentResult> {
  const { query: words = '', limit = FOUND } = given;
  const policy = await ownPolicy(context);
  const platform = given.platform === undefined ? undefined : textOf(given, 'platform');
  const all = await callableTools(context, policy, platform);
  const count = Math.min(MOST_FOUND, Math.max(1, Math.trunc(Number(limit)) || FOUND));
  const tools = [...new Set(all.map(({ tool }) => tool))];
  const found = searchTools(tools, String(words)).slice(0, count);
  const value = {
    tools: found.map((tool) => ({
      ...{ tool: tool.name, summary: summaryOf(tool), access: tool.access },
      platforms: all.filter((each) => each.tool === tool).map((each) => each.platform),
    })),
    total: tools.length,
  };
  return { value, isError: false, isForeign: found.some(({ operation }) => !operation) };
}

async function describe(context: McpContext, given: Given): Promise<AgentResult> {
  const [platform, name] = [textOf(given, 'platform'), textOf(given, 'tool')];
  const tool = await toolOn(context, platform, name);
  if (!tool) throw noTool(name);
  const policy = await ownPolicy(context);
  const { effect, rule, conditions } = foldTool(policy, { ...tool, platform });
  const { description, inputSchema } = describeTool(tool);
  const isUsable = isCallable(policy, { ...tool, platform });
  const value = { tool: name, description, effect, rule, conditions, ...(isUsable && { inputSchema }) };
  return { value, isError: false, isForeign: !tool.operation };
}

async function read(context: McpContext, given: Given): Promise<AgentResult> {
  const call = { ...callOf(given), onlyReads: true };
  const found = await withCopyNote(context, call, agentResult(await callTool(context, call)));
  return { ...found, value: withoutEmpty(found.value) };
}

async function query(context: McpContext, given: Given): Promise<AgentResult> {
  const { platform: _, ...body } = given;
  const call = { platform: textOf(given, 'platform'), tool: 'run_query', arguments: { body } };
  return withCopyNote(context, call, agentResult(await callTool(context, call)));
}

/** An approved call, or one with its arguments. */
async function execute(context: McpContext, given: Given): Promise<AgentResult> {
  if (given.accessRequestId === undefined) return agentResult(await callTool(context, callOf(given)));
  const request = await ownAccess(context, textOf(given, 'accessRequestId'));
  const { id: accessRequestId, platform, tool, proposal } = request;
  return agentResult(
    await callTool(context, { platform, tool, arguments: proposal?.arguments ?? {}, accessRequestId }),
  );
}

async function status(context: McpContext, given: Given): Promise<AgentResult> {
  const request = await ownAccess(context, textOf(given, 'accessRequestId'));
  const value = { accessRequest: shownAccess(request), write: await writeOf(context, request) };
  return { value, isError: false, isForeign: true };
}

/** The outcome of a call of a tool on a platform. */
export function agentResult(made: CallOutcome): AgentResult {
  if ('request' in made)
    return { value: { accessRequest: shownAccess(made.request) }, isError: false, isForeign: true };
  const { json, isError, writeId } = made.result;
  const content: unknown = JSON.parse(json);
  return { value: { content, ...(writeId !== null && { writeId }) }, isError, isForeign: true };
}

function callOf(given: Given): GivenCall {
  const { arguments: named = {} } = given;
  if (typeof named !== 'object' || named === null || Array.isArray(named))
    throw requestError('SERVICE_INVALID_BODY', 'arguments/arguments', 'Send an object.');
  return { platform: textOf(given, 'platform'), tool: textOf(given, 'tool'), arguments: named as Given };
}

function textOf(given: Given, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '' && value.length <= 255) return value;
  if (value === undefined) throw requestError('SERVICE_INVALID_BODY', 'arguments', `"${name}" is missing. Add it.`);
  throw requestError('SERVICE_INVALID_BODY', `arguments/${name}`, 'Send a text of at most 255 characters.');
}
