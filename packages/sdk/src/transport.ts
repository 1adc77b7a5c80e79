import { type Bearer, bearer, type Token } from './bearer.ts';
import { DataPosition } from './data-position.ts';
import { deadline } from './deadline.ts';
import { type Delay, delay as wait } from './delay.ts';
import { unkeyed } from './generated/collections.ts';
import { KEY } from './idempotency-key.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';
import { isObject } from './response-error.ts';
import { isRetryable, ServiceError } from './service-error.ts';
import { unreachable } from './unreachable.ts';
import { retryAfterOf, waitBeforeRetry } from './wait-before-retry.ts';

/** How requests are sent. */
export interface TransportOptions {
  readonly token: Token | Bearer;
  /** Sends one request; `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Maximum number of retries; 4 by default. */
  readonly retries?: number | undefined;
  /** Milliseconds to wait for a response, or for the outcome of a write; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Waits between attempts; replaced in tests. */
  readonly delay?: Delay | undefined;
}

interface Settings {
  readonly bearer: Bearer;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly delay: Delay;
  readonly position: DataPosition;
}

/** One attempt: its response, or the reason why there is none. */
type Outcome = { readonly response: Response } | { readonly failure: ServiceError; readonly isLasting?: boolean };

/**
 * Sends requests with a token and, for writes, an idempotency key that is the same for all attempts. Retries temporary
 * errors and returns the last response, successful or not.
 *
 * @param withoutKey Paths of POST operations that accept no idempotency key and are not repeated blindly.
 * @param position The newest position of the data, which is sent with each request, and updated by each response.
 * @throws {ServiceError} `CLIENT_UNREACHABLE` or `CLIENT_TIMEOUT` if the last attempt had no response.
 */
export function transport(
  options: TransportOptions,
  withoutKey: readonly string[] = unkeyed,
  position: DataPosition = new DataPosition(),
): (request: Request) => Promise<Response> {
  const settings: Settings = {
    bearer: bearer(options.token),
    fetch: options.fetch ?? ((request) => fetch(request)),
    retries: options.retries ?? 4,
    timeoutMs: options.timeoutMs ?? 60_000,
    delay: options.delay ?? wait,
    position,
  };
  return async (request) => send(settings, await prepareRequest(request, withoutKey));
}

async function send(settings: Settings, request: PreparedRequest): Promise<Response> {
  let token = await settings.bearer.current();
  let renewed = false;
  for (let attempt = 1; ; attempt++) {
    let outcome = await tried(settings, request, token, attempt);
    if ('response' in outcome && outcome.response.status === 401 && !renewed) {
      renewed = true;
      const other = await settings.bearer.renewed(token);
      if (other !== undefined) {
        token = other;
        outcome = await tried(settings, request, token, attempt);
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

/** One attempt. The response is read to the end, unless it is a stream; an incomplete one counts as none. */
async function tried(settings: Settings, prepared: PreparedRequest, token: string, attempt: number): Promise<Outcome> {
  const timeout = deadline(settings.timeoutMs);
  const request = prepared.make(token, AbortSignal.any([prepared.signal, timeout]));
  settings.position.addTo(request.headers);
  const idempotencyKey = request.headers.get(KEY) ?? undefined;
  try {
    const response = await settings.fetch(request);
    settings.position.noteOf(response);
    if (isEventStream(response)) return { response };
    const body = await response.arrayBuffer();
    // Browsers hide the status of a redirect.
    const known = response.type === 'opaqueredirect' ? { status: 302 } : response;
    const read = new Response(body.byteLength > 0 ? body : null, known);
    // Errors name the address, which is missing from a response that a program creates.
    Object.defineProperty(read, 'url', { value: response.url || request.url });
    // Errors have the key, with or without a response.
    if (idempotencyKey !== undefined) read.headers.set(KEY, idempotencyKey);
    return { response: read };
  } catch (cause) {
    prepared.signal.throwIfAborted();
    const facts = { cause, idempotencyKey };
    const place = `${request.method} ${request.url.replace(/[?#].*/, '')}`;
    if (timeout.aborted) {
      const message = `${place} received no response within ${settings.timeoutMs} ms.`;
      return { failure: new ServiceError('CLIENT_TIMEOUT', message, facts) };
    }
    const { reason, isLasting } = unreachable(cause);
    const tries = attempt === 1 ? '1 attempt' : `${attempt} attempts`;
    const why = reason === '' ? '' : `: ${reason}`;
    const message = `${place} got no response in ${tries}${why}. Check \`baseUrl\`, and that the server is running.`;
    return { failure: new ServiceError('CLIENT_UNREACHABLE', message, facts), isLasting };
  }
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('Content-Type') ?? '').startsWith('text/event-stream');
}

/**
 * Milliseconds to wait before the next attempt; undefined if this outcome is final. It is also final if the response requests a
 * wait longer than `timeoutMs`, and for a failure that other attempts do not change. A request without a key that may have had an
 * effect is not repeated; after a 429, nothing was done.
 */
async function pauseAfter(
  settings: Settings,
  request: PreparedRequest,
  outcome: Outcome,
  attempt: number,
): Promise<number | undefined> {
  if (attempt > settings.retries) return undefined;
  if ('failure' in outcome) return request.repeatable && !outcome.isLasting ? waitBeforeRetry(attempt, 0) : undefined;
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
