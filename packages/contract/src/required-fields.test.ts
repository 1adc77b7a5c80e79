import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flatten } from '../generate/flatten.ts';
import type { Document, Schema } from '../generate/openapi.ts';
import { resolve } from './component-references.ts';
import { clientDocument } from './index.ts';

const document = clientDocument() as unknown as Document;

interface RequiredField {
  readonly schema: string;
  readonly field: string;
  /** For example `string or null`, `list of Country`, `map of string`; for an object, the name of its schema. */
  readonly type: string;
  /** `required`, `read-only`, both or neither. */
  readonly is: string;
}

/** Fields that the specification requires. */
function required(): RequiredField[] {
  const text = readFileSync(new URL('../../../openapi/required-fields.tsv', import.meta.url), 'utf8');
  const [, ...rows] = text.trimEnd().split('\n');
  return rows.map((row) => {
    const [schema = '', field = '', type = '', is = ''] = row.split('\t');
    return { schema, field, type, is };
  });
}

/** The type of a field in the notation of the table. A relation is named by its target. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return named(schema.$ref);
  const branches = (schema.anyOf ?? []).map(typeOf).filter((name) => name !== 'Relation');
  if (branches.length > 0) return branches.join(' or ');
  const [type, ...others] = [schema.type ?? 'anything'].flat();
  return [single(String(type), schema), ...others].join(' or ');
}

/** For plain values behind a reference, such as an enumeration, the type of the value; for shared references, their target. */
function named(reference: string): string {
  const target = resolve<Schema>(document, { $ref: reference });
  const isShared = [target.type].flat()[0] === 'string' || target.anyOf !== undefined;
  return isShared ? typeOf(target) : (reference.split('/').at(-1) ?? '');
}

function single(type: string, { items, format, additionalProperties }: Schema): string {
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  if (type === 'object' && typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  // The served document gives this format to every number that has no format in the files.
  return format === undefined || format === 'double' ? type : format;
}

function described({ schema, field }: RequiredField): string {
  const flat = flatten(document, document.components.schemas?.[schema] ?? {});
  const property = flat.properties?.[field];
  if (!property) return 'absent';
  const is = [flat.required?.includes(field) && 'required', property.readOnly === true && 'read-only'];
  return `${typeOf(property)}, ${is.filter(Boolean).join(' ')}`;
}

test('the document has every field that the specification requires, of its type', () => {
  const fields = required();
  const differing = fields.filter((field) => described(field) !== `${field.type}, ${field.is}`);
  expect(differing.map((field) => `${field.schema}.${field.field}: ${described(field)}`)).toEqual([]);
  expect(fields).toHaveLength(269);
});
