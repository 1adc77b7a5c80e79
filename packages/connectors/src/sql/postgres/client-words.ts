import pg from 'pg';
import { LACKS_PART } from '../relation.ts';

/**
 * The meaning of what PostgreSQL reports, by SQLSTATE; most specific first. The texts contain no names from the connected
 * database.
 */
const meanings: readonly (readonly [prefix: string, words: string])[] = [
  ['23502', 'The connected system requires a value that is missing'],
  ['23503', 'The connected system has no record that this one refers to'],
  ['23505', 'The connected system has a record with the same value'],
  ['23514', 'A rule of the connected system does not allow a value'],
  ['23P01', 'The values conflict with another record of the connected system'],
  ['23', 'A rule of the connected system does not allow the values'],
  ['44', 'A rule of the connected system does not allow the values'],
  ['22001', 'A value is too long for the connected system'],
  ['22003', 'A number is out of the range of the connected system'],
  ['22008', 'A date is out of the range of the connected system'],
  ['22', 'The connected system cannot store a value in this form'],
  ['25006', 'The connection is read-only'],
  ['42501', 'The user of the connection is not allowed to do this in the connected system'],
  ['42', LACKS_PART],
  ['28', 'The connected system refuses the login of the connection'],
  ['3D', 'The connected system does not have the database of the connection'],
  ['3F', 'The connected system does not have the schema of the connection'],
  ['40', 'Another user or process is changing the same data'],
  ['55P03', 'Another user or process is changing the same data'],
  ['57014', 'The connected system took too long'],
  ['08', 'The connected system is not available'],
  ['53', 'The connected system is not available'],
  ['57', 'The connected system is not available'],
  ['58', 'The connected system is not available'],
  ['XX', 'The connected system had an internal error'],
];

/** PostgreSQL routine of a RAISE in a function or trigger, whose message was written for users. */
const RAISED = 'exec_stmt_raise';

/**
 * The message of a failed statement for clients of the API. The message from PostgreSQL may name tables, columns, constraints,
 * logins and addresses, and is only for those who operate the connection. A message that a function or trigger raises is
 * unchanged.
 */
export function clientWordsOf(cause: unknown): string {
  if (!(cause instanceof pg.DatabaseError)) return 'The connected system cannot be reached';
  const { code = '', message, routine } = cause;
  if (routine === RAISED) return message;
  return meanings.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'The connected system refuses the request';
}
