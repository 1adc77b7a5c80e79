import type { RowContent, RowContents } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query, SqlDialect } from './dialect/sql-dialect.ts';
import type { StreamOptions } from './options.ts';
import { relationOf } from './relation.ts';
import type { RowToChange } from './row-to-change.ts';
import { equal } from './statements.ts';

/** The binary columns that streams name as their `content`. */
export function rowContents(
  dialect: SqlDialect,
  query: Query,
  schema: string,
  options: (stream: Stream) => StreamOptions,
): RowContents {
  const row = (stream: Stream, key: string): Row => {
    const { table, content } = options(stream);
    const { sql } = relationOf(dialect, table, schema);
    return { table: sql, columns: stream.key, key, name: stream.name, content };
  };
  return {
    async find(stream, key) {
      const { content, ...place } = row(stream, key);
      return content === undefined ? null : findContent(dialect, query, place, content);
    },
    read(stream, key, range) {
      const { content, ...place } = row(stream, key);
      if (content === undefined) throw new SystemError('rejected', `${stream.name} has no bytes`);
      return readContent(dialect, query, place, content, range);
    },
  };
}

type RowAddress = Pick<RowToChange, 'table' | 'columns' | 'key' | 'name'>;
type Row = RowAddress & { readonly content: string | undefined };

/** Number of bytes that one statement reads; they stay in memory until the client has read them. */
const PIECE = 128 * 1024;

/** Checksum and size of the bytes in a column; null if there are no bytes or no such row. */
async function findContent(
  dialect: SqlDialect,
  query: Query,
  { table, columns, key }: RowAddress,
  column: string,
): Promise<RowContent | null> {
  const bytes = dialect.spell.quote(column);
  const [row] = await query(
    `SELECT ${dialect.spell.digest(bytes)} FROM ${table} AS t
      WHERE ${bytes} IS NOT NULL AND ${equal(dialect, columns, 0)}`,
    keyValues(key, columns),
  );
  return row ? { sha256: String(row.sha256), sizeBytes: Number(row.size) } : null;
}

/** Bytes in a column, read by several statements if there are many. */
async function* readContent(
  dialect: SqlDialect,
  query: Query,
  { table, columns, key, name }: RowAddress,
  column: string,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array, void, void> {
  const values = keyValues(key, columns);
  for (let at = start; at < end; at += PIECE) {
    const wanted = Math.min(PIECE, end - at);
    const [piece] = await query(
      `SELECT ${dialect.spell.bytes(dialect.spell.quote(column), at, wanted)} AS bytes FROM ${table} AS t
        WHERE ${equal(dialect, columns, 0)}`,
      values,
    );
    const read = Buffer.from(String(piece?.bytes ?? ''), 'hex');
    if (read.length < wanted)
      throw new SystemError('invalid', `The bytes of ${name} ${key} changed while they were read`);
    yield read;
  }
}
