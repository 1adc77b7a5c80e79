import { type Html, html } from './html.ts';
import type { Markdown } from './markdown.ts';
import type { DocumentSchema, ReferenceDocument } from './reference-document.ts';
import { alternatives, nameOf, type Property, propertiesOf, resolved } from './schema.ts';
import { type LinkOfRecord, REFERENCES, typeOf } from './schema-type.ts';

/** What the fields of a page depend on. */
export interface Shown {
  readonly document: ReferenceDocument;
  readonly markdown: Markdown;
  readonly linkOfRecord: LinkOfRecord;
}

/** One row of a table: a parameter, a property or a field. */
export interface Row {
  readonly name: string;
  /** Its anchor, if it can be linked to. */
  readonly id?: string;
  /** Where it is sent, such as `query`. */
  readonly place?: string;
  readonly schema: DocumentSchema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

/** Which properties are shown: those of a response have no mark "required", because they are always there. */
export type Direction = 'request' | 'response';

/** The properties of an object as a list; nothing if it has none. `above` names the schemas around it. */
export function propertyList(
  shown: Shown,
  schema: DocumentSchema,
  direction: Direction,
  above: readonly string[] = [],
): Html | undefined {
  const properties = propertiesOf(shown.document, schema);
  if (properties.length === 0) return undefined;
  const inside = [...above, ...(nameOf(schema) ?? [])];
  return rows(shown, properties.map(rowOf), direction, inside);
}

function rowOf({ name, schema, isRequired }: Property): Row {
  return { name, schema, isRequired };
}

/** Rows as a list of terms with descriptions. */
export function rows(shown: Shown, all: readonly Row[], direction: Direction, above: readonly string[] = []): Html {
  return html`<dl class="fields">${all.map((row) => rowView(shown, row, direction, above))}</dl>`;
}

function rowView(shown: Shown, row: Row, direction: Direction, above: readonly string[]): Html {
  const { document, markdown } = shown;
  const schema = resolved(document, row.schema);
  const marks = marksOf(row, schema, direction);
  const text = row.description ?? schema.description;
  const facts = factsOf(schema);
  return html`<dt${row.id && html` id="${row.id}"`}><code>${row.name}</code> <span class="type">${typeOf(document, row.schema, shown.linkOfRecord)}</span>${marks.map((mark) => html` <span class="mark ${mark}">${mark}</span>`)}</dt>
<dd>${text && html`<p>${markdown.inline(text)}</p>`}${facts.length > 0 && html`<p class="facts">${facts.join(' · ')}</p>`}${valuesView(schema)}${nested(shown, row.schema, direction, above)}</dd>
`;
}

function marksOf({ place, isRequired }: Row, { readOnly }: DocumentSchema, direction: Direction): string[] {
  const isAlwaysSent = isRequired && direction === 'request';
  return [...(place ? [place] : []), ...(isAlwaysSent ? ['required'] : []), ...(readOnly ? ['read-only'] : [])];
}

/** Bounds and the default of a value in words. */
function factsOf(schema: DocumentSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: preset } = schema;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength === 1 ? undefined : minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${count(most)}${unit}`];
  return [most === undefined ? `at least ${count(least)}${unit}` : `${count(least)} to ${count(most)}${unit}`];
}

function count(number = 0): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

function valuesView(schema: DocumentSchema): Html | undefined {
  const values = schema.enum ?? schema.items?.enum;
  if (!values) return undefined;
  const list = values.map((value, at) => html`${at > 0 && ', '}<code>${JSON.stringify(value)}</code>`);
  return values.length > 12
    ? html`<details><summary>${values.length} values</summary><p>${list}</p></details>`
    : html`<p class="values">One of ${list}</p>`;
}

/** The properties of an object within a property, unless it has a page of its own or contains itself. */
function nested(
  shown: Shown,
  schema: DocumentSchema,
  direction: Direction,
  above: readonly string[],
): Html | undefined {
  const name = nameOf(schema);
  if (name !== undefined && isShownElsewhere(shown, name)) return undefined;
  const { options } = alternatives(resolved(shown.document, schema));
  const inner = options.map((each) => resolved(shown.document, each).items ?? (options.length === 1 ? schema : each));
  const lists = inner.flatMap((each) => {
    const own = nameOf(each);
    if (own !== undefined && (above.includes(own) || isShownElsewhere(shown, own))) return [];
    const list = propertyList(shown, each, direction, above);
    return list ? [list] : [];
  });
  return lists.length === 0 ? undefined : html`<details><summary>Properties</summary>${lists}</details>`;
}

function isShownElsewhere({ linkOfRecord }: Shown, name: string): boolean {
  return linkOfRecord(name) !== undefined || REFERENCES.has(name);
}
