import { SystemError, type SystemErrorKind } from '../../system-error.ts';
import { clientWordsOf } from './client-words.ts';
import { explain } from './explain.ts';
import { numberOf } from './failure-number.ts';

/** Errors of the server, by number. All others are refusals. */
const kinds: ReadonlyMap<number, SystemErrorKind> = new Map([
  ...numbered('unauthorized', [1044, 1045, 1046, 1049, 1130, 1251, 1698, 1820, 1862]),
  ...numbered('forbidden', [1142, 1143, 1227, 1290, 1370, 1792, 1836]),
  ...numbered('duplicate', [1062, 1586]),
  ...numbered('conflict', [1205, 1213, 1020, 1412, 3572]),
  // Too many connections, shutdown, a killed or interrupted statement, a timeout, a full disk.
  ...numbered('unavailable', [1021, 1040, 1053, 1129, 1203, 1226, 1317, 1927, 1969, 1077, 1079, 3024, 3169]),
]);

/** Errors after which the server has ended the connection. */
const ENDED: ReadonlySet<number> = new Set([1053, 1077, 1079, 1927, 3169]);

/**
 * The meaning of a failed statement. A transaction that was not committed has no effect, so even a timeout is certain. A commit
 * that failed is certain only if the server undid the transaction because of another one: it may report an interruption, such as
 * of replication, after the commit.
 */
export function failureOf(
  cause: unknown,
  options: { readonly committing: boolean; readonly columns?: readonly string[] },
): SystemError {
  if (cause instanceof SystemError) return cause;
  const number = numberOf(cause);
  const details = {
    cause,
    clientWords: clientWordsOf(cause),
    columns: options.columns ?? [],
    explanation: explain(number, codeOf(cause)),
  };
  const broken = number === 0 || ENDED.has(number);
  const kind = broken ? 'unavailable' : (kinds.get(number) ?? 'rejected');
  const isUncertain = options.committing && kind !== 'conflict' && kind !== 'duplicate';
  return new SystemError(isUncertain ? 'unknown' : kind, wordsOf(cause), details);
}

/** Code of a failed connection, as the client or the operating system names it. */
function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Message of a failed statement, as the database reports it. */
export function wordsOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : 'The database cannot be reached';
}

function numbered(kind: SystemErrorKind, numbers: readonly number[]): [number, SystemErrorKind][] {
  return numbers.map((number) => [number, kind]);
}
