import type { Json } from '../json.ts';
import type { Cursor } from './cursor.ts';
import type { Query } from './database.ts';
import { type NumberMark, numbersOf } from './since.ts';
import type { ReadCursor } from './target.ts';

/**
 * An instant before every transaction that may still commit rows stamped with its own beginning, in UTC with a "Z": by
 * that, marks of earlier versions can be told apart. With number cursors, an object that holds their marks too.
 */
export async function markOf(
  query: Query,
  cursors: readonly ReadCursor[],
  overlapSeconds: number,
  previous: Json,
): Promise<Json> {
  const [row] = await query(
    `SELECT to_char(least(min(xact_start), clock_timestamp() - make_interval(secs => $1)) AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS mark
     FROM pg_stat_activity WHERE datname = current_database()`,
    [overlapSeconds],
  );
  const at = String(row?.mark);
  const counted = cursors.filter(({ cursor }) => cursor.kind === 'number');
  if (counted.length === 0) return at;
  const numbers: Record<string, Json> = {};
  for (const { list, table, cursor } of counted) {
    numbers[list] = await numberMark(query, table, cursor, numbersOf(previous)[list]);
  }
  return { at, numbers };
}

/**
 * A number may be taken before another one and become visible after it. What was not open at the previous mark began after
 * it, and so took numbers above those seen then.
 */
async function numberMark(query: Query, table: string, { column }: Cursor, previous?: NumberMark) {
  const [row] = await query(`SELECT max(${column})::text AS seen FROM ${table}`);
  const seen = row?.seen === null || row?.seen === undefined ? null : String(row.seen);
  const open = await openTransactions(query);
  const isNew = previous !== undefined && !open.some((each) => previous.open.includes(each));
  const from = open.length === 0 ? seen : isNew ? previous.seen : (previous?.from ?? null);
  return { from, seen, open };
}

/** Every open transaction holds a lock on its own id, which all users may see; a prepared one has no process. */
async function openTransactions(query: Query): Promise<string[]> {
  const rows = await query(
    `SELECT DISTINCT virtualtransaction AS id FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
     WHERE locktype IN ('virtualxid', 'transactionid') AND granted AND pid IS DISTINCT FROM pg_backend_pid()
       AND (pid IS NULL OR datname = current_database())`,
  );
  return rows.map(({ id }) => String(id));
}
