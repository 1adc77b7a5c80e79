import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import { inOwnerTransaction, type Store } from '../access/store.ts';
import { arrayText } from '../sql/parameter.ts';
import { addPartitions, type PartitionedLog } from './partitions.ts';

export type LogColumn<Row> = readonly [name: string, type: string, value: (row: Row) => string | undefined];

/** A log, and its columns except the id. */
export interface LogTable<Row> {
  readonly log: PartitionedLog;
  readonly columns: readonly LogColumn<Row>[];
}

/** A row with its time in milliseconds since 1970. */
interface TimedRow {
  readonly at: number;
}

const ID_BYTES = 16;

/** An id for each row. Random bytes are generated once for all of them, since each call takes microseconds. */
function idsOf(rows: readonly TimedRow[]): string[] {
  const random = randomBytes(ID_BYTES * rows.length);
  return rows.map(({ at }, index) =>
    newId({ msecs: at, random: random.subarray(ID_BYTES * index, ID_BYTES * (index + 1)) }),
  );
}

/** SQLSTATE for a row for which there is no partition. */
const CHECK_VIOLATION = '23514';

/**
 * Stores rows of a log, all or none, and what `also` changes. Creates the partitions of their days. Throws SERVICE_UNAVAILABLE.
 */
export async function insertLogRows<Row extends TimedRow>(
  store: Store,
  table: LogTable<Row>,
  rows: readonly Row[],
  also: (client: pg.ClientBase) => Promise<unknown> = async () => {},
): Promise<void> {
  try {
    await insert(store, table, rows, also);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CHECK_VIOLATION) throw error;
    const times = rows.map(({ at }) => at);
    await addPartitions(store, table.log, times);
    await insert(store, table, rows, also);
  }
}

function insert<Row extends TimedRow>(
  store: Store,
  { log, columns }: LogTable<Row>,
  rows: readonly Row[],
  also: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  const arrays = columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ');
  const values = columns.map(([, , value]) => rows.map((row) => value(row) ?? null));
  return inOwnerTransaction(store, async (client) => {
    const sql = `insert into unified.${log} (id, ${names}) select * from unnest($1::uuid[], ${arrays})`;
    await client.query(sql, [idsOf(rows), ...values].map(arrayText));
    await also(client);
  });
}
