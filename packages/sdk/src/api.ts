import type { DataPosition } from './data-position.ts';
import type { Delay } from './delay.ts';
import { requestOf } from './request-of.ts';
import { errorBody, responseError } from './response-error.ts';
import { responseJson } from './response-json.ts';

/** A request. `path` is below the version segment, with encoded values. */
export interface ApiRequest {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A successful response; `body` is its JSON, or undefined. */
export interface ApiResponse {
  readonly response: Response;
  readonly body: unknown;
}

/** The functions that the calls of collections use. */
export interface Api {
  /** Sends a request; rejects with a `ServiceError` for every response that is not a success. */
  call(request: ApiRequest): Promise<ApiResponse>;
  /** The same for a response that is not JSON. */
  fetch(request: ApiRequest): Promise<Response>;
  /** The same for a stream, without a time limit and without retries. */
  stream(request: ApiRequest): Promise<Response>;
  readonly timeoutMs: number;
  readonly delay: Delay;
  /** The newest position of the data that the client knows; events of a stream add to it. */
  readonly position: Pick<DataPosition, 'note'>;
}

/** A server and how requests are sent to it. */
export interface Server {
  /** Address of the paths of requests. */
  readonly base: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Sends a request and reads the response as JSON. */
export async function call(server: Server, request: ApiRequest): Promise<ApiResponse> {
  const response = await fetchResponse(server, request);
  return { response, body: await responseJson(response) };
}

/** Sends a request; a successful response is not read yet. */
export async function fetchResponse({ base, fetch }: Server, request: ApiRequest): Promise<Response> {
  const { method, path, query, ...parts } = request;
  const response = await fetch(requestOf(base + path, method, { params: { query }, ...parts }));
  // 304 is a success: only a request with `If-None-Match` gets it.
  if (!response.ok && response.status !== 304) throw responseError(response, await errorBody(response));
  return response;
}
