import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Stream } from '@unified/connectors';
import {
  type KeyedRow,
  lockChangeCursor,
  type RowReading,
  rawKeyPages,
  rawRowPages,
  rawRowsInParts,
  type Scope,
} from '@unified/store';
import type { Differs } from './row-comparison.ts';

/** Keys of the rows of a batch, and of those whose records must be derived again. */
interface Keys {
  readonly all: readonly string[];
  readonly changed: readonly string[];
}

/** Rows that one transaction handles. Lists and writes are served between two transactions. */
export interface Batch {
  /** Key of the last row. */
  readonly after: string;
  readonly keys: readonly string[];
  /** Reads the rows whose records must be derived again, in the transaction that stores them; in parts that fit into memory. */
  derivable(inner: Scope): AsyncGenerator<readonly KeyedRow[]>;
}

const DERIVED_AT_ONCE = 1000;
const COMPARED_AT_ONCE = 2000;
/** Number of pages of compared rows that one transaction handles if few of their records differ. */
const PAGES = 5;
/** Number of rows that are compared before the event loop gets its turn. */
const TURN = 500;

/**
 * The rows of a stream in batches, from the one after `after`. With `differs`, only rows whose records differ are derived.
 *
 * Rows are compared without a lock. A write that changes one of them in the meantime stores its record by the active mappings, so
 * only what is derived must be read again under the lock.
 */
export async function* batchesOf(
  scope: Scope,
  stream: Stream,
  after: string,
  differs: Differs | null,
): AsyncGenerator<Batch> {
  const reading = { stream: stream.name, after };
  const batches = differs
    ? comparedKeys(scope, { ...reading, limit: COMPARED_AT_ONCE }, differs)
    : allKeys(scope, { ...reading, limit: DERIVED_AT_ONCE });
  for await (const { all, changed } of batches) {
    const derivable = async function* (inner: Scope) {
      await lockChangeCursor(inner);
      yield* rawRowsInParts(inner, stream.name, changed);
    };
    yield { after: all.at(-1) ?? after, keys: all, derivable };
  }
}

async function* allKeys(scope: Scope, reading: RowReading): AsyncGenerator<Keys> {
  for await (const keys of rawKeyPages(scope, reading)) yield { all: keys, changed: keys };
}

/** Several pages together, unless many of their rows must be derived again. */
async function* comparedKeys(scope: Scope, reading: RowReading, differs: Differs): AsyncGenerator<Keys> {
  let [all, changed]: [string[], string[]] = [[], []];
  for await (const rows of rawRowPages(scope, reading)) {
    for (const [index, row] of rows.entries()) {
      all.push(row.key);
      if (differs(row)) changed.push(row.key);
      if (index % TURN === TURN - 1) await nextTurn();
    }
    if (all.length < PAGES * COMPARED_AT_ONCE && changed.length < DERIVED_AT_ONCE) continue;
    yield { all, changed };
    [all, changed] = [[], []];
  }
  if (all.length > 0) yield { all, changed };
}
