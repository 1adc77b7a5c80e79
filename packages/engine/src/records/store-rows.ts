import type { CompiledMapping, CustomTypes, RawRow, Stream, ValueProblem } from '@unified/connectors';
import type { Entity, MappedRecord } from '@unified/contract';
import {
  deleteRawRows,
  deleteRecords,
  type FilteredCustomField,
  forgetRowProblems,
  type Pass,
  type RowProblem,
  type Scope,
  saveRawRows,
  saveRecords,
  saveRowProblems,
  storedCustomFields,
} from '@unified/store';
import { type ConnectionModel, entitiesOf } from '../model/connection-model.ts';

/** Rows of a stream as the connected system returned them. */
export interface ObservedRows {
  readonly rows: readonly RawRow[];
  /** Keys of rows that no longer exist. */
  readonly deleted: readonly string[];
}

export interface StoreOptions {
  /** Pass in which the rows are marked as seen. */
  readonly pass?: Pick<Pass, 'id'>;
  /**
   * Called with the keys of rows that differ from those stored before, while the transaction holds the lock on the
   * change log and before any record is derived. Throws to undo the transaction.
   */
  readonly beforeDeriving?: (changed: ReadonlySet<string>) => Promise<void>;
}

/**
 * Stores rows and the records derived from them, in the caller's transaction; for pages of a sync and for rows read back
 * after a write. Rows that did not change are not derived again.
 */
export async function storeRows(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  { rows, deleted }: ObservedRows,
  { pass, beforeDeriving }: StoreOptions = {},
): Promise<void> {
  const saved = await saveRawRows(scope, stream.name, rows, pass);
  const changed = new Set(saved.changed);
  await beforeDeriving?.(changed);
  const latest = new Map(rows.filter(({ key }) => changed.has(key)).map((row) => [row.key, row]));
  const isOverwritten = (row: RawRow) => saved.duplicates?.has(row.key) && latest.get(row.key) !== row;
  const overwritten = saved.duplicates ? rows.filter(isOverwritten) : [];
  await deriveRecords(scope, model, stream, [...latest.values()], overwritten);
  await removeRows(scope, model, stream, deleted);
}

/**
 * Maps rows that were just stored to the records of every entity of their stream, and stores the values that cannot be
 * used. `overwritten` are rows that one of `rows` with the same key replaced: no records are derived from them, and
 * they are counted as problems.
 */
export async function deriveRecords(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  rows: readonly RawRow[],
  overwritten: readonly RawRow[] = [],
): Promise<void> {
  if (rows.length === 0) return;
  const now = new Date().toISOString();
  const problems = new Map<string, RowProblem[]>();
  const note = (key: string, found: readonly RowProblem[]) =>
    problems.set(key, [...(problems.get(key) ?? []), ...found]);
  const mapped = entitiesOf(scope, model, stream.name);
  const typesOf = await customTypes(scope, mapped);
  for (const { mapping, entity } of mapped) {
    const types = typesOf(entity);
    const records: MappedRecord[] = [];
    const others: string[] = [];
    for (const row of rows) {
      const found: ValueProblem[] = [];
      const record = mapping.read(row, found, types);
      if (record) records.push(record);
      else others.push(row.key);
      if (found.length > 0) note(row.key, countedProblems(entity.name, found));
    }
    for (const row of overwritten) if (mapping.read(row)) note(row.key, [duplicate(entity.name, row)]);
    if (records.length > 0) await saveRecords(scope, entity, records, indexedFields(mapping));
    // A row may no longer belong to this entity, for example a party that is no longer a vendor.
    if (others.length > 0) await deleteRecords(scope, entity, stream.name, others, now);
  }
  await saveRowProblems(scope, stream.name, problems);
}

/** Types of the custom fields for which the mappings define none, as they were found in the connected system. */
async function customTypes(
  scope: Scope,
  mapped: readonly { mapping: CompiledMapping; entity: Entity }[],
): Promise<(entity: Entity) => CustomTypes> {
  const untyped = mapped.filter(({ mapping }) => mapping.customFields.needsTypes).map(({ entity }) => entity.name);
  const stored = untyped.length === 0 ? new Map() : await storedCustomFields(scope, untyped);
  return ({ name }) => new Map((stored.get(name) ?? []).map((field: FilteredCustomField) => [field.name, field.type]));
}

function indexedFields({ customFields }: CompiledMapping): FilteredCustomField[] {
  return customFields.named.flatMap(({ name, type, isIndexed }) =>
    isIndexed && type !== undefined ? [{ name, type, isIndexed }] : [],
  );
}

function duplicate(entity: string, { key }: RawRow): RowProblem {
  const message =
    'Several rows have this key, and one of them became the record. Add the columns that make the key unique.';
  return {
    entity,
    field: '_idValue',
    reason: 'duplicate_key',
    message,
    count: 1,
    example: key.slice(0, 100).toWellFormed(),
  };
}

/** The problems of one row as they are stored: each fault of a field once, with the number of its values. */
function countedProblems(entity: string, problems: readonly ValueProblem[]): RowProblem[] {
  const faults = Map.groupBy(problems, ({ field, reason, message }) => [field, reason, message].join('\n'));
  return [...faults.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ entity, ...first, count: same.length }] : [];
  });
}

/** Derives the records of stored rows again, after a mapping or the targets of their references changed. */
export async function deriveAgain(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  rows: readonly RawRow[],
): Promise<void> {
  const keys = rows.map(({ key }) => key);
  await forgetRowProblems(scope, stream.name, keys);
  await deriveRecords(scope, model, stream, rows);
}

/** Deletes rows that no longer exist in the connected system, and marks their records as deleted. */
export async function removeRows(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await deleteRawRows(scope, stream.name, keys);
  const now = new Date().toISOString();
  const entities = entitiesOf(scope, model, stream.name).map(({ entity }) => entity);
  for (const entity of [...entities, ...brokenEntities(scope, model, stream)]) {
    await deleteRecords(scope, entity, stream.name, keys, now);
  }
}

/** Entities whose mapping cannot be used now; their records are deleted with the rows as well. */
function brokenEntities(scope: Scope, { broken }: ConnectionModel, stream: Stream): Entity[] {
  return broken.flatMap(({ entity, stream: name }) =>
    name === null || name === stream.name ? (scope.entities[entity] ?? []) : [],
  );
}
