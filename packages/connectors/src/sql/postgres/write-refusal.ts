import pg from 'pg';
import { SystemError } from '../../system-error.ts';
import { sentenceIn } from '../constraint-name.ts';
import type { Query } from '../dialect/sql-dialect.ts';
import { clientWordsOf } from './client-words.ts';

const IN_USE = 'Other records of the connected system refer to this one';

/** Classes of SQLSTATE about values, constraints, rights and names. */
const ABOUT_DATA = /^(22|23|25006|42|44)/;

const CHECK_VIOLATION = '23514';

/**
 * A failed write with a message for clients of the API. The message from PostgreSQL itself names constraints, tables and
 * columns, and is kept as `cause`. Messages that functions and triggers raise are unchanged. If the name of a check is a
 * sentence, it is the message. `columns` are set where PostgreSQL names columns of `table`, the table of the stream as the
 * catalog has it, or a constraint on some of them. PostgreSQL names neither for a value that is too long or out of range.
 */
export async function writeRefusal(query: Query, error: unknown, table: string): Promise<unknown> {
  if (!(error instanceof SystemError) || !(error.cause instanceof pg.DatabaseError)) return error;
  const { cause, kind } = error;
  if (!ABOUT_DATA.test(cause.code ?? '')) return error;
  const words = kind === 'in-use' ? IN_USE : (sentenceOf(cause) ?? clientWordsOf(cause));
  const columns = cause.table === table ? await columnsOf(query, cause) : [];
  return new SystemError(kind, words, { cause, columns: columns.length > 0 ? columns : error.columns });
}

function sentenceOf({ code, constraint = '' }: pg.DatabaseError): string | undefined {
  return code === CHECK_VIOLATION ? sentenceIn(constraint) : undefined;
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
