import type { Entity, Field } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { batchesBySize } from '../../sql/batches-by-size.ts';
import { arrayText } from '../../sql/parameter.ts';
import { bulkStatement } from '../../sql/statement.ts';
import {
  columnType,
  isDocumentKind,
  isIndexed,
  LONGEST_INDEXED,
  perEntity,
  tableOf,
} from '../../tables/derive-table.ts';
import { type Draft, numberOf, readerOf, textOf } from './record-draft.ts';
import type { Target } from './targets.ts';

/** A record to store, with its rendered document and the number of its last change. */
export interface Finished {
  readonly draft: Draft;
  readonly doc: string;
  readonly version: number;
}

/** Characters of the documents that one statement stores. V8 cannot join hundreds of long ones. */
const MOST_AT_ONCE = 8_000_000;

/**
 * Prepares the statement that inserts or replaces records, and returns a function that sends it: the values of thousands of
 * columns take a while to write, during which PostgreSQL can store other records. Long documents need several statements.
 */
export function prepareUpsert(scope: Scope, entity: Entity, records: readonly Finished[]): () => Promise<void> {
  const [first = [], ...others] = batchesBySize(records, ({ doc }) => doc.length, MOST_AT_ONCE);
  const sendFirst = prepareBatch(scope, entity, first);
  return async () => {
    await sendFirst();
    for (const batch of others) await prepareBatch(scope, entity, batch)();
  };
}

/**
 * Each column is sent as one array, the documents as one JSON array. Columns without a value in any of the records, which are
 * most of a wide table, are not sent.
 */
function prepareBatch(scope: Scope, entity: Entity, records: readonly Finished[]): () => Promise<void> {
  if (records.length === 0) return async () => {};
  const columns = columnWriters(entity).flatMap(({ name, type, write }) => {
    const values = records.map(({ draft }) => write(draft));
    return values.some((value) => value !== null) ? [{ name, type, values: arrayText(values) }] : [];
  });
  const versions = arrayText(records.map(({ version }) => String(version)));
  const sent = [...columns, { name: 'version', type: 'bigint', values: versions }];
  const docs = `[${records.map(({ doc }) => doc).join(',')}]`;
  const statement = bulkStatement(upsertSql(entity, sent));
  const values = [scope.connectionId, ...sent.map((column) => column.values), docs];
  return async () => void (await sessionOf(scope).texts(statement, values));
}

/** The statement with these columns; the others of a record that is replaced become null. */
function upsertSql(entity: Entity, columns: readonly Pick<ColumnWriter, 'name' | 'type'>[]): string {
  const names = [...columns.map(({ name }) => `"${name}"`), 'doc'];
  // unnest would flatten arrays of arrays, so these are sent as text.
  const isArray = (type: string) => type.endsWith('[]');
  const given = columns.map(({ type }, index) => `$${index + 2}::${isArray(type) ? 'text' : type}[]`).join(', ');
  const selected = [...columns.map(({ type }, index) => names[index] + (isArray(type) ? `::${type}` : '')), 'doc'];
  // A JSON array needs no escaping of its documents, which are full of quotes.
  const source = `rows from (unnest(${given}), json_array_elements($${columns.length + 2}::json))`;
  return `insert into ${tableOf(entity)} (connection_id, ${names.join(', ')})
    select $1::uuid, ${selected.join(', ')} from ${source} given(${names.join(', ')})
    on conflict (connection_id, id) do update set ${replacement(entity)}`;
}

/** Sets every column of a record that is replaced. */
const replacement = perEntity((entity) =>
  [...columnWriters(entity).map(({ name }) => `"${name}"`), 'version', 'doc']
    .filter((name) => name !== '"id"')
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
);

/** Formats the value of one column for PostgreSQL. A value that the column cannot store becomes null; the document keeps it. */
type Write = (draft: Draft) => string | null;

interface ColumnWriter {
  readonly name: string;
  readonly type: string;
  readonly write: Write;
}

/** The columns of an entity that come from its fields, in the order of the table. */
const columnWriters = perEntity((entity): readonly ColumnWriter[] =>
  entity.fields.flatMap((field) => {
    const type = columnType(field);
    return type === undefined ? [] : [{ name: field.name, type, write: writer(field) }];
  }),
);

function writer(field: Field): Write {
  const common = Object.hasOwn(commonColumns, field.name) ? commonColumns[field.name] : undefined;
  if (common) return common;
  const { name, kind } = field;
  if (kind === 'relation' || kind === 'relations') return ({ links }) => linkIds(links[name]);
  const toText = kind === 'text' && !isIndexed(field) ? textOf : isDocumentKind(kind) ? () => null : columnText[kind];
  const read = readerOf(field);
  return (draft) => {
    const value = read(draft);
    return value === undefined || value === null ? null : toText(value);
  };
}

const commonColumns: Readonly<Record<string, Write>> = {
  id: (draft) => draft.id,
  code: (draft) => plain(draft.code),
  _source: (draft) => draft.record._source,
  _idValue: (draft) => draft.record._idValue,
  _displayValue: (draft) => plain(draft.displayValue),
  _createdAt: (draft) => timeText(draft.createdAt),
  _updatedAt: (draft) => timeText(draft.updatedAt),
  _deletedAt: (draft) => timeText(draft.deletedAt),
};

const columnText = {
  text: (value: unknown) => plain(textOf(value)),
  enum: (value: unknown) => plain(textOf(value)),
  date: (value: unknown) => timeText(textOf(value)),
  datetime: (value: unknown) => timeText(textOf(value)),
  number: numberOf,
  integer: numberOf,
  boolean: (value: unknown) => (typeof value === 'boolean' ? String(value) : null),
  texts: (value: unknown) =>
    Array.isArray(value) ? arrayText(value.flatMap((each) => plain(textOf(each)) ?? [])) : null,
  custom: customText,
} as const;

/** PostgreSQL refuses NUL and half surrogate pairs in `jsonb`. */
function customText(value: unknown): string | null {
  const entries = Object.entries(value ?? {});
  if (entries.length === 0) return null;
  const stored = (part: unknown) => (typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part);
  return JSON.stringify(Object.fromEntries(entries.map(([name, part]) => [stored(name), stored(part)])));
}

function linkIds(found: Draft['links'][string] | undefined): string | null {
  if (Array.isArray(found)) return arrayText(found.map((target: Target) => target.id));
  return found && 'id' in found ? found.id : null;
}

function plain(text: string | null): string | null {
  if (text === null) return null;
  return text.length > LONGEST_INDEXED ? text.slice(0, LONGEST_INDEXED) : text;
}

const TIME = /^\d{4}-\d{2}-\d{2}(T|$)/;

function timeText(text: string | null): string | null {
  if (text === null || !TIME.test(text) || Number.isNaN(Date.parse(text))) return null;
  return text.length === 10 ? `${text}T00:00:00Z` : text;
}
