import type { DataPosition } from './data-position.ts';
import type { Delay } from './delay.ts';
import { notFromService, responseError } from './response-error.ts';
import { ServiceError } from './service-error.ts';

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

/** The fetch client without its types, since the paths are known only at run time. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>;
}

/** Sends a request with the fetch client and reads the response. */
export async function call(client: UntypedClient, request: ApiRequest): Promise<ApiResponse> {
  const { response, data } = await send(client, request, 'text');
  return { response, body: parsed(response, data) };
}

/** Sends a request with the fetch client; the response is not read yet. */
export async function fetchResponse(client: UntypedClient, request: ApiRequest): Promise<Response> {
  return (await send(client, request, 'stream')).response;
}

async function send(client: UntypedClient, request: ApiRequest, parseAs: 'text' | 'stream') {
  const { method, path, query, headers, body, signal } = request;
  const init = { params: { query }, headers, body, parseAs, ...(signal && { signal }) };
  const { data, error, response } = await client.request(method, path, init);
  // 304 is a success: only a request with `If-None-Match` gets it.
  if (!response.ok && response.status !== 304) throw responseError(response, error);
  return { response, data };
}

function parsed(response: Response, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    throw new ServiceError('CLIENT_UNREADABLE', notFromService(response), { status, cause });
  }
}
