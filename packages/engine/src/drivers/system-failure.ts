import { type CompiledMapping, SystemError, type SystemErrorKind } from '@unified/connectors';
import { type ErrorCode, ServiceError } from '@unified/contract';
import type { WriteError } from '@unified/store';

const codes: Readonly<Record<SystemErrorKind, ErrorCode>> = {
  unavailable: 'SERVICE_SYSTEM_UNAVAILABLE',
  throttled: 'SERVICE_SYSTEM_RATE_LIMITED',
  conflict: 'SERVICE_CONFLICT',
  unauthorized: 'SERVICE_SYSTEM_UNAUTHORIZED',
  forbidden: 'SERVICE_SYSTEM_FORBIDDEN',
  rejected: 'SERVICE_REJECTED',
  duplicate: 'SERVICE_DUPLICATE',
  'in-use': 'SERVICE_RECORD_IN_USE',
  gone: 'SERVICE_RECORD_DELETED',
  payment: 'SERVICE_PAYMENT_REQUIRED',
  invalid: 'SERVICE_SYSTEM_INVALID',
  unknown: 'SERVICE_OUTCOME_UNKNOWN',
};

/** Uses of paths that are not fields of requests. */
const NO_FIELDS = ['where', 'onCreate'];

/**
 * A failure as the write record shows it, with the message of the connected system if there is one. Columns of a refusal
 * are replaced by the fields of `mapping` that are read from or written to them, in `details` as well.
 */
export function failureOf(error: unknown, mapping?: Pick<CompiledMapping, 'paths' | 'written'>): WriteError {
  if (error instanceof SystemError) {
    const { kind, words, columns } = error;
    const mapped = mapping ? [...mapping.paths, ...mapping.written] : [];
    const named = mapped.filter(({ field, path }) => columns.includes(path) && /^[a-z]/.test(field));
    const fields = [...new Set(named.map(({ field }) => field))].filter((field) => !NO_FIELDS.includes(field));
    const message = fields.length === 0 ? words : `${words}: ${fields.join(', ')}`;
    return { code: codes[kind], message, details: fields.map((field) => ({ field })) };
  }
  if (error instanceof ServiceError) {
    const details = error.details === undefined ? [] : Array.isArray(error.details) ? error.details : [error.details];
    return { code: error.code, message: error.message, details };
  }
  return { code: 'SERVICE_INTERNAL', message: 'An internal error of this service.', details: [] };
}

const final: ReadonlySet<SystemErrorKind> = new Set([
  'forbidden',
  'rejected',
  'duplicate',
  'in-use',
  'gone',
  'payment',
]);

/** Whether the request would fail again if it were repeated. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ServiceError) return !error.retryable;
  return error instanceof SystemError && final.has(error.kind);
}

/** Whether the connected system was reached and refused a write. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SystemError && (final.has(error.kind) || error.kind === 'conflict');
}

/** Whether a call that ended with this error may have taken effect. */
export function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof SystemError)) return true;
  return error.kind === 'unknown' || error.kind === 'invalid';
}

/** Seconds of the pause that the connected system requested. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof SystemError ? error.retryAfter : undefined;
}
