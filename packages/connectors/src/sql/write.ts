import type { Intent, Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { partsOf, replaceChildren } from './children.ts';
import type { Query } from './database.ts';
import { codeOf, wordsOf } from './failure.ts';
import { generate, withoutGenerated } from './generated.ts';
import { withoutKey } from './keep-key.ts';
import { keyValues } from './key.ts';
import { quote } from './quote.ts';
import { assignments, equal, insert, place } from './statements.ts';
import { keyIn, type Source, type Target, tableOf, zonesIn } from './target.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/** Inserts a row with its lists; answers its key. */
export async function create(query: Query, source: Source, values: Row): Promise<string> {
  const { stream, options } = source;
  const parts = partsOf(values, options);
  const columns = await generate(query, source, parts.columns);
  const parents = parts.lists.flatMap(([{ parent }]) => Object.values(parent));
  const [table, returned] = [tableOf(source), [...new Set([...stream.key, ...parents])]];
  const statement = insert(table, columns, returned, zonesIn(source, table));
  const [row] = await query(statement.text, statement.values);
  if (!row) throw new SystemError('rejected', `${stream.name}: the database did not keep the row`);
  await replaceChildren(query, source, row, parts);
  return keyIn(source, row);
}

/** Changes columns of a row, and replaces the lists that are sent. Its key cannot be changed. */
export async function update(query: Query, target: Target, values: Row): Promise<void> {
  const parts = partsOf(values, target.source.options);
  const keys = keyValues(target.key, target.columns);
  const columns = await withoutKey(query, target, withoutGenerated(target.source, parts.columns));
  const changes = assignments(columns, zonesIn(target.source, target.table));
  const condition = equal(target.columns, changes.values.length);
  const [row] =
    changes.values.length > 0
      ? await query(`UPDATE ${target.table} SET ${changes.text} WHERE ${condition} RETURNING *`, [
          ...changes.values,
          ...keys,
        ])
      : await query(`SELECT * FROM ${target.table} WHERE ${condition} FOR UPDATE`, keys);
  if (!row) throw new SystemError('gone', `${target.name} ${target.key} does not exist any more`);
  await replaceChildren(query, target.source, row, parts);
}

/** Deletes a row; one that is already gone is as it was wanted. */
export async function remove(query: Query, { table, columns, key }: Target): Promise<void> {
  try {
    await query(`DELETE FROM ${table} WHERE ${equal(columns, 0)}`, keyValues(key, columns));
  } catch (cause) {
    // The code alone does not tell whether a reference leads nowhere or is what keeps the row.
    if (codeOf(cause) === FOREIGN_KEY_VIOLATION) throw new SystemError('in-use', wordsOf(cause), { cause });
    throw cause;
  }
}

/**
 * Looks for a row that an earlier create made, in systems without a journal: one that came after `prepared` and has the
 * values sent.
 */
export async function findByValues(
  query: Query,
  source: Source,
  values: Row,
  { prepared }: Intent,
): Promise<string | null> {
  const { stream, options } = source;
  const [column = ''] = stream.key;
  const sent = Object.entries(partsOf(values, options).columns).filter(([, value]) => typeof value !== 'object');
  const table = tableOf(source);
  const parameters: unknown[] = prepared === null ? [] : [prepared];
  const after = prepared === null ? [] : [`${quote(column)} > $1`];
  const same = sent.map(
    ([name, value]) => `${quote(name)} = ${place(name, value, parameters, zonesIn(source, table))}`,
  );
  const rows = await query(
    `SELECT * FROM ${table} WHERE ${['true', ...after, ...same].join(' AND ')} ORDER BY ${quote(column)} LIMIT 2`,
    parameters,
  );
  if (rows.length > 1)
    throw new SystemError('unknown', `${stream.name}: several rows could be the one that was created`);
  return rows[0] ? keyIn(source, rows[0]) : null;
}
