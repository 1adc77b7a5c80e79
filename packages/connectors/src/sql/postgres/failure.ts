import pg from 'pg';
import { SystemError, type SystemErrorKind } from '../../system-error.ts';
import { clientWordsOf } from './client-words.ts';
import { explain } from './explain.ts';

/** SQLSTATE classes and codes, most specific first. */
const kinds: readonly (readonly [prefix: string, kind: SystemErrorKind])[] = [
  ['28', 'unauthorized'], // invalid authorization
  ['3D', 'unauthorized'], // no such database
  ['3F', 'unauthorized'], // no such schema
  ['25006', 'forbidden'], // the session is read-only
  ['42501', 'forbidden'], // insufficient privilege
  ['23505', 'duplicate'], // unique violation
  ['40', 'conflict'], // serialization failure, deadlock
  ['53', 'unavailable'], // insufficient resources
  ['55P03', 'conflict'], // lock not available
  ['57', 'unavailable'], // cancelled by timeout, shutdown, starting up
  ['58', 'unavailable'], // system error
  ['08', 'unavailable'], // connection exception
  ['XX', 'invalid'], // internal error
];

/**
 * The meaning of a failed statement. A transaction that was not committed has no effect, so even a timeout is certain; only a
 * connection that breaks during the commit is uncertain.
 */
export function failureOf(
  cause: unknown,
  options: { readonly committing: boolean; readonly columns?: readonly string[] },
): SystemError {
  if (cause instanceof SystemError) return cause;
  const code = codeOf(cause);
  const words = wordsOf(cause, code);
  const details = {
    cause,
    clientWords: clientWordsOf(cause),
    columns: options.columns ?? [],
    explanation: explain(code, cause instanceof Error ? cause.message : ''),
  };
  const broken = !isReported(cause) || code.startsWith('57') || code.startsWith('08');
  if (options.committing && broken) return new SystemError('unknown', words, details);
  if (code === 'ERR_INVALID_URL') return new SystemError('unauthorized', 'The connection string cannot be parsed');
  if (!isReported(cause)) return new SystemError('unavailable', words, details);
  const kind = kinds.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'rejected';
  return new SystemError(kind, words, details);
}

/** SQLSTATE, or the code of the operating system; empty when there is none. */
export function codeOf(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : '';
  return typeof code === 'string' ? code : '';
}

/** Whether the error was reported by the database and not by the connection. */
export function isReported(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError;
}

/** Violations whose detail names the value. The detail of a failed check is the whole row. */
const WITH_VALUE = ['23503', '23505'];

/** Message of a failed statement, as the database reports it. */
export function wordsOf(cause: unknown, code: string = codeOf(cause)): string {
  if (!(cause instanceof Error) || cause.message === '') return 'The database cannot be reached';
  const detail = WITH_VALUE.includes(code) && 'detail' in cause ? cause.detail : undefined;
  return typeof detail === 'string' ? `${cause.message}: ${detail}` : cause.message;
}
