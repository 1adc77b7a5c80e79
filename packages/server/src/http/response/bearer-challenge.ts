import { type ErrorCode, ServiceError } from '@unified/contract';
import { InsufficientScope } from '../../operations/token-limits.ts';

/** Errors of a token that was sent, but is not valid. */
const INVALID: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SERVICE_UNAUTHORIZED', 'SERVICE_TOKEN_EXPIRED']);

/**
 * The header of a response to a refused bearer token (RFC 6750, section 3), by which clients decide whether to renew it. Without a
 * token it states the scheme only. Empty if the request was refused for another reason.
 */
export function bearerChallenge(
  error: unknown,
  { authorization }: { readonly authorization?: string | undefined },
): Readonly<Record<string, string>> {
  if (error instanceof InsufficientScope) return challenge('insufficient_scope', `, scope="${error.scope}"`);
  if (!(error instanceof ServiceError && INVALID.has(error.code)) || authorization === undefined) return {};
  return challenge('invalid_token');
}

function challenge(error: string, more = '') {
  return { 'WWW-Authenticate': `Bearer realm="unified", error="${error}"${more}` };
}
