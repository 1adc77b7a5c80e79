import { KEY } from './idempotency-key.ts';
import { ServiceError } from './service-error.ts';
import { retryAfterOf } from './wait-before-retry.ts';

/** The error of a response with status 400 or higher; `body` is the part of it that could be read. */
export function responseError(response: Response, body: unknown): ServiceError {
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  const retryAfterMs = retryAfterOf(response);
  const idempotencyKey = response.headers.get(KEY) ?? undefined;
  const facts = { status: response.status, requestId, retryAfterMs, writeId: writeIdOf(response), idempotencyKey };
  const { code, message, details } = isObject(body) ? body : {};
  if (typeof code !== 'string') {
    return new ServiceError('CLIENT_UNREADABLE', notFromService(response), { ...facts, details: body });
  }
  return new ServiceError(code, typeof message === 'string' ? message : code, { ...facts, details });
}

/** One of these is in every error of the service: the others are those of OAuth (RFC 6749) and JSON-RPC. */
const NAMES = ['code', 'error_description', 'jsonrpc'];

/** The error that a call by path returns: that of the service, or one that describes a response from something else. */
export async function returnedError(response: Response): Promise<object> {
  const body = await errorBody(response);
  return isObject(body) && NAMES.some((name) => typeof body[name] === 'string')
    ? body
    : { code: 'CLIENT_UNREADABLE', message: notFromService(response), details: body };
}

/** The body of an error: JSON if it can be parsed, otherwise text; undefined if there is none. */
export async function errorBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}

/** The message for a response that something other than the service has sent, such as a proxy or another server. */
export function notFromService({ status, url }: Response): string {
  return `The response ${status} of ${url.replace(/[?#].*/, '')} is not from the service. Check \`baseUrl\`.`;
}

/** The write record that a response names. */
export function writeIdOf({ headers }: Response): string | undefined {
  return headers.get('Write-Id') ?? undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
