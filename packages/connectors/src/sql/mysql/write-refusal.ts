import { SystemError } from '../../system-error.ts';
import { sentenceIn } from '../constraint-name.ts';
import type { Query, Relation } from '../dialect/sql-dialect.ts';
import { clientWordsOf } from './client-words.ts';
import { wordsOf } from './failure.ts';
import { numberOf } from './failure-number.ts';

const NULL_VALUE = 1048;
const NO_DEFAULT = 1364;
const DUPLICATE = 1062;
/** In MySQL and in MariaDB. */
const CHECK_VIOLATIONS: readonly number[] = [3819, 4025];

/**
 * A failed write with a message for clients of the API. The message from the server names constraints, tables and columns, and is
 * kept as `cause`. If the name of a check is a sentence, it is the message. `columns` are set where the server names a column
 * or a unique index, and the statement changed `table`, the table of the stream.
 */
export async function writeRefusal(query: Query, error: unknown, table: string): Promise<unknown> {
  if (!(error instanceof SystemError) || numberOf(error.cause) === 0) return error;
  const { kind, cause } = error;
  const words = sentenceOf(cause) ?? clientWordsOf(cause);
  const columns = await columnsOf(query, cause, table);
  return new SystemError(kind, words, { cause, columns: columns.length > 0 ? columns : error.columns });
}

function sentenceOf(cause: unknown): string | undefined {
  if (!CHECK_VIOLATIONS.includes(numberOf(cause))) return undefined;
  const [, inMariaDb, inMySql] = /^CONSTRAINT `(.+)` failed for|^Check constraint '(.+)' is/.exec(wordsOf(cause)) ?? [];
  return sentenceIn(inMariaDb ?? inMySql ?? '');
}

async function columnsOf(query: Query, cause: unknown, table: string): Promise<readonly string[]> {
  const place = tableIn(cause);
  if (place?.name !== table) return [];
  const [number, words] = [numberOf(cause), wordsOf(cause)];
  const [, column] = /^(?:Column|Field) '([^']+)'/.exec(words) ?? [];
  if (number === NULL_VALUE || number === NO_DEFAULT) return column === undefined ? [] : [column];
  // MySQL names the table as well.
  const [, index] = number === DUPLICATE ? (/ for key '(?:[^'.]+\.)?([^']+)'$/.exec(words) ?? []) : [];
  return index === undefined ? [] : columnsOfIndex(query, place, index);
}

/** The table of the statement that failed. MariaDB does not name it. */
function tableIn(cause: unknown): Pick<Relation, 'schema' | 'name'> | null {
  const sql = cause instanceof Error && 'sql' in cause ? String(cause.sql) : '';
  const [, schema, name] = /^(?:INSERT INTO|UPDATE) `((?:[^`]|``)+)`\.`((?:[^`]|``)+)`/.exec(sql) ?? [];
  return schema === undefined || name === undefined ? null : { schema: unquoted(schema), name: unquoted(name) };
}

function unquoted(name: string): string {
  return name.replaceAll('``', '`');
}

async function columnsOfIndex(
  query: Query,
  { schema, name }: Pick<Relation, 'schema' | 'name'>,
  index: string,
): Promise<readonly string[]> {
  const read = query(
    `SELECT column_name AS name FROM information_schema.statistics
     WHERE table_schema = $1 AND table_name = $2 AND index_name = $3 ORDER BY seq_in_index`,
    [schema, name, index],
  );
  // The write is certainly refused: a connection that breaks now must not make its outcome look uncertain.
  const rows = await read.catch(() => []);
  return rows.map(({ name }) => String(name));
}
