import { addressOf } from './address-of.ts';
import { idempotencyKey, KEY } from './idempotency-key.ts';
import { userAgent } from './user-agent.ts';

/** A request that can be sent several times, although a body can be sent only once. */
export interface PreparedRequest {
  readonly signal: AbortSignal;
  /** Whether the request can be repeated safely when the outcome of an earlier attempt is unknown. */
  readonly repeatable: boolean;
  /** An equal request for each attempt; a token that the caller has set is kept. */
  make(token: string, signal: AbortSignal): Request;
}

/**
 * Reads the body, adds an idempotency key to a write, unless it has one or its operation accepts none, and sets a `User-Agent`
 * with this package and its version if the runtime allows it.
 */
export async function prepareRequest(request: Request, withoutKey: readonly string[]): Promise<PreparedRequest> {
  const writes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const body = writes ? await request.clone().arrayBuffer() : undefined;
  const headers = new Headers(request.headers);
  const repeatable = request.method !== 'POST' || !withoutKey.some((path) => matches(path, request));
  if (writes && repeatable && !headers.has(KEY)) headers.set(KEY, idempotencyKey());
  const agent = userAgent();
  if (agent !== undefined && !headers.has('User-Agent')) headers.set('User-Agent', agent);
  const own = headers.has('Authorization');
  return {
    signal: request.signal,
    repeatable,
    make: (token, signal) => {
      if (!own) headers.set('Authorization', `Bearer ${token}`);
      return new Request(request, { headers, signal, ...(body?.byteLength ? { body } : {}) });
    },
  };
}

/** Whether the request goes to a path such as `/tools/:/execute`; `:` stands for one segment. */
function matches(path: string, request: Request): boolean {
  return new RegExp(`${addressOf(path).replaceAll(':', '[^/]+')}$`).test(new URL(request.url).pathname);
}
