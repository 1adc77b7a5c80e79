import type { ChangesRequest, PulledPage } from '../driver.ts';
import type { Json } from '../json.ts';
import { isObject } from '../mapping/path.ts';
import { changedSince } from './cursor.ts';
import type { Query } from './database.ts';
import { compare, POSITION, position } from './keyset.ts';
import type { Child } from './options.ts';
import { quote } from './quote.ts';
import { rowOf, selection } from './selection.ts';
import { equal } from './statements.ts';
import { cursorsOf, keyIn, type ReadCursor, type Source, viewOf } from './target.ts';

/** Place of an incremental pass among the changed lines of one list; `after` null: before the first. */
export interface ListPosition {
  readonly list: string;
  readonly after: readonly Json[] | null;
}

export function isListPosition(from: unknown): from is ListPosition {
  return isObject(from) && typeof from.list === 'string';
}

/** Where a pass goes on after a list, or ('') after the rows themselves; null: it has read every row that changed. */
export function nextList(source: Source, since: Json, list: string): Json {
  const cursors = cursorsOf(source);
  const [own] = cursors;
  if (!own || since === null || changedSince(own.cursor, 't', since, '', []) === null) return null;
  const next = cursors[cursors.findIndex((each) => each.list === list) + 1];
  return next ? { list: next.list, after: null } : null;
}

/** Changed lines of one list, from a position on. */
interface Lines {
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
  const lines: Lines = { read, child, since, after };
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
  const text = `SELECT ${position(order)} ${changed} ORDER BY ${order.join(', ')} LIMIT ${limit}`;
  return (await query(text, values)).map((row) => row[POSITION] as readonly Json[]);
}

async function owners(query: Query, source: Source, lines: Lines, end: readonly Json[]) {
  const values: unknown[] = [];
  const selected = selection(source, values);
  const changed = changedLines(lines, values);
  const parent = Object.entries(lines.child.parent);
  const rows = await query(
    `SELECT ${selected} FROM ${viewOf(source).sql} AS t
     WHERE (${parent.map(([, ours]) => `t.${quote(ours)}`).join(', ')}) IN (
       SELECT ${parent.map(([theirs]) => `c.${quote(theirs)}`).join(', ')} ${changed}
         AND ${compare(orderOf(lines), '<=', end, values)})
     ORDER BY ${source.stream.key.map((column) => `t.${quote(column)}`).join(', ')}`,
    values,
  );
  return rows.map((row) => rowOf(source, row));
}

function changedLines({ read, child, since, after: from }: Lines, values: unknown[]): string {
  const order = orderOf({ read, child });
  const begin = from ? compare(order, '>', from, values) : changedSince(read.cursor, 'c', since, read.list, values);
  const where = child.where ?? {};
  const belongs = equal(Object.keys(where), values.length);
  values.push(...Object.values(where));
  return `FROM ${read.table} AS c WHERE ${[begin ?? 'true', ...(belongs ? [belongs] : [])].join(' AND ')}`;
}

function orderOf({ read, child }: Pick<Lines, 'read' | 'child'>): string[] {
  return [read.cursor.column, ...child.key.map(quote)].map((column) => `c.${column}`);
}
