import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { batchesBySize } from '../../sql/batches-by-size.ts';
import { arrayText, jsonArray } from '../../sql/parameter.ts';
import { bulkStatement } from '../../sql/statement.ts';
import { perEntity, tableOf } from '../../tables/derive-table.ts';
import { type ColumnWriter, columnWriters } from './column-writers.ts';
import type { Draft } from './record-draft.ts';

/** A record to store, with its rendered document and the number of its last change. */
export interface Finished {
  readonly draft: Draft;
  readonly doc: string;
  /** Names of the fields that differ from the stored document; null for a new record, or if the fields are not known. */
  readonly changed: readonly string[] | null;
  readonly version: number;
}

/** Maximum number of characters in the documents that one statement stores. V8 cannot join hundreds of long ones. */
const MOST_AT_ONCE = 8_000_000;

/**
 * Prepares the statements that store records, and returns a function that sends them: writing the values of thousands of
 * columns takes a while, during which PostgreSQL can store other records. Long documents need several statements.
 */
export function prepareSave(scope: Scope, entity: Entity, records: readonly Finished[]): () => Promise<void> {
  const revised = records.filter(({ changed }) => changed !== null);
  const others = revised.length === 0 ? records : records.filter(({ changed }) => changed === null);
  const batches = [
    ...inBatches(others).map((batch) => () => prepareUpsert(scope, entity, batch)),
    ...inBatches(revised).map((batch) => () => prepareUpdate(scope, entity, batch)),
  ];
  const [first, ...rest] = batches;
  const sendFirst = first?.();
  return async () => {
    await sendFirst?.();
    for (const prepare of rest) await prepare()();
  };
}

function inBatches(records: readonly Finished[]): (readonly Finished[])[] {
  return [...batchesBySize(records, ({ doc }) => doc.length, MOST_AT_ONCE)];
}

/** A column of a statement, with its values as one array. */
interface SentColumn {
  readonly name: string;
  readonly type: string;
  readonly values: string;
}

/**
 * Inserts records, or replaces them: columns that are not sent become null. Columns for which no record has a value, which are
 * most columns of a wide table, are not sent.
 */
function prepareUpsert(scope: Scope, entity: Entity, records: readonly Finished[]): () => Promise<void> {
  const columns = columnWriters(entity).flatMap((column) => {
    const values = records.map(({ draft }) => column.write(draft));
    return values.some((value) => value !== null) ? [sent(column, values)] : [];
  });
  const given = [...columns, versionsOf(records)];
  const names = [...given.map(({ name }) => `"${name}"`), 'doc'];
  const text = `insert into ${tableOf(entity)} (connection_id, ${names.join(', ')})
    select $1::uuid, given.* from ${sourceOf(given)}
    on conflict (connection_id, id) do update set ${replacement(entity)}`;
  return sendBy(scope, text, given, records);
}

/**
 * Updates stored records. Only the columns of fields that changed in any of them are sent. The list of ids in the condition is
 * always looked up in the index. With only a join with the values, PostgreSQL might read all records of the connection.
 */
function prepareUpdate(scope: Scope, entity: Entity, records: readonly Finished[]): () => Promise<void> {
  const changed = new Set(records.flatMap((record) => record.changed ?? []));
  const columns = columnWriters(entity).filter(({ name }) => name !== 'id' && changed.has(name));
  const ids = { name: 'id', type: 'uuid', values: arrayText(records.map(({ draft }) => draft.id)) };
  const valuesOf = ({ write }: ColumnWriter) => records.map(({ draft }) => write(draft));
  const replaced = [...columns.map((column) => sent(column, valuesOf(column))), versionsOf(records)];
  const given = [ids, ...replaced];
  const text = `update ${tableOf(entity)} stored
    set ${replaced.map(({ name }) => `"${name}" = given."${name}"`).join(', ')}, doc = given.doc
    from ${sourceOf(given)}
    where stored.connection_id = $1::uuid and stored.id = any($${FIRST}::uuid[]) and stored.id = given.id`;
  return sendBy(scope, text, given, records);
}

function sent({ name, type }: ColumnWriter, values: readonly (string | null)[]): SentColumn {
  return { name, type, values: arrayText(values) };
}

function versionsOf(records: readonly Finished[]): SentColumn {
  return { name: 'version', type: 'bigint', values: arrayText(records.map(({ version }) => String(version))) };
}

/** Number of the parameter for the first column; the parameter before it is the connection. */
const FIRST = 2;

const isArray = (type: string) => type.endsWith('[]');

/**
 * The values as rows. `unnest` would flatten arrays of arrays, so arrays are sent as text. `offset 0` keeps their conversion in the
 * subquery: Citus refuses functions that depend on settings in what is assigned to a column.
 */
function sourceOf(columns: readonly SentColumn[]): string {
  const arrays = columns.map(({ type }, index) => `$${index + FIRST}::${isArray(type) ? 'text' : type}[]`);
  const names = [...columns.map(({ name }) => `"${name}"`), 'doc'].join(', ');
  const values = columns.map(({ name, type }) => (isArray(type) ? `"${name}"::${type}` : `"${name}"`));
  const rows = `unnest(${arrays.join(', ')}, $${columns.length + FIRST}::json[]) sent(${names})`;
  return `(select ${[...values, 'doc'].join(', ')} from ${rows} offset 0) given`;
}

function sendBy(scope: Scope, text: string, columns: readonly SentColumn[], records: readonly Finished[]) {
  const docs = jsonArray(records.map(({ doc }) => doc));
  const values = [scope.connectionId, ...columns.map((column) => column.values), docs];
  return async () => void (await sessionOf(scope).texts(bulkStatement(text), values));
}

/** Sets every column of a record that is replaced. */
const replacement = perEntity((entity) =>
  [...columnWriters(entity).map(({ name }) => `"${name}"`), 'version', 'doc']
    .filter((name) => name !== '"id"')
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
);
