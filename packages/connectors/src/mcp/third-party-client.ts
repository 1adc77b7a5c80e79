import { valueWithout, withoutSecrets } from '../hide-secrets.ts';
import { createHttpClient, type HttpClient, type HttpRequest } from '../http/http-client.ts';
import { HttpFailure } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { type Hide, hideSecretsOf } from '../known-secrets.ts';
import { isFailedAddress } from '../net/address-guard.ts';

/** An MCP server of a third party, and the headers that are sent to it. */
export interface ThirdPartyAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as a third party describes it. */
export interface DescribedForeignTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

/** The result of a tool of a third party. */
export interface ForeignResult {
  readonly isError: boolean;
  readonly content: unknown;
}

/** What is known of the call of a tool: not sent, sent with an unknown effect, or refused. */
type CallState = 'none' | 'sent' | 'refused';

/** Why a third party could not be called; its message can be shown to users. */
export class ThirdPartyFailure extends Error {
  override readonly name = 'ThirdPartyFailure';
  /** Whether a call of a tool was sent without a response that can be understood, so that its effect is unknown. */
  readonly isUnknown: boolean;
  /** Whether the server refused the call of a tool. */
  readonly isRefused: boolean;

  constructor(message: string, call: CallState, cause: unknown) {
    super(message, { cause });
    this.isUnknown = call === 'sent';
    this.isRefused = call === 'refused';
  }
}

/** Milliseconds in which a server must have responded to all requests of a piece of work. */
const LONGEST_MS = 20_000;
/** Bytes that are read of a response. */
const LARGEST = 1_000_000;
const MOST_TOOLS = 1_000;
const MOST_PAGES = 50;
/** Characters of a message that are kept. */
const LONGEST_MESSAGE = 500;

/**
 * Reads the tools of a server, at most 1,000. Only public addresses are called, and those that the operator allows. `longestMs`
 * is for all pages. Throws `ThirdPartyFailure`.
 */
export function readForeignTools(address: ThirdPartyAddress, longestMs = LONGEST_MS): Promise<DescribedForeignTool[]> {
  return withClient(address, longestMs, async (client) => {
    const tools: DescribedForeignTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page += 1) {
      const answer = await client.listTools(cursor === undefined ? {} : { cursor });
      for (const { name, description = '', inputSchema, annotations = {} } of answer.tools) {
        const { readOnlyHint: isReadOnly = false, destructiveHint = true } = annotations;
        const schema = { ...inputSchema };
        tools.push({
          name,
          description,
          inputSchema: schema,
          isReadOnly,
          isDestructive: !isReadOnly && destructiveHint,
        });
      }
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return tools.slice(0, MOST_TOOLS);
  });
}

/** Calls a tool once. Its result does not contain the headers that were sent. Throws `ThirdPartyFailure`. */
export function callForeignTool(
  address: ThirdPartyAddress,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ForeignResult> {
  return withClient(address, LONGEST_MS, async (client) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
    return { isError: isError === true, content: valueWithout(structuredContent ?? content, hidingHeaders(address)) };
  });
}

type Client = import('@modelcontextprotocol/client').Client;

/** Connects for one piece of work: nothing is kept between calls, such as a session of another user. */
async function withClient<T>(
  address: ThirdPartyAddress,
  longestMs: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { Client, ProtocolError, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const limits = { timeoutMs: longestMs, connectTimeoutMs: longestMs, maxBodyBytes: LARGEST };
  const http = createHttpClient({ ...limits, sendsTrace: false });
  const deadline = AbortSignal.timeout(longestMs);
  let call = 'none' as CallState;
  try {
    const client = new Client(
      { name: 'unified-business-data-api', version: '1' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: longestMs } } },
    );
    const fetch = guardedFetch(http, deadline, (state) => {
      call = state;
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(address.url), { fetch, requestInit: { headers: address.headers } }),
    );
    const done = await work(client);
    await client.close();
    return done;
  } catch (error) {
    const failure = withoutSecrets(error, hidingHeaders(address));
    const reason = deadline.aborted
      ? `The server could not be used: it did not finish within ${longestMs} ms.`
      : reasonOf(failure);
    throw new ThirdPartyFailure(reason, call === 'sent' && error instanceof ProtocolError ? 'refused' : call, failure);
  } finally {
    await http.close();
  }
}

/**
 * Replaces the values of headers, such as `Bearer secret`, and what follows the scheme in them: a server may repeat what it was
 * sent.
 */
function hidingHeaders({ headers }: ThirdPartyAddress): Hide {
  const values = Object.values(headers).flatMap((value) => [value, value.trim().replace(/^\S+\s+/, '')]);
  const settings = Object.fromEntries(values.map((value, index) => [`${index}`, value]));
  return hideSecretsOf({ secrets: Object.keys(settings) }, settings);
}

/** Headers of responses that the protocol uses. */
const PASSED = ['content-type', 'mcp-session-id', 'mcp-protocol-version'] as const;

/**
 * `fetch` through the client that checks addresses. It does not follow redirects, and opens no stream that would stay open.
 * `onCall` is called at the end of each call of a tool.
 */
function guardedFetch(http: HttpClient, deadline: AbortSignal, onCall: (state: CallState) => void) {
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const isCall = JSON.parse(String(request.body))?.method === 'tools/call';
    try {
      const response = await http.send(request);
      if (isCall) onCall(stateAfter(response));
      return response;
    } catch (error) {
      if (isCall) onCall(error instanceof HttpFailure && error.sent ? 'sent' : 'none');
      throw error;
    }
  };
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET';
    if (method !== 'POST') return new Response(null, { status: 405 });
    const headers = Object.fromEntries(new Headers(init.headers));
    const {
      status,
      headers: received,
      body,
    } = await send({
      ...{ method, url: new URL(url), headers, body: String(init.body ?? 'null'), ownSocket: true },
      signal: init.signal ? AbortSignal.any([deadline, init.signal]) : deadline,
    });
    if (status >= 300 && status < 400)
      throw new HttpFailure('forbidden', false, 'The server redirects. Register the address that it redirects to');
    const kept = PASSED.flatMap((name): [string, string][] => {
      const value = received[name];
      return value === undefined ? [] : [[name, String(value)]];
    });
    const isEmpty = body.length === 0 || status === 204 || status === 202;
    return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: kept });
  };
}

/** A redirect, or a limit that was exceeded, is no statement about the call. */
function stateAfter({ status }: HttpResponse): CallState {
  if (status < 300 || status >= 500) return 'sent';
  return status < 400 || status === 429 ? 'none' : 'refused';
}

/** Addresses that a name has in the network of the service are not shown to its clients. */
function reasonOf(error: unknown): string {
  if (isFailedAddress(error))
    return 'The host of the server does not exist or is not public. The operator of the service can allow others with ALLOW_PRIVATE_HOSTS.';
  const message = error instanceof Error ? error.message : String(error);
  return `The server could not be used: ${message.replace(/\p{C}/gu, ' ')}`.slice(0, LONGEST_MESSAGE);
}
