import { resolve } from '@unified/contract';
import { type Html, html } from '../src/html.ts';
import type { DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';
import { alternatives, nameOf } from './schema.ts';

/** Returns the address of the fields of a record, if the record has a page. */
export type LinkOfRecord = (entity: string) => string | undefined;

/** Schemas of references in responses and in requests. */
export const REFERENCES: ReadonlySet<string> = new Set(['Relation', 'RelationInput', 'RelationTarget']);

/** The type of a value in words: `reference to Currency or null`, `array of string`, `date-time`. */
export function typeOf(document: ReferenceDocument, schema: DocumentSchema, linkOf: LinkOfRecord): Html {
  const opened = isNamed(schema, linkOf) ? schema : resolve<DocumentSchema>(document, schema);
  const { options, isNullable } = alternatives(opened);
  const words = wordsOf(document, opened, options, linkOf);
  const all = isNullable ? [...words, html`null`] : words;
  return html`${all.map((word, at) => html`${at > 0 && ' or '}${word}`)}`;
}

/** Whether a schema is shown by its name: a reference, or an entity that has a page. */
function isNamed(schema: DocumentSchema, linkOf: LinkOfRecord): boolean {
  const name = nameOf(schema);
  return name !== undefined && (REFERENCES.has(name) || linkOf(name) !== undefined);
}

function wordsOf(
  document: ReferenceDocument,
  schema: DocumentSchema,
  options: readonly DocumentSchema[],
  linkOf: LinkOfRecord,
): Html[] {
  const targets = options.filter((each) => !REFERENCES.has(nameOf(each) ?? ''));
  if (targets.length === options.length) return options.map((each) => wordOf(document, each, linkOf));
  const names = new Set([...(schema['x-references'] ?? []), ...targets.flatMap((each) => nameOf(each) ?? [])]);
  if (names.size === 0) return [html`reference`];
  return [...names].map((name, at) => html`${at === 0 && 'reference to '}${linked(name, linkOf)}`);
}

function wordOf(document: ReferenceDocument, schema: DocumentSchema, linkOf: LinkOfRecord): Html {
  if (isNamed(schema, linkOf)) return linked(nameOf(schema) ?? '', linkOf);
  const opened = resolve<DocumentSchema>(document, schema);
  if (opened.anyOf && opened !== schema && alternatives(opened).options[0] !== opened)
    return typeOf(document, opened, linkOf);
  const { type, format, items, const: only, allOf, properties } = opened;
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (items) return html`array of ${typeOf(document, items, linkOf)}`;
  if (typeof type === 'string') return html`${format ?? type}`;
  return html`${allOf || properties ? 'object' : 'any value'}`;
}

function linked(name: string, linkOf: LinkOfRecord): Html {
  const link = linkOf(name);
  return link === undefined ? html`${name}` : html`<a href="${link}">${name}</a>`;
}
