import type { Intent, KnownLists, Row } from '../driver.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { partsOf, writeChildren } from './children.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { generate, withoutGenerated } from './generated.ts';
import { withoutKey } from './keep-key.ts';
import type { RowToChange } from './row-to-change.ts';
import { keyIn, type Source, tableOf, writtenZonesIn } from './source.ts';
import { assignments, equal, insert, parameterOf } from './statements.ts';

/** Inserts a row with its lists; returns its key. */
export async function create(query: Query, source: Source, values: Row): Promise<string> {
  const { stream, options } = source;
  const parts = partsOf(values, options);
  const columns = await generate(query, source, parts.columns);
  const parents = parts.lists.flatMap(({ child }) => Object.values(child.parent));
  const [table, returned] = [tableOf(source), [...new Set([...stream.key, ...parents])]];
  refuseUnknownKey(source, columns);
  const statement = insert(source.dialect, table, columns, returned, writtenZonesIn(source, table));
  const [inserted] = await query(statement.text, statement.values, statement.columns);
  const row = inserted ?? (await newRow(query, source, columns, returned));
  if (!row) throw new SystemError('rejected', `${stream.name}: the database did not store the row`);
  await writeChildren(query, source, row, parts);
  return keyIn(source, row);
}

/** Throws `rejected` if the key of a new row could not be found out after the INSERT. */
function refuseUnknownKey(source: Source, sent: Row): void {
  const { dialect, stream, catalog } = source;
  if (dialect.spell.generatedNumber === undefined) return;
  const columns = catalog.get(tableOf(source)) ?? [];
  const isKnown = (name: string) =>
    (sent[name] ?? null) !== null || columns.some((each) => each.name === name && each.isNumbered);
  const unknown = stream.key.filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const words = `${stream.name}: a new row needs a value for ${unknown.join(', ')}, because the database does not number it`;
  throw new SystemError('rejected', words);
}

/** The row that was just inserted, in databases whose INSERT returns no rows. */
async function newRow(query: Query, source: Source, sent: Row, columns: readonly string[]): Promise<Row | undefined> {
  const { dialect, stream } = source;
  const { quote, generatedNumber } = dialect.spell;
  if (generatedNumber === undefined) return undefined;
  const table = tableOf(source);
  const parameters: unknown[] = [];
  const isRow = stream.key.map((name) => {
    const isSent = (sent[name] ?? null) !== null;
    const zones = writtenZonesIn(source, table);
    return `${quote(name)} = ${isSent ? parameterOf(dialect, name, sent[name], parameters, zones) : generatedNumber}`;
  });
  const [row] = await query(
    `SELECT ${columns.map(quote).join(', ')} FROM ${table} WHERE ${isRow.join(' AND ')}`,
    parameters,
  );
  return row;
}

/** Changes columns of a row, and the lists that are sent. Its key cannot be changed. */
export async function update(query: Query, toChange: RowToChange, values: Row, known?: KnownLists): Promise<void> {
  const parts = partsOf(values, toChange.source.options);
  const keys = keyValues(toChange.key, toChange.columns);
  const columns = await withoutKey(query, toChange, withoutGenerated(toChange.source, parts.columns));
  const { dialect } = toChange.source;
  const changes = assignments(dialect, columns, writtenZonesIn(toChange.source, toChange.table));
  const condition = equal(dialect, toChange.columns, changes.values.length);
  const [parameters, { update, lock, generatedNumber }] = [[...changes.values, ...keys], dialect.spell];
  const changed =
    changes.text === ''
      ? []
      : await query(update(toChange.table, changes.text, condition), parameters, changes.columns);
  const isReadBack = changes.text === '' || generatedNumber !== undefined;
  const [row] = isReadBack ? await query(lock(toChange.table, condition), parameters) : changed;
  if (!row) throw new SystemError('gone', `${toChange.name} ${toChange.key} no longer exists`);
  await writeChildren(query, toChange.source, row, parts, known);
}

/** Deletes a row; succeeds if it does not exist. */
export async function remove(query: Query, { source, table, columns, key }: RowToChange): Promise<void> {
  const { dialect } = source;
  try {
    await query(`DELETE FROM ${table} WHERE ${equal(dialect, columns, 0)}`, keyValues(key, columns));
  } catch (cause) {
    // The code alone does not distinguish a reference to a missing row from a reference to this row.
    if (dialect.causeOf(cause) !== 'foreign-key') throw cause;
    const original = cause instanceof SystemError ? cause.cause : cause;
    throw new SystemError('in-use', dialect.wordsOf(original), { cause: original });
  }
}

/**
 * Looks for a row that an earlier create made, in systems without a journal: a row after `position` with the values that were
 * sent.
 */
export async function findByValues(
  query: Query,
  source: Source,
  values: Row,
  { position }: Intent,
): Promise<string | null> {
  const { dialect, stream, options } = source;
  const { quote } = dialect.spell;
  const [column = ''] = stream.key;
  const table = tableOf(source);
  const rounded = new Set(source.catalog.get(table)?.flatMap(({ name, isRounded }) => (isRounded ? [name] : [])));
  const sent = Object.entries(partsOf(values, options).columns).filter(
    ([name, value]) => typeof value !== 'object' && !rounded.has(name),
  );
  const parameters: unknown[] = position === null ? [] : [position];
  const after = position === null ? [] : [`${quote(column)} > $1`];
  const same = sent.map(
    ([name, value]) =>
      `${quote(name)} = ${parameterOf(dialect, name, value, parameters, writtenZonesIn(source, table))}`,
  );
  const rows = await query(
    dialect.spell.page({
      columns: '*',
      from: `${table} WHERE ${['1 = 1', ...after, ...same].join(' AND ')}`,
      order: [quote(column)],
      limit: 2,
    }),
    parameters,
  );
  if (rows.length > 1)
    throw new SystemError('unknown', `${stream.name}: several rows could be the one that was created`);
  return rows[0] ? keyIn(source, rows[0]) : null;
}
