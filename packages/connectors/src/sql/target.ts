import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';
import { quote } from './quote.ts';

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

export function targetOf(schema: string, stream: Stream, options: StreamOptions, key: string): Target {
  return { schema, table: `${quote(schema)}.${quote(options.table)}`, name: stream.name, columns: stream.key, key };
}
