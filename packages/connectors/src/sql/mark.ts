import type { Json } from '../json.ts';
import { type Cursor, type NumberMark, numbersOf } from './cursor-column.ts';
import type { Query, SqlDialect } from './dialect/sql-dialect.ts';
import type { ReadCursor } from './source.ts';

/**
 * An instant before every transaction that may still commit rows stamped with the time of its own start, in UTC with a
 * "Z", which distinguishes it from marks of earlier versions. With number cursors, an object that also contains their
 * marks.
 */
export async function markOf(
  dialect: SqlDialect,
  query: Query,
  cursors: readonly ReadCursor[],
  overlapSeconds: number,
  previous: Json,
): Promise<Json> {
  const at = await dialect.inFlight.safeInstant(query, overlapSeconds);
  const counted = cursors.filter(({ cursor }) => cursor.kind === 'number');
  if (counted.length === 0) return at;
  const numbers: Record<string, Json> = {};
  for (const { list, table, cursor } of counted) {
    numbers[list] = await numberMark(dialect, query, table, cursor, numbersOf(previous)[list]);
  }
  return { at, numbers };
}

/**
 * A number may be assigned before another one and become visible after it. Transactions that were not open at the previous mark
 * started after it, and so have higher numbers than those that were visible then.
 */
async function numberMark(
  { spell, inFlight }: SqlDialect,
  query: Query,
  table: string,
  { column }: Cursor,
  previous?: NumberMark,
) {
  const [row] = await query(`SELECT ${spell.asText(`max(${column})`)} AS seen FROM ${table} AS t`);
  const seen = row?.seen === null || row?.seen === undefined ? null : String(row.seen);
  const open = await inFlight.ids(query);
  const isNew = previous !== undefined && !open.some((each) => previous.open.includes(each));
  const from = open.length === 0 ? seen : isNew ? previous.seen : (previous?.from ?? null);
  return { from, seen, open };
}
