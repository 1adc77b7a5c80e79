import type { Field } from '@unified/contract';
import { arrayText } from '../../sql/parameter.ts';
import { columnType, isDocumentKind, isIndexed, LONGEST_INDEXED, perEntity } from '../../tables/derive-table.ts';
import { type Draft, numberOf, readerOf, textOf } from './record-draft.ts';
import type { Target } from './targets.ts';

/**
 * Formats the value of one column for PostgreSQL. A value that the column cannot store becomes null; the document still
 * contains it.
 */
type Write = (draft: Draft) => string | null;

/** A column of a table that comes from a field. */
export interface ColumnWriter {
  readonly name: string;
  readonly type: string;
  readonly write: Write;
}

/** The columns of an entity that come from its fields, in the order of the table. */
export const columnWriters = perEntity((entity): readonly ColumnWriter[] =>
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

/** PostgreSQL refuses NUL and unpaired surrogates in `jsonb`. */
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
/** Times that are certain to exist; `Date.parse` takes ten times as long. */
const PLAIN_TIME = /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z$/;

function timeText(text: string | null): string | null {
  if (text === null || PLAIN_TIME.test(text)) return text;
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) return null;
  return text.length === 10 ? `${text}T00:00:00Z` : text;
}
