import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';
import { quote } from './quote.ts';

/** A stream in the schema of one system. */
export interface Source {
  readonly schema: string;
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/** The table that takes the changes of a stream, quoted and with its schema. */
export function tableOf({ schema, options }: Source): string {
  return `${quote(schema)}.${quote(options.table)}`;
}

/** The row that a change is about. */
export interface Target {
  readonly schema: string;
  /** Quoted, with its schema. */
  readonly table: string;
  /** As people know it, for messages. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: string;
}

/** The row of a stream with this key, in the table that takes its changes. */
export function targetOf(source: Source, key: string): Target {
  const { schema, stream } = source;
  return { schema, table: tableOf(source), name: stream.name, columns: stream.key, key };
}
