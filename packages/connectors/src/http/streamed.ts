import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { failureOf } from './response-collector.ts';

/** A request whose body flows, and whose answer is read as it comes. `url` is as in `HttpRequest`. */
export interface StreamedRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Milliseconds for which neither side may be silent. */
  readonly idleMs: number;
}

/** An answer of which the body is still to be read, or destroyed. Names of headers are in lower case. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: Readable;
}

/** Sends one request; see `HttpClient.stream`. */
export async function streamed(agent: Dispatcher, request: StreamedRequest): Promise<StreamedResponse> {
  const { method, url, headers, body, idleMs } = request;
  try {
    const { statusCode, ...answer } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    });
    return { status: statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    // Whether anything left this machine cannot be told from here.
    throw failureOf(error, true);
  }
}
