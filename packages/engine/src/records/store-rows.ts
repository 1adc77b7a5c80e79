import type { CompiledMapping, CustomTypes, RawRow, Stream, ValueProblem } from '@unified/connectors';
import type { Entity, MappedRecord } from '@unified/contract';
import {
  deleteRawRows,
  deleteRecords,
  entityIn,
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
   * Called with the keys of rows that differ from those stored before, while the transaction holds the lock on the change log
   * and before any record is stored. It can throw to undo the transaction.
   */
  readonly beforeDeriving?: (changed: ReadonlySet<string>) => Promise<void>;
  /** Called while PostgreSQL stores the last records, if a row changed and contains one: for work that needs no database. */
  readonly whileStoring?: (() => void) | undefined;
}

/**
 * Stores rows and the records derived from them, in the caller's transaction. Used for pages of a sync and for rows read back
 * after a write. Rows that did not change are not derived again.
 */
export async function storeRows(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  { rows, deleted }: ObservedRows,
  { pass, beforeDeriving, whileStoring }: StoreOptions = {},
): Promise<void> {
  const read = await rowReader(scope, model, stream);
  let derived: Derived | undefined;
  const saved = await saveRawRows(scope, stream.name, rows, pass, ({ changed, duplicates }) => {
    const keys = new Set(changed);
    const latest = new Map(rows.filter(({ key }) => keys.has(key)).map((row) => [row.key, row]));
    const isOverwritten = (row: RawRow) => duplicates?.has(row.key) && latest.get(row.key) !== row;
    derived = read([...latest.values()], duplicates ? rows.filter(isOverwritten) : []);
  });
  await beforeDeriving?.(new Set(saved.changed));
  if (derived) await saveDerived(scope, stream, derived, whileStoring);
  await removeRows(scope, model, stream, deleted);
}

/** Maps stored rows to the records of every entity of their stream, and stores these records. */
export async function deriveRecords(
  scope: Scope,
  model: ConnectionModel,
  stream: Stream,
  rows: readonly RawRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const read = await rowReader(scope, model, stream);
  await saveDerived(scope, stream, read(rows));
}

/** The records that rows of a stream contain. */
interface Derived {
  readonly entities: readonly {
    readonly entity: Entity;
    readonly mapping: CompiledMapping;
    readonly records: readonly MappedRecord[];
    /** Keys of rows that contain no record of the entity. */
    readonly others: readonly string[];
  }[];
  /** Values that cannot be used, by the key of their row. */
  readonly problems: ReadonlyMap<string, readonly RowProblem[]>;
}

/**
 * Returns a function that maps rows to the records of every entity of their stream. Its second parameter contains rows that
 * were replaced by another one with the same key: no records are derived from them, and they are counted as problems.
 */
async function rowReader(scope: Scope, model: ConnectionModel, stream: Stream) {
  const mapped = entitiesOf(scope, model, stream.name);
  const typesOf = await customTypes(scope, mapped);
  return (rows: readonly RawRow[], overwritten: readonly RawRow[] = []): Derived => {
    const problems = new Map<string, RowProblem[]>();
    const note = (key: string, found: readonly RowProblem[]) =>
      problems.set(key, [...(problems.get(key) ?? []), ...found]);
    const entities = mapped.map(({ mapping, entity }) => {
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
      return { entity, mapping, records, others };
    });
    return { entities, problems };
  };
}

async function saveDerived(
  scope: Scope,
  stream: Stream,
  { entities, problems }: Derived,
  whileStoring?: () => void,
): Promise<void> {
  const now = new Date().toISOString();
  for (const { entity, mapping, records, others } of entities) {
    const options = { indexed: indexedFields(mapping), whileStoring };
    if (records.length > 0) await saveRecords(scope, entity, records, options);
    // A row may no longer belong to this entity, for example a party that is no longer a vendor.
    if (others.length > 0) await deleteRecords(scope, entity, stream.name, others, now);
  }
  await saveRowProblems(scope, stream.name, problems);
}

/** Types of the custom fields for which the mappings define none, as found in the connected system. */
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

/** The problems of one row in the form in which they are stored: each fault of a field once, with the number of its values. */
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
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key);
  await forgetRowProblems(scope, stream.name, keys);
  await deriveRecords(scope, model, stream, rows);
}

/** Marks records as deleted whose entities no longer belong to a stream, although the stream still has their rows. */
export async function removeRecordsOf(
  scope: Scope,
  stream: Stream,
  entities: readonly string[],
  keys: readonly string[],
): Promise<void> {
  const now = new Date().toISOString();
  for (const name of entities) await deleteRecords(scope, entityIn(scope, name), stream.name, keys, now);
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

/** Entities whose mapping cannot be used now. Their records are deleted together with the rows as well. */
function brokenEntities(scope: Scope, { broken }: ConnectionModel, stream: Stream): Entity[] {
  return broken.flatMap(({ entity, stream: name }) =>
    name === null || name === stream.name ? (scope.entities[entity] ?? []) : [],
  );
}
