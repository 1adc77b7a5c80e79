import { type Html, html } from './html.ts';
import type { Page, PageSchema } from './reference-page.ts';
import { alternatives, nameOf, resolved } from './schema.ts';

/** The address of the fields of a record, for records that have a page. */
export type LinkOfRecord = (entity: string) => string | undefined;

/** Schemas of references as they are read, and as they are sent. */
export const REFERENCES: ReadonlySet<string> = new Set(['Relation', 'RelationInput', 'RelationTarget']);

/** The type of a value in words: `reference to Currency or null`, `array of string`, `date-time`. */
export function typeOf(page: Page, schema: PageSchema, linkOf: LinkOfRecord): Html {
  const opened = isNamed(schema, linkOf) ? schema : resolved(page, schema);
  const { options, isNullable } = alternatives(opened);
  const words = wordsOf(page, opened, options, linkOf);
  const all = isNullable ? [...words, html`null`] : words;
  return html`${all.map((word, at) => html`${at > 0 && ' or '}${word}`)}`;
}

/** Whether a schema is shown by its name: a reference, or an entity that has a page. */
function isNamed(schema: PageSchema, linkOf: LinkOfRecord): boolean {
  const name = nameOf(schema);
  return name !== undefined && (REFERENCES.has(name) || linkOf(name) !== undefined);
}

function wordsOf(page: Page, schema: PageSchema, options: readonly PageSchema[], linkOf: LinkOfRecord): Html[] {
  const targets = options.filter((each) => !REFERENCES.has(nameOf(each) ?? ''));
  if (targets.length === options.length) return options.map((each) => wordOf(page, each, linkOf));
  const names = new Set([...(schema['x-references'] ?? []), ...targets.flatMap((each) => nameOf(each) ?? [])]);
  if (names.size === 0) return [html`reference`];
  return [...names].map((name, at) => html`${at === 0 && 'reference to '}${linked(name, linkOf)}`);
}

function wordOf(page: Page, schema: PageSchema, linkOf: LinkOfRecord): Html {
  if (isNamed(schema, linkOf)) return linked(nameOf(schema) ?? '', linkOf);
  const opened = resolved(page, schema);
  if (opened.anyOf && opened !== schema && alternatives(opened).options[0] !== opened)
    return typeOf(page, opened, linkOf);
  const { type, format, items, const: only, allOf, properties } = opened;
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (items) return html`array of ${typeOf(page, items, linkOf)}`;
  if (typeof type === 'string') return html`${format ?? type}`;
  return html`${allOf || properties ? 'object' : 'any value'}`;
}

function linked(name: string, linkOf: LinkOfRecord): Html {
  const link = linkOf(name);
  return link === undefined ? html`${name}` : html`<a href="${link}">${name}</a>`;
}
