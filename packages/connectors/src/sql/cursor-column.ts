import type { Json } from '../json.ts';
import { hasProperties } from '../mapping/path.ts';
import type { Stream } from '../platform.ts';
import type { Catalog, CursorKind, Relation, SqlDialect } from './dialect/sql-dialect.ts';
import { noTable, refusedStream } from './relation.ts';
import { isUtc } from './zones.ts';

/** A column that increases with every change. */
export interface Cursor {
  /** Quoted, without its table. */
  readonly column: string;
  readonly kind: CursorKind;
  readonly zone: string;
}

/** @throws SystemError `rejected` when the table or the column is missing, or the column cannot serve as a cursor */
export function cursorOf(
  { dialect, catalog, stream }: { readonly dialect: SqlDialect; readonly catalog: Catalog; readonly stream: Stream },
  table: Relation,
  name: string,
  zone: string,
): Cursor {
  const columns = catalog.get(table.sql);
  if (!columns) throw refusedStream(stream, noTable(table));
  const column = columns.find((each) => each.name === name);
  if (column?.kind) return { column: dialect.spell.quote(name), kind: column.kind, zone };
  const found = column ? `is of type ${column.type}` : 'does not exist';
  throw refusedStream(stream, `The cursor "${name}" ${found}; ${dialect.cursorRule}`);
}

/**
 * The condition on rows of `alias` that may have changed since the mark; null if all may have. Its parameters are appended to
 * `values`.
 */
export function changedSince(
  { spell }: SqlDialect,
  cursor: Cursor,
  alias: string,
  since: Json,
  list: string,
  values: unknown[],
): string | null {
  const column = `${alias}.${cursor.column}`;
  const place = (value: unknown) => `$${values.push(value)}`;
  if (cursor.kind === 'number') {
    const from = numbersOf(since)[list]?.from ?? null;
    return from === null ? null : `${column} >= ${place(from)}`;
  }
  const at = instantOf(since);
  if (at === null) return null;
  if (cursor.kind === 'instant') return `${column} >= ${spell.instant(place(at))}`;
  // Earlier versions interpreted local times as UTC and may have missed changes: their marks are ignored.
  if (!at.endsWith('Z') && !isUtc(cursor.zone)) return null;
  const local = spell.earliestLocalTime(spell.instant(place(at)), place(cursor.zone));
  return `${column} >= ${cursor.kind === 'day' ? spell.asDay(local) : local}`;
}

/** The position of a number cursor at the start of a pass. */
export interface NumberMark {
  /**
   * Rows that were not visible to the pass have at least this number. Null if it is unknown; the next pass then reads all rows.
   */
  readonly from: string | null;
  /** The highest number that was visible. */
  readonly seen: string | null;
  /** Transactions that were open, and may still commit rows with lower numbers. */
  readonly open: readonly string[];
}

/** The instant of a mark. */
export function instantOf(since: Json): string | null {
  const at = hasProperties(since) ? since.at : since;
  return typeof at === 'string' ? at : null;
}

/** Marks of the number cursors of a stream, by list; '' is the row itself. */
export function numbersOf(since: Json): Readonly<Record<string, NumberMark>> {
  const numbers: unknown = hasProperties(since) ? since.numbers : undefined;
  return hasProperties(numbers) ? (numbers as Readonly<Record<string, NumberMark>>) : {};
}
