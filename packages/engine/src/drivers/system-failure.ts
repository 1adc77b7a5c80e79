import { type CompiledMapping, SystemError, type SystemErrorKind } from '@unified/connectors';
import { type ErrorCode, ServiceError } from '@unified/contract';
import type { StoredError } from '@unified/store';

const codes: Readonly<Record<SystemErrorKind, ErrorCode>> = {
  unavailable: 'SERVICE_SYSTEM_UNAVAILABLE',
  throttled: 'SERVICE_SYSTEM_RATE_LIMITED',
  conflict: 'SERVICE_CONFLICT',
  outdated: 'SERVICE_CONFLICT',
  unauthorized: 'SERVICE_SYSTEM_UNAUTHORIZED',
  forbidden: 'SERVICE_SYSTEM_FORBIDDEN',
  rejected: 'SERVICE_REJECTED',
  duplicate: 'SERVICE_DUPLICATE',
  'in-use': 'SERVICE_RECORD_IN_USE',
  partial: 'SERVICE_REJECTED',
  gone: 'SERVICE_RECORD_DELETED',
  payment: 'SERVICE_PAYMENT_REQUIRED',
  invalid: 'SERVICE_SYSTEM_INVALID',
  unknown: 'SERVICE_OUTCOME_UNKNOWN',
  unconfirmed: 'SERVICE_OUTCOME_UNKNOWN',
  unsearched: 'SERVICE_OUTCOME_UNKNOWN',
};

/** Ways in which a mapping uses paths that do not belong to fields of requests. */
const NO_FIELDS = ['where', 'onCreate', 'onWrite'];

/** The fields that columns of the connected system belong to. */
interface NamedColumns extends Pick<CompiledMapping, 'paths' | 'written'> {
  /** Names of the custom fields of the connection, which are also the names of their columns. */
  readonly customFields?: readonly string[];
}

/**
 * A failure as clients see it, with the message of the connected system if there is one. Columns that a refusal names are
 * replaced by the fields that are read from or written to them, in `details` as well; other columns are not named.
 */
export function failureOf(error: unknown, named?: NamedColumns): StoredError {
  if (error instanceof SystemError) {
    const { kind, clientWords, columns, changedRows } = error;
    const fields = named ? fieldsOf(columns, named) : [];
    const message = fields.length === 0 ? clientWords : `${clientWords}: ${fields.join(', ')}`;
    return { code: codes[kind], message, details: fields.map((field) => ({ field, ...changedRows })) };
  }
  if (error instanceof ServiceError) {
    const details = error.details === undefined ? [] : Array.isArray(error.details) ? error.details : [error.details];
    return { code: error.code, message: error.message, details };
  }
  return { code: 'SERVICE_INTERNAL', message: 'An internal error of this service.', details: [] };
}

function fieldsOf(columns: readonly string[], { paths, written, customFields = [] }: NamedColumns): string[] {
  const mapped = [...paths, ...written].filter(({ field, path }) => columns.includes(path) && /^[a-z]/.test(field));
  const custom = customFields.filter((name) => columns.includes(name)).map((name) => `customFields.${name}`);
  const fields = new Set([...mapped.map(({ field }) => field), ...custom]);
  return [...fields].filter((field) => !NO_FIELDS.includes(field));
}

const final: ReadonlySet<SystemErrorKind> = new Set([
  'forbidden',
  'rejected',
  'duplicate',
  'in-use',
  'partial',
  'outdated',
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
  return error.kind === 'unknown' || error.kind === 'invalid' || mustNotRepeat(error) || staysUnknown(error);
}

/** Whether a call that ended with this error must not be sent again, even if its effect is not found later. */
export function mustNotRepeat(error: unknown): boolean {
  return error instanceof SystemError && error.kind === 'unsearched';
}

/** Whether searching again cannot find the outcome of a call that ended with this error. */
export function staysUnknown(error: unknown): boolean {
  return error instanceof SystemError && error.kind === 'unconfirmed';
}

/** Seconds of the pause that the connected system requested. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof SystemError ? error.retryAfter : undefined;
}
