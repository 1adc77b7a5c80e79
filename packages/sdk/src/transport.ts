import { isObject } from './answer-error.ts';
import { type Bearer, bearer, type Token } from './bearer.ts';
import { deadline } from './deadline.ts';
import { type Delay, delay as wait } from './delay.ts';
import { unkeyed } from './generated/collections.ts';
import { KEY } from './idempotency-key.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';
import { isRetryable, ServiceError } from './service-error.ts';
import { retryAfterOf, waitBeforeRetry } from './wait-before-retry.ts';

/** How requests are sent. */
export interface TransportOptions {
  readonly token: Token;
  /** What sends one request; `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How often a failed request is repeated; 4 by default. */
  readonly retries?: number | undefined;
  /** Milliseconds that one answer, or the outcome of a write, is waited for; 60 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How to wait between tries; to be replaced in tests. */
  readonly delay?: Delay | undefined;
}

interface Settings {
  readonly bearer: Bearer;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly delay: Delay;
}

/** One try: its answer, or why there is none. */
type Outcome = { readonly response: Response } | { readonly failure: ServiceError };

/**
 * Sends requests with a token and, for writes, an idempotency key that stays the same over all tries. Repeats what may
 * pass, and answers the last answer there was, good or bad.
 *
 * @param withoutKey Addresses of POST operations that take no idempotency key and are not repeated blindly.
 * @throws {ServiceError} `CLIENT_UNREACHABLE` or `CLIENT_TIMEOUT` when the last try had no answer.
 */
export function transport(
  options: TransportOptions,
  withoutKey: readonly string[] = unkeyed,
): (request: Request) => Promise<Response> {
  const settings: Settings = {
    bearer: bearer(options.token),
    fetch: options.fetch ?? ((request) => fetch(request)),
    retries: options.retries ?? 4,
    timeoutMs: options.timeoutMs ?? 60_000,
    delay: options.delay ?? wait,
  };
  return async (request) => send(settings, await prepareRequest(request, withoutKey));
}

async function send(settings: Settings, request: PreparedRequest): Promise<Response> {
  let token = await settings.bearer.current();
  let renewed = false;
  for (let attempt = 1; ; attempt++) {
    let outcome = await tried(settings, request, token);
    if ('response' in outcome && outcome.response.status === 401 && !renewed) {
      renewed = true;
      const other = await settings.bearer.renewed(token);
      if (other !== undefined) {
        token = other;
        outcome = await tried(settings, request, token);
      }
    }
    const pause = await pauseAfter(settings, request, outcome, attempt);
    if (pause === undefined) {
      if ('failure' in outcome) throw outcome.failure;
      return outcome.response;
    }
    await settings.delay(pause, request.signal);
  }
}

/** One try, its answer read to the end: an answer that breaks off is as good as none. */
async function tried(settings: Settings, prepared: PreparedRequest, token: string): Promise<Outcome> {
  const timeout = deadline(settings.timeoutMs);
  const request = prepared.make(token, AbortSignal.any([prepared.signal, timeout]));
  const idempotencyKey = request.headers.get(KEY) ?? undefined;
  try {
    const response = await settings.fetch(request);
    const body = await response.arrayBuffer();
    const read = new Response(body.byteLength > 0 ? body : null, response);
    // An error that is made of the answer names the key, as one without an answer does.
    if (idempotencyKey !== undefined) read.headers.set(KEY, idempotencyKey);
    return { response: read };
  } catch (cause) {
    prepared.signal.throwIfAborted();
    const facts = { cause, idempotencyKey };
    const place = `${request.method} ${request.url.replace(/[?#].*/, '')}`;
    const failure = timeout.aborted
      ? new ServiceError('CLIENT_TIMEOUT', `${place} received no response within ${settings.timeoutMs} ms.`, facts)
      : new ServiceError('CLIENT_UNREACHABLE', `${place} did not reach the service.`, facts);
    return { failure };
  }
}

/**
 * Milliseconds to wait before the next try; undefined when this outcome stands. An answer that asks for more patience
 * than `timeoutMs` stands too: the caller hears it at once. A request that may have had an effect and has no key is not
 * repeated; after a 429 nothing was done.
 */
async function pauseAfter(
  settings: Settings,
  request: PreparedRequest,
  outcome: Outcome,
  attempt: number,
): Promise<number | undefined> {
  if (attempt > settings.retries) return undefined;
  if ('failure' in outcome) return request.repeatable ? waitBeforeRetry(attempt, 0) : undefined;
  const { response } = outcome;
  if (response.ok || !isRetryable(await codeOf(response), response.status)) return undefined;
  if (!request.repeatable && response.status !== 429) return undefined;
  const retryAfter = retryAfterOf(response) ?? 0;
  return retryAfter > settings.timeoutMs ? undefined : waitBeforeRetry(attempt, retryAfter);
}

async function codeOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return isObject(body) && typeof body.code === 'string' ? body.code : undefined;
}
