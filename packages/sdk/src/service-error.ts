import { retryableByCode } from './generated/codes.ts';
import type { components } from './generated/types.ts';
import { isTemporary } from './is-temporary.ts';

/**
 * Codes of this package for errors without a response from the service: `CLIENT_UNREACHABLE` (no response after all
 * attempts), `CLIENT_TIMEOUT` (`timeoutMs` passed; a write may still succeed, see `writeId`) and `CLIENT_UNREADABLE` (a
 * response that is not from the service, such as a page from a proxy).
 */
export type ClientCode = 'CLIENT_UNREACHABLE' | 'CLIENT_TIMEOUT' | 'CLIENT_UNREADABLE';

/** Codes of the service and of this package. Open: a newer server may return a code that is not listed here. */
export type ServiceErrorCode = components['schemas']['ErrorCode'] | ClientCode;

/** Properties of an error besides its code and message. */
interface ServiceErrorFacts {
  readonly status?: number | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly writeId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The error of all calls. Branch on `code`; `message` is for logs. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** HTTP status of the code; 0 without a response. */
  readonly status: number;
  /** A hint for developers; its shape depends on the code. */
  readonly details: unknown;
  /** `X-Request-Id` of the response; include it in reports. */
  readonly requestId: string | undefined;
  /** Whether the same call, with the same idempotency key, can succeed later. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next attempt, if the service requested it. */
  readonly retryAfterMs: number | undefined;
  /** Id of the write record, if the error concerns one. */
  readonly writeId: string | undefined;
  /**
   * Key of the requested write: a call with the same key takes effect at most once, whatever the outcome of this one.
   */
  readonly idempotencyKey: string | undefined;

  constructor(code: ServiceErrorCode, message: string, facts: ServiceErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryable = isRetryable(code, this.status);
    this.retryAfterMs = facts.retryAfterMs;
    this.writeId = facts.writeId;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/**
 * Whether an error is temporary. The status decides, except for a few codes. A 429 without a code of the service is the rate
 * limit of a proxy.
 */
export function isRetryable(code: string | undefined, status: number): boolean {
  if (code === 'CLIENT_UNREACHABLE' || code === 'CLIENT_TIMEOUT') return true;
  if (status === 429 && !code?.startsWith('SERVICE_')) return true;
  return retryableByCode.get(code) ?? isTemporary(status);
}
