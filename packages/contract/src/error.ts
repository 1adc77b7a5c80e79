import { type ErrorCode, errorTable } from '../generated/errors.ts';

export { type ErrorCode, errorTable };

/**
 * The error of every response that is not a success. It can be thrown anywhere and is turned into HTTP in one place.
 *
 * `message` states what to do; `details` is JSON for developers; `retryAfter` is in seconds.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: unknown; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }

  /** HTTP status of the code, from the table of the document. */
  get status(): number {
    return errorTable[this.code].status;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }
}
