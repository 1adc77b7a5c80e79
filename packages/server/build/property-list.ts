import { resolve } from '@unified/contract';
import { type Html, html } from '../src/html.ts';
import type { DocumentSchema } from '../src/reference/reference-document.ts';
import type { Markdown } from './markdown.ts';
import { type Described, type Direction, factsOf, innerOf, marksOf, type Row, valuesOf } from './property-rows.ts';
import { nameOf, propertiesOf } from './schema.ts';
import { typeOf } from './schema-type.ts';

/** The parts of a page that its lists of properties depend on. */
export interface Shown extends Described {
  readonly markdown: Markdown;
}

/** Lists with more values than this are collapsed. */
const MOST_VALUES = 12;

/** The properties of an object as a list; undefined if it has none. `above` names the schemas that contain it. */
export function propertyList(
  shown: Shown,
  schema: DocumentSchema,
  direction: Direction,
  above: readonly string[] = [],
): Html | undefined {
  const properties = propertiesOf(shown.document, schema);
  if (properties.length === 0) return undefined;
  const name = nameOf(schema);
  return rowList(shown, properties, direction, name === undefined ? above : [...above, name]);
}

/** Rows as a list of terms with descriptions. */
export function rowList(shown: Shown, rows: readonly Row[], direction: Direction, above: readonly string[] = []): Html {
  return html`<dl class="fields">${rows.map((row) => rowView(shown, row, direction, above))}</dl>`;
}

function rowView(shown: Shown, row: Row, direction: Direction, above: readonly string[]): Html {
  const { document, markdown } = shown;
  const schema = resolve<DocumentSchema>(document, row.schema);
  const marks = marksOf(row, schema, direction);
  const text = row.description ?? schema.description;
  const facts = factsOf(schema);
  return html`<dt${row.id && html` id="${row.id}"`}><code>${row.name}</code> <span class="type">${typeOf(document, row.schema, shown.linkOfRecord)}</span>${marks.map((mark) => html` <span class="mark ${mark}">${mark}</span>`)}</dt>
<dd>${text && html`<p>${markdown.inline(text)}</p>`}${facts.length > 0 && html`<p class="facts">${facts.join(' · ')}</p>`}${valuesView(valuesOf(document, schema))}${nested(shown, row.schema, direction, above)}</dd>
`;
}

function valuesView(values: readonly string[] | undefined): Html | undefined {
  if (!values) return undefined;
  const list = values.map((value, at) => html`${at > 0 && ', '}<code>${value}</code>`);
  return values.length > MOST_VALUES
    ? html`<details><summary>${values.length} values</summary><p>${list}</p></details>`
    : html`<p class="values">One of ${list}</p>`;
}

function nested(
  shown: Shown,
  schema: DocumentSchema,
  direction: Direction,
  above: readonly string[],
): Html | undefined {
  const lists = innerOf(shown, schema, above).map((inner) => propertyList(shown, inner.schema, direction, inner.above));
  return lists.length === 0 ? undefined : html`<details><summary>Properties</summary>${lists}</details>`;
}
