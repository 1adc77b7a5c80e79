import pg from 'pg';
import { SystemError } from '../../system-error.ts';
import type { Query } from '../dialect/sql-dialect.ts';

/** The meaning of a refused write, by SQLSTATE; the most specific first. It contains no names of the connected database. */
const meanings: readonly (readonly [prefix: string, words: string])[] = [
  ['23502', 'The connected system requires a value that is missing'],
  ['23503', 'The connected system has no record that this one refers to'],
  ['23505', 'The connected system has a record with the same value'],
  ['23514', 'A rule of the connected system does not allow a value'],
  ['23P01', 'The values conflict with another record of the connected system'],
  ['23', 'A rule of the connected system does not allow the values'],
  ['22001', 'A value is too long for the connected system'],
  ['22003', 'A number is out of the range of the connected system'],
  ['22008', 'A date is out of the range of the connected system'],
  ['22', 'The connected system cannot store a value in this form'],
  ['42501', 'The user of the connection is not allowed to do this in the connected system'],
  ['42', 'The connected system lacks a table, column or function of the platform; check the connection'],
];

const IN_USE = 'Other records of the connected system refer to this one';

/** PostgreSQL routine of a RAISE in a function or trigger: such a message was written for users. */
const RAISED = 'exec_stmt_raise';

const CHECK_VIOLATION = '23514';

/** Ending of a name that PostgreSQL gives to a check, which contains the names of its table and columns. */
const GENERATED_NAME = /_(check|not_null)\d*$/;

/**
 * A failed write with a message for clients of the API: what PostgreSQL itself reports names constraints, tables and
 * columns, and is kept as `cause`. Messages that functions and triggers raise are not changed; the name of a check that is a
 * sentence is the message. `columns` are set where PostgreSQL names columns of `table`, the table of the stream as the catalog
 * has it, or a constraint on some of them. It names neither for a value that is too long or out of range.
 */
export async function writeRefusal(query: Query, error: unknown, table: string): Promise<unknown> {
  if (!(error instanceof SystemError) || !(error.cause instanceof pg.DatabaseError)) return error;
  const { cause, kind } = error;
  const { code = '', routine } = cause;
  if (routine === RAISED) return error;
  const words =
    kind === 'in-use' ? IN_USE : (sentenceIn(cause) ?? meanings.find(([prefix]) => code.startsWith(prefix))?.[1]);
  if (words === undefined) return error;
  return new SystemError(kind, words, { cause, columns: cause.table === table ? await columnsOf(query, cause) : [] });
}

/** The name of the violated check if it is a sentence of three words or more, which is intended for users. */
function sentenceIn({ code, constraint = '' }: pg.DatabaseError): string | undefined {
  const isSentence = code === CHECK_VIOLATION && /\S\s+\S+\s+\S/.test(constraint) && !GENERATED_NAME.test(constraint);
  return isSentence ? constraint : undefined;
}

async function columnsOf(query: Query, cause: pg.DatabaseError): Promise<readonly string[]> {
  const { code, column, detail } = cause;
  if (column !== undefined) return [column];
  if (code === CHECK_VIOLATION) return columnsOfCheck(query, cause);
  if (code !== '23505' && code !== '23503') return [];
  const [, listed] = /^Key \((.+?)\)=\(/.exec(detail ?? '') ?? [];
  return listed?.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')) ?? [];
}

/** The columns that a violated check is about, in the order of the table; none if the catalog can no longer be read. */
async function columnsOfCheck(
  query: Query,
  { schema = '', table = '', constraint = '' }: pg.DatabaseError,
): Promise<readonly string[]> {
  const read = query(
    `SELECT attname AS name FROM pg_constraint
     JOIN pg_class ON pg_class.oid = conrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY(conkey)
     WHERE nspname = $1 AND relname = $2 AND conname = $3 AND contype = 'c' ORDER BY attnum`,
    [schema, table, constraint],
  );
  // The write is certainly refused: a connection that breaks now must not make its outcome look uncertain.
  const rows = await read.catch(() => []);
  return rows.map(({ name }) => String(name));
}
