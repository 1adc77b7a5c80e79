import type { Operation } from '@unified/contract';
import { type Html, html } from '../src/html.ts';
import { eventSection, kindView } from './event-section.ts';
import { codeBlock, heading } from './markdown.ts';
import { badges, callView, operationSection, type ShownOperation } from './operation-section.ts';
import { rowList } from './property-list.ts';
import { schemaExample } from './response-example.ts';
import { propertiesOf, schemaRef } from './schema.ts';
import { type Group, isDeprecated } from './site-map.ts';
import { titleOf, type WebhookEvent } from './webhook-events.ts';

/** Anchor of the fields of a group's record. */
export const FIELDS = 'fields';

/**
 * The page of a group: its operations and events, the fields of its records, and each operation and event in detail, deprecated
 * operations last.
 */
export function groupPage(shown: ShownOperation, group: Group): Html {
  const { name, description, record, operations, events } = group;
  const current = operations.filter(({ deprecated }) => !deprecated);
  const old = operations.filter(({ deprecated }) => deprecated);
  return html`<h1>${name}</h1>
<p class="lead">${shown.markdown.inline(description)}</p>
${contents(shown, [...current, ...old], events)}
${record && fieldsView(shown, record)}
${current.map((each) => operationSection(shown, each))}${events.map((each) => eventSection(shown, each))}
${old.length > 0 && html`${!isDeprecated(group) && heading(2, 'deprecated', html`Deprecated operations`)}${old.map((each) => operationSection(shown, each))}`}`;
}

/** A list of the operations and events with links to them. */
function contents(
  { document }: ShownOperation,
  operations: readonly Operation[],
  events: readonly WebhookEvent[],
): Html {
  return html`<ul class="operations">${operations.map((each) => {
    const title = document.paths[each.path]?.[each.method]?.summary ?? each.id;
    return html`<li>${callView(each)}<span><a href="#${each.id}">${title}</a> ${badges(each)}</span></li>`;
  })}${events.map((each) => html`<li>${kindView(each)}<span><a href="#${each.kind}">${titleOf(each)}</a></span></li>`)}</ul>`;
}

function fieldsView(shown: ShownOperation, record: string): Html {
  const schema = schemaRef(record);
  const fields = propertiesOf(shown.document, schema).map((each) => ({ ...each, id: `${FIELDS}.${each.name}` }));
  return html`<section aria-labelledby="${FIELDS}">${heading(2, FIELDS, html`Fields of ${record}`)}
<div class="split"><div class="about">${rowList(shown, fields, 'response', [record])}</div>
<div class="examples"><div class="response"><p class="label">Example</p>${codeBlock(JSON.stringify(schemaExample(shown.document, schema), null, 2), 'json')}</div></div></div></section>
`;
}
