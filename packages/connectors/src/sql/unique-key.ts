import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { nameOf } from './relation.ts';
import { type Source, viewOf } from './source.ts';

/**
 * Checks that the key of a stream is unique, unless an index ensures it. Returns a note if that takes too long.
 *
 * @throws SystemError `rejected` if several rows have the same key, because they would become one record
 */
export async function notesOnKey(query: Query, source: Source): Promise<string[]> {
  const { dialect, stream } = source;
  const { key } = stream;
  const view = viewOf(source);
  const what = `the key (${key.join(', ')})`;
  try {
    if ((await isIndexed(query, source)) || !(await hasDuplicate(query, source))) return [];
  } catch (error) {
    if (!(error instanceof SystemError) || dialect.causeOf(error) !== 'timeout') throw error;
    return [
      `No index makes ${what} of ${nameOf(view)} unique, and comparing its rows took too long. Add a unique index, or make sure that no two rows have the same key.`,
    ];
  }
  throw new SystemError('rejected', `${nameOf(view)}: ${what} is not unique; add the columns that make it so`);
}

async function isIndexed(query: Query, source: Source): Promise<boolean> {
  const { dialect, stream, options } = source;
  return options.query === undefined && dialect.catalog.isUnique(query, viewOf(source), stream.key);
}

async function hasDuplicate(query: Query, source: Source): Promise<boolean> {
  const { spell } = source.dialect;
  const key = source.stream.key.map(spell.quote);
  const from = `${viewOf(source).sql} AS t GROUP BY ${key.join(', ')} HAVING count(*) > 1`;
  const rows = await query(spell.page({ columns: '1 AS found', from, order: ['found'], limit: 1 }));
  return rows.length > 0;
}
