import { isIP } from 'node:net';
import { inSpan, traceHeaders } from '@unified/tracing';
import type { Agent } from 'undici';
import { AddressRefused, type AddressRules, guardedLookup, mayCall } from '../net/address-guard.ts';
import { parsePrivateHosts } from '../net/private-hosts.ts';
import { HttpFailure } from './http-failure.ts';
import { collectResponse, failureOf, type HttpResponse } from './response-collector.ts';
import { type StreamedRequest, type StreamedResponse, streamed } from './streamed.ts';

/** Options for all requests of a client. Each has a default. */
export interface HttpClientOptions {
  /** Milliseconds until a socket must be open. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds from the call to the last byte of the response. Default 30,000. */
  readonly timeoutMs?: number;
  /** Longest response in bytes. Default 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Sockets per origin. Default 8. */
  readonly connections?: number;
  /** Whether private networks and this machine may be called. Default false. */
  readonly allowPrivate?: boolean;
  /** Defaults to what the operator lists in `ALLOW_PRIVATE_HOSTS`. */
  readonly privateHosts?: AddressRules['privateHosts'];
  /** Whether requests contain the ids of the current trace (`traceparent`). Default true. */
  readonly sendsTrace?: boolean;
}

/** One request. `url` is absolute, `http:` or `https:`, and contains no credentials. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'MERGE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Overrides the value of the client. */
  readonly timeoutMs?: number;
  /** Overrides the value of the client. */
  readonly maxBodyBytes?: number;
  /**
   * Opens a socket for this request only. For requests that change something: the server may close a reused socket at
   * the same time, and then it is unknown whether the request was processed.
   */
  readonly ownSocket?: boolean;
  readonly signal?: AbortSignal;
}

/** Longest response in bytes, unless a client or a request has another limit. */
export const LONGEST_BODY = 64 * 1024 * 1024;

/** The only way to call third-party systems. */
export interface HttpClient {
  /**
   * Sends a request once and collects the response, whatever its status. Redirects are returned unchanged; nothing is
   * followed, repeated or decompressed.
   *
   * @throws {HttpFailure} when there is no complete response
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends a request once and returns as soon as the headers of the response arrive, for bodies too large for memory.
   *
   * @throws {HttpFailure} when there is no response; reading its body may fail as well
   */
  stream(request: StreamedRequest): Promise<StreamedResponse>;
  /** Closes all sockets; requests in progress fail. */
  close(): Promise<void>;
}

const defaults = {
  ...{ connectTimeoutMs: 10_000, timeoutMs: 30_000, maxBodyBytes: LONGEST_BODY, connections: 8 },
  sendsTrace: true,
};

/** Opens a client with its own sockets. Proxy variables of the environment are ignored. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const limits = { ...defaults, ...options };
  const rules: AddressRules = {
    allowPrivate: options.allowPrivate ?? false,
    privateHosts: options.privateHosts ?? parsePrivateHosts(process.env.ALLOW_PRIVATE_HOSTS),
  };
  let opened: Promise<Agents> | undefined;
  const agents = () => (opened ??= openAgents(limits, rules));
  return {
    async send(request) {
      checkUrl(request.url, rules);
      const timeoutMs = request.timeoutMs ?? limits.timeoutMs;
      const { keeping, single } = await agents();
      return traced(request, limits.sendsTrace, (sent) =>
        collectResponse(request.ownSocket ? single : keeping, sent, {
          timeoutMs,
          maxBodyBytes: request.maxBodyBytes ?? limits.maxBodyBytes,
        }),
      );
    },
    async stream(request) {
      checkUrl(request.url, rules);
      const { keeping } = await agents();
      return traced(request, limits.sendsTrace, (sent) => streamed(keeping, sent));
    },
    close: async () => {
      // Opened even to be closed, so that later requests fail.
      const { keeping, single } = await agents();
      await Promise.all([keeping.destroy(), single.destroy()]);
    },
  };
}

interface Agents {
  /** Keeps sockets open for further requests. */
  readonly keeping: Agent;
  /** Opens a socket for each request. */
  readonly single: Agent;
}

async function openAgents(limits: typeof defaults, rules: AddressRules): Promise<Agents> {
  // Loaded on first use: a process whose systems are databases sends no requests.
  const { Agent } = await import('undici');
  const shared = {
    allowH2: false,
    connections: limits.connections,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: limits.connectTimeoutMs, lookup: guardedLookup(rules) },
  };
  // Without pipelining a socket serves one request only.
  return { keeping: new Agent(shared), single: new Agent({ ...shared, pipelining: 0 }) };
}

/** Sockets to literal addresses are opened without a lookup, so these are checked here. */
function checkUrl(url: URL, rules: AddressRules): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HttpFailure('forbidden', false, `${url.protocol} addresses are not called`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpFailure('forbidden', false, 'The address must not contain credentials');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayCall(host, host, rules)) throw failureOf(new AddressRefused(host, host), false);
}

/** Sends a request in a span, and with the headers that continue its trace. The span has no path, which may contain secrets. */
function traced<Request extends HttpRequest | StreamedRequest, Response extends { readonly status: number }>(
  request: Request,
  sendsTrace: boolean,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { method, url, headers } = request;
  const attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'url.scheme': url.protocol.slice(0, -1),
  };
  return inSpan(method, { kind: 'client', attributes }, async (span) => {
    const response = await send({ ...request, headers: { ...headers, ...(sendsTrace && traceHeaders()) } });
    span.set({ 'http.response.status_code': response.status });
    return response;
  });
}
