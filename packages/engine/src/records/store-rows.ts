import type { CompiledMapping, Platform, RawRow, Stream, ValueProblem } from '@unified/connectors';
import type { Entity, MappedRecord } from '@unified/contract';
import {
  deleteRawRows,
  deleteRecords,
  forgetRowProblems,
  type Pass,
  type RowProblem,
  type Scope,
  saveRawRows,
  saveRecords,
  saveRowProblems,
} from '@unified/store';
import { countedProblems } from './counted-problems.ts';

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

/** Maps rows, just saved, to the records of every entity that lives in their stream, and notes what could not be used. */
export async function deriveRecords(
  scope: Scope,
  platform: Platform,
  stream: Stream,
  rows: readonly RawRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const now = new Date().toISOString();
  const problems = new Map<string, RowProblem[]>();
  for (const { mapping, entity } of livingIn(scope, platform, stream)) {
    const records: MappedRecord[] = [];
    const others: string[] = [];
    for (const row of rows) {
      const found: ValueProblem[] = [];
      const record = mapping.read(row, found);
      if (record) records.push(record);
      else others.push(row.key);
      if (found.length > 0) {
        problems.set(row.key, [...(problems.get(row.key) ?? []), ...countedProblems(entity.name, found)]);
      }
    }
    if (records.length > 0) await saveRecords(scope, entity, records);
    // A row that used to be of this entity may no longer be: a party that stopped being a vendor.
    if (others.length > 0) await deleteRecords(scope, entity, stream.name, others, now);
  }
  await saveRowProblems(scope, stream.name, problems);
}

/** Derives the records of rows that were derived before: by another mapping, or with other targets of their references. */
export async function deriveAgain(
  scope: Scope,
  platform: Platform,
  stream: Stream,
  rows: readonly RawRow[],
): Promise<void> {
  const keys = rows.map(({ key }) => key);
  await forgetRowProblems(scope, stream.name, keys);
  await deriveRecords(scope, platform, stream, rows);
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
  const entities = livingIn(scope, platform, stream).map(({ entity }) => entity);
  for (const entity of [...entities, ...setAside(scope, platform, stream)]) {
    await deleteRecords(scope, entity, stream.name, keys, now);
  }
}

/** Entities whose mapping cannot be used now: their records go with the rows all the same. */
function setAside(scope: Scope, { broken }: Platform, stream: Stream): Entity[] {
  return broken.flatMap(({ entity, stream: name }) =>
    name === null || name === stream.name ? (scope.entities[entity] ?? []) : [],
  );
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
