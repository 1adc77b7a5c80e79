import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Stream } from '@unified/connectors';
import { type KeyedRow, lockChangeCursor, rawKeysAfter, rawRows, rawRowsAfter, type Scope } from '@unified/store';
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
  /** Reads the rows whose records must be derived again, in the transaction that stores them. */
  derivable(inner: Scope): Promise<readonly KeyedRow[]>;
}

const DERIVED_AT_ONCE = 1000;
const COMPARED_AT_ONCE = 2000;
/** Number of rows that are compared before the event loop gets its turn. */
const TURN = 200;

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
  const read = differs
    ? async (from: string) => compared(await rawRowsAfter(scope, stream.name, from, COMPARED_AT_ONCE), differs)
    : async (from: string) => allOf(await rawKeysAfter(scope, stream.name, from, DERIVED_AT_ONCE));
  for (let from = after; ; ) {
    const { all, changed } = await read(from);
    const last = all.at(-1);
    if (last === undefined) return;
    from = last;
    const derivable = async (inner: Scope) => {
      await lockChangeCursor(inner);
      return changed.length === 0 ? [] : rawRows(inner, stream.name, changed);
    };
    yield { after: last, keys: all, derivable };
  }
}

const allOf = (keys: readonly string[]): Keys => ({ all: keys, changed: keys });

async function compared(rows: readonly KeyedRow[], differs: Differs): Promise<Keys> {
  const changed: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (differs(row)) changed.push(row.key);
    if (index % TURN === TURN - 1) await nextTurn();
  }
  return { all: rows.map(({ key }) => key), changed };
}
