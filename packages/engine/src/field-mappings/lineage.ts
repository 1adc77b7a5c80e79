import { isSecretPath, namesOfPath } from '@unified/connectors';
import { firstField } from '@unified/contract';
import { rawRowsSaved, type Scope } from '@unified/store';
import type { ConnectionModel } from '../model/connection-model.ts';

/** Where the value of one field comes from. */
export interface FieldLineage {
  readonly stream: string;
  /** Columns that the word reads, each with its value in the copied row. */
  readonly columns: readonly { readonly name: string; readonly value: unknown }[];
  /** The word as it is written in the mapping. */
  readonly word: unknown;
  /** Revision of the active mapping; 0 is the mapping of the platform. */
  readonly revision: number;
  /** When the row was stored in its current state, RFC 3339. */
  readonly readAt: string;
}

/** By field; empty if the row or the mapping no longer exists. */
export type RecordLineage = Readonly<Record<string, FieldLineage>>;

/** Identifies the row of a record. */
export interface RowOf {
  readonly entity: string;
  readonly _source: string;
  readonly _idValue: string;
}

/** The parts of a mapping that correspond to fields of records, by the name of the field. */
const PARTS = {
  _displayValue: 'display',
  _createdAt: 'created',
  _updatedAt: 'updated',
  _deletedAt: 'deleted',
} as const;

/**
 * Where the values of records come from, by the active mapping, in the order of the records. The rows of a stream are read with
 * one query. Columns whose names suggest a secret have no value.
 */
export async function lineageOf(
  scope: Scope,
  model: ConnectionModel,
  records: readonly RowOf[],
): Promise<RecordLineage[]> {
  const byStream = Map.groupBy(records, ({ _source }) => _source);
  const rows = new Map<string, SavedRow>();
  for (const [stream, group] of byStream) {
    const keys = [...new Set(group.map(({ _idValue }) => _idValue))];
    for (const row of await rawRowsSaved(scope, stream, keys)) rows.set(JSON.stringify([stream, row.key]), row);
  }
  return records.map(({ entity, _source, _idValue }) => {
    const row = rows.get(JSON.stringify([_source, _idValue]));
    return row ? recordLineage(model, entity, _source, row) : {};
  });
}

interface SavedRow {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly savedAt: string;
}

function recordLineage(
  model: ConnectionModel,
  entity: string,
  stream: string,
  { row, savedAt }: SavedRow,
): RecordLineage {
  const mapping = Object.hasOwn(model.mappings, entity) ? model.mappings[entity] : undefined;
  if (mapping?.stream !== stream) return {};
  const revision = Object.hasOwn(model.revisions, entity) ? (model.revisions[entity] ?? 0) : 0;
  const { fields, ...parts } = mapping.definition;
  const words = [
    ...Object.entries(fields),
    ...Object.entries(PARTS).flatMap(([name, part]) =>
      parts[part] === undefined ? [] : [[name, parts[part]] as const],
    ),
  ];
  const paths = Map.groupBy(mapping.paths, ({ field }) => firstField(field));
  return Object.fromEntries(
    words.map(([name, word]) => {
      const columns = [...new Set(paths.get(name)?.map(({ path }) => path))];
      const values = columns.map((path) => ({
        name: path,
        value: isSecretPath(path) ? null : valueAt(row, namesOfPath(path)),
      }));
      return [name, { stream, columns: values, word, revision, readAt: savedAt }];
    }),
  );
}

/** The value at a path, given by its names; the values of all elements if the path leads through a list. */
function valueAt(row: unknown, names: readonly string[]): unknown {
  let value: unknown = row;
  for (const [index, name] of names.entries()) {
    if (Array.isArray(value) && !/^\d+$/.test(name)) return value.map((each) => valueAt(each, names.slice(index)));
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  }
  return value ?? null;
}
