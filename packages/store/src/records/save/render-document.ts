import { type Entity, type Field, recordAddress } from '@unified/contract';
import { interfacesOf, perEntity } from '../../tables/derive-table.ts';
import { type DocumentField, type Revision, revise } from './changed-fields.ts';
import { type Draft, numberOf, readerOf, textOf } from './record-draft.ts';
import type { Target } from './targets.ts';

/** Writes the value of one field as JSON. */
type Write = (draft: Draft, publicUrl: string) => string;

/**
 * The rendered response for a record: the fields of the contract in its order, as JSON text. A field without a value is null,
 * or left out if null is not allowed.
 */
export function renderDocument(entity: Entity, draft: Draft, publicUrl: string): string {
  let text = '';
  for (const { prefix, write } of plan(entity)) {
    const value = write(draft, publicUrl);
    if (value !== '') text += text === '' ? prefix + value : `,${prefix}${value}`;
  }
  return `{${text}}`;
}

/** The same for a stored record, with the names of the fields that changed; null if the documents cannot be compared. */
export function reviseDocument(entity: Entity, draft: Draft, before: string, publicUrl: string): Revision | null {
  const fields = plan(entity);
  return revise(before, fields, (index) => fields[index]?.write(draft, publicUrl) ?? '');
}

interface RenderedField extends DocumentField {
  /** Empty for a field that is left out. */
  readonly write: Write;
}

const plan = perEntity((entity): readonly RenderedField[] =>
  entity.fields.map((field) => ({
    name: field.name,
    prefix: `${JSON.stringify(field.name)}:`,
    write: writer(entity, field),
  })),
);

function writer(entity: Entity, field: Field): Write {
  const common = Object.hasOwn(commonFields, field.name) ? commonFields[field.name] : undefined;
  if (common) return common;
  if (field.name === '_implements') {
    const names = JSON.stringify(interfacesOf(entity));
    return () => names;
  }
  return ownField(field);
}

const commonFields: Readonly<Record<string, Write>> = {
  id: (draft) => `"${draft.id}"`,
  code: (draft) => JSON.stringify(draft.code),
  _source: (draft) => JSON.stringify(draft.record._source),
  _idValue: (draft) => JSON.stringify(draft.record._idValue),
  _displayValue: (draft) => JSON.stringify(draft.displayValue),
  _createdAt: (draft) => JSON.stringify(draft.createdAt),
  _updatedAt: (draft) => JSON.stringify(draft.updatedAt),
  _deletedAt: (draft) => JSON.stringify(draft.deletedAt),
};

function ownField(field: Field): Write {
  const { name, kind, nullable } = field;
  const none = kind === 'custom' ? '{}' : nullable ? 'null' : '';
  if (kind === 'relation') {
    return ({ links }, publicUrl) => {
      const target = links[name];
      return isTarget(target) ? linkJson(target, publicUrl) : none;
    };
  }
  if (kind === 'relations') {
    return ({ links }, publicUrl) => {
      const found = links[name];
      if (found === null) return '[]';
      return Array.isArray(found) ? `[${found.map((target: Target) => linkJson(target, publicUrl)).join(',')}]` : none;
    };
  }
  const toJson = jsonOf[kind];
  const read = readerOf(field);
  return (draft) => {
    const value = read(draft);
    return value === undefined || value === null ? none : (toJson(value) ?? none);
  };
}

const textJson = (value: unknown) => {
  const text = textOf(value);
  return text === null ? null : JSON.stringify(text);
};

const jsonOf: Readonly<Record<Exclude<Field['kind'], 'relation' | 'relations'>, (value: unknown) => string | null>> = {
  text: textJson,
  enum: textJson,
  date: textJson,
  datetime: textJson,
  number: numberOf,
  integer: numberOf,
  boolean: (value) => (typeof value === 'boolean' ? String(value) : null),
  texts: (value) => (Array.isArray(value) ? `[${value.flatMap((each) => textJson(each) ?? []).join(',')}]` : null),
  objects: (value) => (Array.isArray(value) ? JSON.stringify(value) : null),
  object: (value) => JSON.stringify(value) ?? null,
  custom: (value) => JSON.stringify(value) ?? null,
};

function isTarget(value: Draft['links'][string] | undefined): value is Target {
  return value !== null && value !== undefined && !Array.isArray(value);
}

/** A reference as responses contain it. */
export interface Link {
  readonly id: string;
  readonly _idValue: string;
  readonly _displayValue: string;
  readonly rel: string;
  readonly href: string;
}

/** The complete reference to a record. */
export function linkTo({ id, _idValue, _displayValue, entity, collection }: Target, publicUrl: string): Link {
  return { id, _idValue, _displayValue, rel: entity, href: recordAddress(publicUrl, collection, id) };
}

function linkJson(target: Target, publicUrl: string): string {
  return JSON.stringify(linkTo(target, publicUrl));
}
