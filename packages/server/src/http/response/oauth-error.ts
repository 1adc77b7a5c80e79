import { type OperationId, ServiceError } from '@unified/contract';
import type { HttpResponse } from '../../http-response.ts';
import { OAuthFault } from '../../oauth/oauth-fault.ts';
import { errorResponse } from './error-response.ts';

/** Operations whose errors have the format of RFC 6749. */
const OPERATIONS: ReadonlySet<string> = new Set<OperationId>(['issueToken', 'revokeToken']);
/** Seconds after which a client may retry, if nothing else is known. */
const RETRY_AFTER = 5;

/** Whether the errors of an operation have the format of RFC 6749. */
export function hasOAuthErrors(operation: { readonly id: string } | undefined): boolean {
  return operation !== undefined && OPERATIONS.has(operation.id);
}

/**
 * The response for an error in the format of RFC 6749, section 5.2: a request that cannot be read is an `invalid_request`, a
 * failure of the service a `server_error`. A request over its limit is refused in the same way as on every surface.
 */
export function oauthErrorResponse(error: unknown): HttpResponse {
  if (error instanceof OAuthFault) {
    if (error.kind !== 'invalid_client') return refusal(400, error.kind, error.message);
    return refusal(401, error.kind, error.message, { 'WWW-Authenticate': 'Basic realm="unified"' });
  }
  if (error instanceof ServiceError && error.status < 500) {
    return error.code === 'SERVICE_RATE_LIMITED'
      ? errorResponse(error)
      : refusal(400, 'invalid_request', error.message);
  }
  const retryAfter = (error instanceof ServiceError ? error.retryAfter : undefined) ?? RETRY_AFTER;
  const message = 'The service failed temporarily. Retry with backoff.';
  return refusal(503, 'server_error', message, { 'Retry-After': String(retryAfter) });
}

/** `error_description` may contain printable ASCII except `"` and a backslash. */
function refusal(status: number, error: string, message: string, headers: HttpResponse['headers'] = {}): HttpResponse {
  const description = message.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?');
  return { status, headers, body: { error, error_description: description } };
}
