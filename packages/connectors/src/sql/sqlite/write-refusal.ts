import { SystemError } from '../../system-error.ts';
import { sentenceIn } from '../constraint-name.ts';
import type { Query } from '../dialect/sql-dialect.ts';
import { codeOf } from './sqlite-failure.ts';

const IN_USE = 'Other records of the connected system refer to this one';
const CHECK_VIOLATION = 275;

/**
 * A failed write with a message for clients of the API. The message from SQLite names tables and columns, and is kept as `cause`.
 * If the name of a check is a sentence, it is the message. `columns` are those of `table`, the table of the stream, that the
 * message names.
 */
export async function writeRefusal(query: Query, error: unknown, table: string): Promise<unknown> {
  if (!(error instanceof SystemError) || codeOf(error) === 0) return error;
  const { kind, clientWords, cause } = error;
  const message = cause instanceof Error ? cause.message : '';
  const words = kind === 'in-use' ? IN_USE : ((await sentenceOf(query, codeOf(error), message)) ?? clientWords);
  return new SystemError(kind, words, { cause, columns: columnsIn(message, table) });
}

/** For a check without a name, SQLite reports its condition, which is not written in quotes in the definition of the table. */
async function sentenceOf(query: Query, code: number, message: string): Promise<string | undefined> {
  const [, constraint = ''] = /^CHECK constraint failed: (.*)$/s.exec(message) ?? [];
  const sentence = code === CHECK_VIOLATION ? sentenceIn(constraint) : undefined;
  if (sentence === undefined) return undefined;
  const named = query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND instr(sql, $1) > 0 LIMIT 1", [
    `"${sentence}"`,
  ]);
  // The write is certainly refused, whether or not the schema can be read.
  return (await named.catch(() => [])).length > 0 ? sentence : undefined;
}

/** `NOT NULL constraint failed: Head.name`, or several separated by commas. */
function columnsIn(message: string, table: string): string[] {
  const [, named = ''] = /^(?:NOT NULL|UNIQUE) constraint failed: (.*)$/s.exec(message) ?? [];
  const start = `${table}.`;
  return named.split(', ').flatMap((each) => (each.startsWith(start) ? [each.slice(start.length)] : []));
}
