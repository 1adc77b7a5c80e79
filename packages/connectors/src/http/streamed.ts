import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { failureOf } from './response-collector.ts';

/** A request with a streamed body and a streamed response. `url` is as in `HttpRequest`. */
export interface StreamedRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Maximum milliseconds without data from either side. */
  readonly idleMs: number;
}

/** A response whose body must still be read or destroyed. Names of headers are in lower case. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: Readable;
}

/** Sends one request; see `HttpClient.stream`. */
export async function streamed(agent: Dispatcher, request: StreamedRequest): Promise<StreamedResponse> {
  const { method, url, headers, body, idleMs } = request;
  try {
    const { statusCode, ...response } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    });
    return { status: statusCode, headers: response.headers, body: response.body };
  } catch (error) {
    // At this point, it is unknown whether anything was sent.
    throw failureOf(error, true);
  }
}
