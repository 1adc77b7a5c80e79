import { codes } from './codes.ts';
import type { components } from './generated/types.ts';

/**
 * Codes that this package adds for what no answer of the service tells: `CLIENT_UNREACHABLE` (no answer came, after all
 * tries), `CLIENT_TIMEOUT` (`timeoutMs` passed; a write may still succeed, see `writeId`) and `CLIENT_UNREADABLE` (an
 * answer that is not the service's, such as a proxy's page).
 */
export type ClientCode = 'CLIENT_UNREACHABLE' | 'CLIENT_TIMEOUT' | 'CLIENT_UNREADABLE';

/** Codes of the service and of this package. Open: a newer server may answer with a code that is not listed here. */
export type ServiceErrorCode = components['schemas']['ErrorCode'] | ClientCode;

/** What an error says besides its code and message. */
interface ServiceErrorFacts {
  readonly status?: number | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly writeId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The one error that calls fail with. Branch on `code`; `message` is for logs. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** HTTP status of the code; 0 when no answer came. */
  readonly status: number;
  /** A hint for developers whose shape depends on the code. */
  readonly details: unknown;
  /** `X-Request-Id` of the answer, to be named in a report. */
  readonly requestId: string | undefined;
  /** Whether the same call, with the same idempotency key, can succeed later. */
  readonly retryable: boolean;
  /** Milliseconds that the service asked to wait before the next try, where it did. */
  readonly retryAfterMs: number | undefined;
  /** The write record that tells more, when the error concerns one. */
  readonly writeId: string | undefined;
  /** Key of the write that was asked for: the same call with it takes effect once, whatever became of this one. */
  readonly idempotencyKey: string | undefined;

  constructor(code: ServiceErrorCode, message: string, facts: ServiceErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? codes[code]?.status ?? 0;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryable = isRetryable(code, this.status);
    this.retryAfterMs = facts.retryAfterMs;
    this.writeId = facts.writeId;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/**
 * Whether a failure may pass: a known code says it itself. For an unknown code and for answers without one, such as a
 * proxy's, the status decides; a 429 without a code is a limit in front of the service.
 */
export function isRetryable(code: string | undefined, status: number): boolean {
  const known = code === undefined ? undefined : codes[code];
  if (known) return known.retryable;
  if (code === 'CLIENT_UNREACHABLE' || code === 'CLIENT_TIMEOUT') return true;
  return [502, 503, 504].includes(status) || (status === 429 && !code?.startsWith('SERVICE_'));
}
