import { ServiceError } from '@unified/contract';
import { ThirdPartyFailure } from '@unified/engine';
import {
  type AddressOfServer,
  addressOfServer,
  saveForeignTools,
  type ThirdPartyServer,
  thirdPartyServerByPrefix,
} from '@unified/store';
import { approvedTools, pinnedTools } from '../mcp/catalog/third-party-tools.ts';
import { type AnyTool, type ThirdPartyTool, toolNamed } from '../mcp/catalog/tools.ts';
import { masked } from '../mcp/policy/masked-fields.ts';
import { visibleValue } from '../mcp/results/foreign-text.ts';
import type { ToolUse } from './call-facts.ts';
import type { McpContext } from './context.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';
import { failure, type ToolResult } from './run-tool.ts';

/** Milliseconds after which the tools of a server are read again before one is called. */
const READ_AGAIN_MS = 5 * 60_000;
/** Characters of a result. */
const LARGEST_RESULT = 100_000;

/** The approved tools of the server with this prefix; undefined if there is none. */
export async function thirdPartyTools(
  { customer, engine }: Pick<McpContext, 'customer' | 'engine'>,
  prefix: string,
): Promise<readonly ThirdPartyTool[] | undefined> {
  if (engine.platforms().some(({ id }) => id === prefix)) return undefined;
  const server = await thirdPartyServerByPrefix(customer, prefix);
  return server ? approvedTools(server) : undefined;
}

/** The tool with this name on a platform, or of the server with this prefix; undefined if there is none. */
export async function toolOn(context: McpContext, platform: string, name: string): Promise<AnyTool | undefined> {
  const foreign = await thirdPartyTools(context, platform);
  return foreign ? foreign.find((tool) => tool.name === name) : toolNamed(name);
}

/** A tool of a third party that can be called, or the result of a call that cannot be made now. */
export type ReadyTool = { readonly address: AddressOfServer } | { readonly unavailable: ToolResult };

/** Calls a tool of a third party once, as `callReadyTool` does, if it is ready. Rejects with SERVICE_TOOL_DENIED if it changed. */
export async function runThirdPartyTool(
  context: McpContext,
  policy: OwnPolicy,
  use: ToolUse<ThirdPartyTool>,
): Promise<ToolResult> {
  const ready = await readyThirdPartyTool(context, use);
  return 'unavailable' in ready ? ready.unavailable : callReadyTool(context, policy, { ...use, ...ready });
}

/**
 * Prepares the call of a tool of a third party: it must still be what was approved, which is read again if that was some time
 * ago. Nothing was called if that fails. Rejects with SERVICE_TOOL_DENIED if the tool changed.
 */
export async function readyThirdPartyTool(
  context: McpContext,
  { tool, connection }: ToolUse<ThirdPartyTool>,
): Promise<ReadyTool> {
  const server = await currentServer(context, connection.platform);
  if (server?.problem) return { unavailable: { ...failure(unavailable(server.problem)), origin: 'third_party' } };
  const current = server && approvedTools(server).find(({ name }) => name === tool.name);
  if (!current || current.hash !== tool.hash) throw changed(tool.name);
  const address = await addressOfServer(context.customer, server.id);
  if (address?.url !== server.url) throw changed(tool.name);
  return { address };
}

/** Calls a tool once. Nothing of the service is sent but the arguments, and the headers that were registered. */
export async function callReadyTool(
  { engine }: McpContext,
  policy: OwnPolicy,
  { tool, arguments: given, address }: ToolUse<ThirdPartyTool> & { readonly address: AddressOfServer },
): Promise<ToolResult> {
  try {
    const { isError, content } = await engine.thirdParties.callTool(address, tool.foreignName, given);
    const json = JSON.stringify(visibleValue(masked(content, policy.mask, '')) ?? null);
    requireSmall(json);
    return {
      isError,
      json,
      origin: 'third_party',
      writeId: null,
      code: isError ? 'SERVICE_REJECTED' : null,
    };
  } catch (error) {
    if (error instanceof ServiceError) return { ...failure(error), origin: 'service' };
    if (error instanceof ThirdPartyFailure) return { ...failure(failureOf(error, tool)), origin: 'third_party' };
    throw error;
  }
}

function requireSmall({ length }: string): void {
  if (length <= LARGEST_RESULT) return;
  const message = `The result of the tool has ${length} characters, more than ${LARGEST_RESULT}. The call was carried out.`;
  throw new ServiceError('SERVICE_RESPONSE_TOO_LARGE', message);
}

/**
 * The server; its tools are read again if that was some time ago or failed, so that a change is noticed before a call. It has a
 * problem only if this fails, and then nothing is known of its tools.
 */
async function currentServer({ customer, engine }: McpContext, prefix: string): Promise<ThirdPartyServer | null> {
  const server = await thirdPartyServerByPrefix(customer, prefix);
  if (!server) return null;
  const isRead = server.problem === null && Date.now() - Date.parse(server.readAt) < READ_AGAIN_MS;
  if (isRead) return server;
  const address = await addressOfServer(customer, server.id);
  if (address?.url !== server.url) return null;
  const read = await readServer(engine, server, { address, approves: false });
  await saveForeignTools(customer, server, read);
  return { ...server, ...read };
}

/** Reads the tools of a server at an address. If that fails, those that were read last stay. */
export async function readServer(
  { thirdParties }: Pick<McpContext['engine'], 'thirdParties'>,
  server: Pick<ThirdPartyServer, 'prefix' | 'tools'>,
  { address, approves }: { readonly address: AddressOfServer; readonly approves: boolean },
): Promise<Pick<ThirdPartyServer, 'tools' | 'problem'>> {
  try {
    const read = await thirdParties.readTools(address);
    return { tools: pinnedTools(server, read, { approves }), problem: null };
  } catch (error) {
    if (!(error instanceof ThirdPartyFailure)) throw error;
    return { tools: server.tools, problem: error.message };
  }
}

function failureOf({ isUnknown, isRefused, message }: ThirdPartyFailure, { access }: ThirdPartyTool): ServiceError {
  if (isUnknown && access !== 'read')
    return new ServiceError('SERVICE_OUTCOME_UNKNOWN', `${message} It is unknown whether the call had an effect.`);
  return isRefused ? new ServiceError('SERVICE_REJECTED', message) : unavailable(message);
}

function unavailable(message: string): ServiceError {
  return new ServiceError('SERVICE_SYSTEM_UNAVAILABLE', message);
}

function changed(name: string): ServiceError {
  const message = `The description of ${name} has changed since it was approved. An administrator must approve it again.`;
  return new ServiceError('SERVICE_TOOL_DENIED', message);
}
