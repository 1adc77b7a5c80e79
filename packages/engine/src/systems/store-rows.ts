import type { CompiledMapping, Platform, RawRow, Stream } from '@unified/connectors';
import type { Entity, MappedRecord } from '@unified/contract';
import { deleteRawRows, deleteRecords, type Pass, type Scope, saveRawRows, saveRecords } from '@unified/store';

/** Rows of a stream as the connected system showed them. */
export interface ObservedRows {
  readonly rows: readonly RawRow[];
  /** Keys of rows that it no longer shows. */
  readonly deleted: readonly string[];
}

/** Stores rows and what they mean as records, in the caller's transaction. Rows that did not change cost nothing more. */
export async function storeRows(
  scope: Scope,
  platform: Platform,
  stream: Stream,
  { rows, deleted }: ObservedRows,
  pass?: Pick<Pass, 'id'>,
): Promise<void> {
  const saved = await saveRawRows(scope, stream.name, rows, pass);
  const changed = new Set(saved.changed);
  await deriveRecords(
    scope,
    platform,
    stream,
    rows.filter(({ key }) => changed.has(key)),
  );
  await removeRows(scope, platform, stream, deleted);
}

/** Maps rows to the records of every entity that lives in their stream. */
export async function deriveRecords(
  scope: Scope,
  platform: Platform,
  stream: Stream,
  rows: readonly RawRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const now = new Date().toISOString();
  for (const { mapping, entity } of livingIn(scope, platform, stream)) {
    const records: MappedRecord[] = [];
    const others: string[] = [];
    for (const row of rows) {
      const record = mapping.read(row);
      if (record) records.push(record);
      else others.push(row.key);
    }
    if (records.length > 0) await saveRecords(scope, entity, records);
    // A row that used to be of this entity may no longer be: a party that stopped being a vendor.
    if (others.length > 0) await deleteRecords(scope, entity, stream.name, others, now);
  }
}

/** Notes that rows are gone in the connected system, and marks their records as deleted. */
export async function removeRows(
  scope: Scope,
  platform: Platform,
  stream: Stream,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await deleteRawRows(scope, stream.name, keys);
  const now = new Date().toISOString();
  for (const { entity } of livingIn(scope, platform, stream)) {
    await deleteRecords(scope, entity, stream.name, keys, now);
  }
}

/** The entities that are read from a stream, each with its mapping. */
export function livingIn(
  scope: Scope,
  platform: Platform,
  stream: Stream,
): { mapping: CompiledMapping; entity: Entity }[] {
  return Object.values(platform.mappings).flatMap((mapping) => {
    const entity = scope.entities[mapping.entity];
    return entity && mapping.stream === stream.name ? [{ mapping, entity }] : [];
  });
}
