import type { RowContent } from '../content.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './database.ts';
import { keyValues } from './key.ts';
import { quote } from './quote.ts';
import { equal } from './statements.ts';
import type { Target } from './target.ts';

/** Bytes read by one statement. */
const PIECE = 512 * 1024;

/** What a column of bytes holds in a row; null: nothing, or there is no such row. */
export async function findContent(
  query: Query,
  { table, columns, key }: Target,
  column: string,
): Promise<RowContent | null> {
  const bytes = quote(column);
  const [row] = await query(
    `SELECT octet_length(${bytes}) AS size, encode(sha256(${bytes}), 'hex') AS sha256 FROM ${table} AS t
      WHERE ${bytes} IS NOT NULL AND ${equal(columns, 0)}`,
    keyValues(key, columns),
  );
  return row ? { sha256: String(row.sha256), sizeBytes: Number(row.size) } : null;
}

/** Bytes of such a column, by several statements where they are many. */
export async function* readContent(
  query: Query,
  { table, columns, key, name }: Target,
  column: string,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array, void, void> {
  const values = keyValues(key, columns);
  for (let at = start; at < end; at += PIECE) {
    const wanted = Math.min(PIECE, end - at);
    const [piece] = await query(
      `SELECT encode(substring(${quote(column)} FROM ${at + 1} FOR ${wanted}), 'hex') AS bytes FROM ${table} AS t
        WHERE ${equal(columns, 0)}`,
      values,
    );
    const read = Buffer.from(String(piece?.bytes ?? ''), 'hex');
    if (read.length < wanted)
      throw new SystemError('invalid', `The bytes of ${name} ${key} changed while they were read`);
    yield read;
  }
}
