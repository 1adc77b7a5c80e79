import { answerError } from './answer-error.ts';
import type { Delay } from './delay.ts';
import { ServiceError } from './service-error.ts';

/** A request of the short form. `path` is below the version segment, its values encoded. */
export interface ApiRequest {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A good answer; `body` is its JSON, undefined when it has none. */
export interface ApiAnswer {
  readonly response: Response;
  readonly body: unknown;
}

/** What the short form is made of. */
export interface Api {
  /** Sends; rejects with a `ServiceError` for every answer that is not good. */
  call(request: ApiRequest): Promise<ApiAnswer>;
  /** The same for an answer that is no JSON. */
  fetch(request: ApiRequest): Promise<Response>;
  readonly timeoutMs: number;
  readonly delay: Delay;
}

/** The fetch client without its types, as the short form knows the paths only at run time. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>;
}

/** Sends through the fetch client and reads what comes. */
export async function call(client: UntypedClient, request: ApiRequest): Promise<ApiAnswer> {
  const { response, data } = await send(client, request, 'text');
  return { response, body: parsed(response, data) };
}

/** Sends through the fetch client; what comes is still to be read. */
export async function fetchAnswer(client: UntypedClient, request: ApiRequest): Promise<Response> {
  return (await send(client, request, 'stream')).response;
}

async function send(client: UntypedClient, request: ApiRequest, parseAs: 'text' | 'stream') {
  const { method, path, query, headers, body, signal } = request;
  const init = { params: { query }, headers, body, parseAs, ...(signal && { signal }) };
  const { data, error, response } = await client.request(method, path, init);
  if (!response.ok) throw answerError(response, error);
  return { response, data };
}

function parsed(response: Response, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    throw new ServiceError('CLIENT_UNREADABLE', `The response ${status} is not JSON.`, { status, cause });
  }
}
