import type { Row } from '../driver.ts';
import { parseExactJson } from '../exact-number.ts';
import type { Json } from '../json.ts';
import { unpadded } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { SqlDialect } from './dialect/sql-dialect.ts';
import type { Child, StreamOptions } from './options.ts';
import { relationIn, type Source, viewOf, zonesIn } from './source.ts';
import { equal } from './statements.ts';
import { instants, withOffsets } from './zones.ts';

/**
 * The selection for a row `t`: all columns, and for each list the keys of its rows, in order. Parameters are appended to
 * `values`.
 */
export function selection(source: Source, values: unknown[]): string {
  const { dialect, options } = source;
  const lists = Object.entries(options.children).map(([name, child]) => {
    const keys = keyList(source, child, values.length);
    values.push(...Object.values(child.where ?? {}));
    return `(${keys}) AS ${dialect.spell.quote(name)}`;
  });
  return ['t.*', ...lists, ...instants(dialect, zonesIn(source, viewOf(source).sql), values)].join(', ');
}

/** A selected row in the form that is returned: instants with the offset of their zone, `char(n)` without padding. */
export function rowOf(source: Source, selected: Row): Row {
  for (const list of Object.keys(source.options.children)) selected[list] = listIn(selected[list]);
  const row = withoutPadding(withOffsets(selected, zonesIn(source, viewOf(source).sql)), source.padded);
  return withJson(row, source.options.columns);
}

/** Parses the columns whose texts are JSON. */
function withJson(row: Row, columns: StreamOptions['columns']): Row {
  for (const [column, { json }] of Object.entries(columns)) {
    const value = row[column];
    if (!json || typeof value !== 'string') continue;
    row[column] = parseJson(value) ?? refuseText(column);
  }
  return row;
}

function refuseText(column: string): never {
  throw new SystemError('invalid', `The column "${column}" contains a text that is not JSON`, {
    clientWords: 'The connected system returned a value that cannot be read',
  });
}

function withoutPadding(row: Row, padded: ReadonlySet<string>): Row {
  for (const column of padded) {
    const value = row[column];
    if (typeof value === 'string') row[column] = unpadded(value);
  }
  return row;
}

function keyList(source: Source, { table, parent, where = {}, key }: Child, used: number): string {
  const { dialect } = source;
  const column = (alias: string) => (name: string) => `${alias}.${dialect.spell.quote(name)}`;
  const belongs = Object.entries(parent).map(([theirs, ours]) => `${column('c')(theirs)} = ${column('t')(ours)}`);
  const fixed = Object.keys(where).length > 0 ? [equal(dialect, Object.keys(where), used)] : [];
  const from = `${relationIn(source, table).sql} AS c WHERE ${[...belongs, ...fixed].join(' AND ')}`;
  return dialect.spell.keyList(key.map(column('c')), from);
}

/** Alias of the exact text of the position; a decoded timestamp would lose microseconds. */
export const POSITION = '__position';

/** A list that a database returns. Databases without a list type return it as JSON text. */
export function listIn(value: unknown): readonly Json[] {
  const list: unknown = typeof value === 'string' ? parseJson(value) : value;
  if (Array.isArray(list)) return list;
  throw new SystemError('invalid', 'The database returned a list that cannot be read');
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** A row's position in this order, to be selected. */
export function position({ spell }: SqlDialect, order: readonly string[]): string {
  return `${spell.textList(order)} AS ${POSITION}`;
}

/** The condition that rows come after a position or, with `<=`, not after it. Its parameters are appended to `values`. */
export function compare(
  { spell }: SqlDialect,
  order: readonly string[],
  operator: '>' | '<=',
  to: readonly Json[],
  values: unknown[],
): string {
  return spell.compare(
    order,
    operator,
    to.map((value) => (value === null ? 'NULL' : `$${values.push(value)}`)),
  );
}
