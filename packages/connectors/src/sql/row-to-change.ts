import { type Source, tableOf } from './source.ts';

/** The row to change. */
export interface RowToChange {
  readonly source: Source;
  /** Quoted, with its schema. */
  readonly table: string;
  /** For messages. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: string;
}

/** The row of a stream with this key, in the table that changes are written to. */
export function rowToChange(source: Source, key: string): RowToChange {
  const { stream } = source;
  return { source, table: tableOf(source), name: stream.name, columns: stream.key, key };
}
