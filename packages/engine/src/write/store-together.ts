import type { Scope } from '@unified/store';
import { type ConnectionModel, entitiesOf } from '../model/connection-model.ts';
import { deriveRecords, storeRows } from '../records/store-rows.ts';
import type { ReadRows } from './read-back.ts';

/** Stores the row of a write, which is the last one, and the rows that were read with it. */
export async function storeTogether(scope: Scope, model: ConnectionModel, found: readonly ReadRows[]): Promise<void> {
  for (const each of found) await storeRows(scope, model, each.stream, each);
  // Records can point to each other: those that are stored first could not resolve references to those stored later. The same
  // is true for several records of one row, such as a party and the vendor that it is, and for a row that a sync has stored in
  // the meantime: it is unchanged, so it was not derived again.
  const isShared = entitiesOf(scope, model, found.at(-1)?.stream.name ?? '').length > 1;
  if (found.length === 1 && !isShared) return;
  for (const { stream, rows } of found) await deriveRecords(scope, model, stream, rows);
}
