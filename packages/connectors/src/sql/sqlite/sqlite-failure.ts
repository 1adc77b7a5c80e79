import { SystemError, type SystemErrorKind } from '../../system-error.ts';
import { LACKS_PART } from '../relation.ts';

type Meaning = readonly [kind: SystemErrorKind, clientWords: string];

/** Primary result codes of SQLite. All others are refusals. */
const kinds: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [1, ['rejected', LACKS_PART]], // an error in the statement, such as a table that does not exist
  [3, ['forbidden', 'The connected system does not allow this']],
  [5, ['unavailable', 'Another user or process is changing the same data']], // locked by another process
  [6, ['unavailable', 'Another user or process is changing the same data']],
  [8, ['forbidden', 'The connection is read-only']],
  [10, ['unavailable', 'The connected system is not available']], // the file cannot be read or written
  [11, ['invalid', 'The connected system had an internal error']], // the file is damaged
  [13, ['unavailable', 'The connected system is not available']], // the disk is full
  [14, ['unavailable', 'The connected system cannot be reached']], // the file cannot be opened
  [26, ['unauthorized', 'The connected system does not have the database of the connection']], // another kind of file
]);

const REFUSED: Meaning = ['rejected', 'The connected system refuses the request'];
const DUPLICATE: Meaning = ['duplicate', 'The connected system has a record with the same value'];
const RULE: Meaning = ['rejected', 'A rule of the connected system does not allow a value'];

/** RAISE in a trigger, whose message was written for users. */
const RAISED = 1811;

export const FOREIGN_KEY = 787;
export const UNIQUE_KEYS: ReadonlySet<number> = new Set([1555, 2067, 2579]);

/** Extended result codes of violated constraints. */
const constraints: ReadonlyMap<number, Meaning> = new Map([
  ...[...UNIQUE_KEYS].map((code) => [code, DUPLICATE] as const),
  [FOREIGN_KEY, ['rejected', 'The connected system has no record that this one refers to']],
  [1299, ['rejected', 'The connected system requires a value that is missing']],
  [275, RULE],
  [3091, ['rejected', 'The connected system cannot store a value in this form']], // the type of a column in a STRICT table
]);

/** A statement that exceeded its timeout, and was ended. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
}

/** A failure that SQLite reported, with its extended result code. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Extended result code of a failure; 0 if SQLite did not report it. */
export function codeOf(error: unknown): number {
  const original = error instanceof SystemError ? error.cause : error;
  return original instanceof SqliteError ? original.code : 0;
}

const BUSY = 5;
const CONSTRAINT = 19;

/** Whether a COMMIT that failed had no effect. After another failure, such as of the disk, the transaction may be committed. */
export function isUndone(error: unknown): boolean {
  const primary = codeOf(error) & 0xff;
  return primary === BUSY || primary === CONSTRAINT;
}

/** The meaning of a failed statement, by its result code, which may be an extended one. */
export function failureOf(code: number, message: string): SystemError {
  const [kind, clientWords] = constraints.get(code) ?? kinds.get(code & 0xff) ?? REFUSED;
  const words = code === RAISED ? message : clientWords;
  return new SystemError(kind, message, { clientWords: words, cause: new SqliteError(code, message) });
}
