import type { CallToolResult, McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceError } from '@unified/contract';
import { INSTRUCTIONS, type ListedTool } from './agent-tools.ts';

/** What the messages of one user can do. */
export interface Served {
  /** Version of the service. */
  readonly release: string;
  /** Throws a `ServiceError` for an invalid cursor. */
  list(cursor: string | undefined): Promise<{ readonly tools: readonly ListedTool[]; readonly nextCursor?: string }>;
  /** Undefined if there is no such tool. */
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<CallToolResult | undefined>;
}

const served = new WeakMap<object, Served>();
let loaded: Promise<McpHttpHandler> | undefined;

/**
 * Responds to one message: version 2026-07-28 of the protocol, and the form of earlier versions without sessions beside it. Nothing
 * is kept between messages. The library, which takes 20 MB, is loaded with the first one.
 */
export async function respondToMessage(request: Request, message: unknown, to: Served): Promise<Response> {
  loaded ??= loadHandler();
  const handler = await loaded;
  const extra = {};
  served.set(extra, to);
  // The token stays with the caller.
  const authInfo = { token: '', clientId: '', scopes: [], extra };
  return handler.fetch(request, { authInfo, parsedBody: message });
}

async function loadHandler(): Promise<McpHttpHandler> {
  const { createMcpHandler, Server, ProtocolError, ProtocolErrorCode } = await import('@modelcontextprotocol/server');
  return createMcpHandler(
    ({ authInfo }) => {
      const to = served.get(authInfo?.extra ?? {});
      if (!to) throw new Error('A message of MCP has no user.');
      const server = new Server(
        { name: 'unified-business-data-api', version: to.release },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS, cacheHints: { 'tools/list': PRIVATE } },
      );
      server.setRequestHandler('tools/list', async ({ params }) => {
        const { tools, nextCursor } = await to.list(params?.cursor).catch((error: unknown) => {
          throw error instanceof ServiceError
            ? new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
            : error;
        });
        return { tools: tools.map((tool) => ({ ...tool })), ...(nextCursor !== undefined && { nextCursor }) };
      });
      server.setRequestHandler('tools/call', async ({ params }) => {
        const result = await to.call(params.name, params.arguments ?? {});
        if (result) return result;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name.slice(0, 80)}".`);
      });
      return server;
    },
    // Subscriptions would need connections that stay open. Tools do not change while a client works.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
}

/** The list depends on the policy of the user. */
const PRIVATE = { ttlMs: 60_000, cacheScope: 'private' } as const;
