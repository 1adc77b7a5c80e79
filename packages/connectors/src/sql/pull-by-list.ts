import type { ChangesRequest, PulledPage } from '../driver.ts';
import type { Json } from '../json.ts';
import { hasProperties } from '../mapping/path.ts';
import { changedSince } from './cursor-column.ts';
import type { Query, SqlDialect } from './dialect/sql-dialect.ts';
import type { Child } from './options.ts';
import { compare, listIn, POSITION, position, rowOf, selection } from './selection.ts';
import { cursorsOf, keyIn, type ReadCursor, type Source, viewOf } from './source.ts';
import { equal } from './statements.ts';

/** Position of an incremental pass in the changed lines of one list. `after` is null before the first line. */
export interface ListPosition {
  readonly list: string;
  readonly after: readonly Json[] | null;
}

export function isListPosition(from: unknown): from is ListPosition {
  return hasProperties(from) && typeof from.list === 'string';
}

/** Where a pass continues after a list or, with '', after the rows themselves; null if it has read every row that changed. */
export function nextList(source: Source, since: Json, list: string): Json {
  const cursors = cursorsOf(source);
  const [own] = cursors;
  if (!own || since === null || changedSince(source.dialect, own.cursor, 't', since, '', []) === null) return null;
  const next = cursors[cursors.findIndex((each) => each.list === list) + 1];
  return next ? { list: next.list, after: null } : null;
}

/** Changed lines of one list, from a position on. */
interface Lines {
  readonly dialect: SqlDialect;
  readonly read: ReadCursor;
  readonly child: Child;
  readonly since: Json;
  readonly after: readonly Json[] | null;
}

/** Reads the rows that the next changed lines of a list belong to, by keyset in the order of the lines' cursor. */
export async function pullByList(
  query: Query,
  source: Source,
  { since, limit }: ChangesRequest,
  { list, after }: ListPosition,
): Promise<PulledPage> {
  const next = nextList(source, since, list);
  const child = source.options.children[list];
  const read = cursorsOf(source).find((each) => each.list === list);
  // The platform may have changed since the pass began.
  if (!child || !read) return { rows: [], next };
  const lines: Lines = { dialect: source.dialect, read, child, since, after };
  const ends = await positions(query, lines, Math.trunc(limit) + 1);
  const end = ends.slice(0, limit).at(-1);
  if (!end) return { rows: [], next };
  const rows = await owners(query, source, lines, end);
  return {
    rows: rows.map((row) => ({ key: keyIn(source, row), row })),
    next: ends.length > limit ? { list, after: end } : next,
  };
}

async function positions(query: Query, lines: Lines, limit: number): Promise<(readonly Json[])[]> {
  const values: unknown[] = [];
  const changed = changedLines(lines, values);
  const order = orderOf(lines);
  const { dialect } = lines;
  const text = dialect.spell.page({ columns: position(dialect, order), from: changed, order, limit });
  return (await query(text, values)).map((row) => listIn(row[POSITION]));
}

async function owners(query: Query, source: Source, lines: Lines, end: readonly Json[]) {
  const values: unknown[] = [];
  const selected = selection(source, values);
  const changed = changedLines(lines, values);
  const parent = Object.entries(lines.child.parent);
  const { spell } = source.dialect;
  const theirs = parent.map(([column]) => `c.${spell.quote(column)}`);
  const ours = parent.map(([, column]) => `t.${spell.quote(column)}`);
  const until = compare(source.dialect, orderOf(lines), '<=', end, values);
  const order = source.stream.key.map((column) => `t.${spell.quote(column)}`);
  const rows = await query(
    `SELECT ${selected} FROM ${viewOf(source).sql} AS t
     WHERE ${spell.isIn(ours, `SELECT ${theirs.join(', ')} FROM ${changed} AND ${until}`)} ORDER BY ${order.join(', ')}`,
    values,
  );
  return rows.map((row) => rowOf(source, row));
}

function changedLines({ dialect, read, child, since, after: from }: Lines, values: unknown[]): string {
  const order = orderOf({ dialect, read, child });
  const begin = from
    ? compare(dialect, order, '>', from, values)
    : changedSince(dialect, read.cursor, 'c', since, read.list, values);
  const where = child.where ?? {};
  const belongs = equal(dialect, Object.keys(where), values.length);
  values.push(...Object.values(where));
  return `${read.table} AS c WHERE ${[begin ?? '1 = 1', ...(belongs ? [belongs] : [])].join(' AND ')}`;
}

function orderOf({ dialect, read, child }: Pick<Lines, 'dialect' | 'read' | 'child'>): string[] {
  return [read.cursor.column, ...child.key.map(dialect.spell.quote)].map((column) => `c.${column}`);
}
