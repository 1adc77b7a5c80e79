import { SystemError, type SystemErrorKind } from '../../system-error.ts';
import { LACKS_PART } from '../relation.ts';

/** Primary result codes of SQLite. All others are refusals. */
const kinds: ReadonlyMap<number, readonly [kind: SystemErrorKind, clientWords: string]> = new Map([
  [1, ['rejected', LACKS_PART]], // an error in the statement, such as a table that does not exist
  [3, ['forbidden', 'The connected system does not allow this']],
  [5, ['unavailable', 'Another user or process is changing the same data']], // locked by another process
  [6, ['unavailable', 'Another user or process is changing the same data']],
  [8, ['forbidden', 'The connection is read-only']],
  [11, ['invalid', 'The connected system had an internal error']], // the file is damaged
  [14, ['unavailable', 'The connected system cannot be reached']], // the file cannot be opened
  [26, ['unauthorized', 'The connected system does not have the database of the connection']], // another kind of file
]);

/** A statement that exceeded its timeout, and was ended. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
}

/** The meaning of a failed statement, by its result code, which may be an extended one. */
export function failureOf(code: number, message: string): SystemError {
  const [kind, clientWords] = kinds.get(code & 0xff) ?? ['rejected', 'The connected system refuses the request'];
  return new SystemError(kind, message, { clientWords });
}
