import { type ErrorCode, ServiceError } from '@unified/contract';
import { InsufficientScope } from '../../operations/token-limits.ts';

/** Errors of a token that was sent, but is not valid. */
const INVALID: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SERVICE_UNAUTHORIZED', 'SERVICE_TOKEN_EXPIRED']);

interface Refused {
  readonly authorization?: string | undefined;
  /** Address of the metadata of the resource (RFC 9728); absent if it has none. */
  readonly metadata?: string;
}

/**
 * The header of a response to a refused bearer token (RFC 6750, section 3), by which clients decide whether to renew it. It is
 * empty without a token, unless clients find there where tokens are issued, and if the request was refused for another reason.
 */
export function bearerChallenge(
  error: unknown,
  { authorization, metadata }: Refused,
): Readonly<Record<string, string>> {
  const more = metadata === undefined ? [] : [`resource_metadata="${metadata}"`, 'scope="mcp"'];
  if (error instanceof InsufficientScope) return challenge('error="insufficient_scope"', `scope="${error.scope}"`);
  if (!(error instanceof ServiceError && INVALID.has(error.code))) return {};
  if (authorization === undefined) return metadata === undefined ? {} : challenge(...more);
  return challenge('error="invalid_token"', ...more);
}

function challenge(...parameters: readonly string[]) {
  return { 'WWW-Authenticate': `Bearer ${['realm="unified"', ...parameters].join(', ')}` };
}
