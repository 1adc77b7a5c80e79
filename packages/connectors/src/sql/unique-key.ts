import { SystemError } from '../system-error.ts';
import { nameOf } from './catalog.ts';
import type { Query } from './database.ts';
import { codeOf } from './failure.ts';
import { quote } from './quote.ts';
import type { Relation } from './relation.ts';
import { type Source, viewOf } from './target.ts';

const QUERY_CANCELED = '57014';

/**
 * Compares the rows of a stream by its key, unless an index makes it unique. Returns a note when that takes too long.
 *
 * @throws SystemError `rejected` when several rows have the same key: they would become one record
 */
export async function notesOnKey(query: Query, source: Source): Promise<string[]> {
  const { key } = source.stream;
  const view = viewOf(source);
  const what = `the key (${key.join(', ')})`;
  try {
    if ((await isIndexed(query, view, key)) || !(await hasDuplicate(query, view, key))) return [];
  } catch (error) {
    if (!(error instanceof SystemError) || codeOf(error.cause) !== QUERY_CANCELED) throw error;
    return [
      `No index makes ${what} of ${nameOf(view)} unique, and comparing its rows took too long. Add a unique index, or make sure that no two rows have the same key.`,
    ];
  }
  throw new SystemError('rejected', `${nameOf(view)}: ${what} is not unique; add the columns that make it so`);
}

/** Whether a primary key or a unique index has no columns but these, all of them NOT NULL. Views have none. */
async function isIndexed(query: Query, { sql }: Relation, columns: readonly string[]): Promise<boolean> {
  const rows = await query(
    `SELECT FROM pg_index
     WHERE indrelid = $1::regclass AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
       AND NOT EXISTS (
         SELECT FROM unnest(indkey::smallint[]) WITH ORDINALITY AS part(number, place)
         JOIN pg_attribute ON attrelid = indrelid AND attnum = part.number
         WHERE place <= indnkeyatts AND NOT (attnotnull AND attname = ANY ($2::text[])))
     LIMIT 1`,
    [sql, columns],
  );
  return rows.length > 0;
}

async function hasDuplicate(query: Query, { sql }: Relation, columns: readonly string[]): Promise<boolean> {
  const key = columns.map(quote).join(', ');
  const rows = await query(`SELECT 1 AS found FROM ${sql} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`);
  return rows.length > 0;
}
