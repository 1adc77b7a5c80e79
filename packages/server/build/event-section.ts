import { breakable, type Html, html } from '../src/html.ts';
import { codeBlock, heading } from './markdown.ts';
import { bodyView, parameterView, responsesView } from './operation-section.ts';
import type { Shown } from './property-list.ts';
import { responseExample } from './response-example.ts';
import { titleOf, type WebhookEvent } from './webhook-events.ts';

/** Everything about one event: its headers, its body with an example, and the responses of an endpoint. */
export function eventSection(shown: Shown, event: WebhookEvent): Html {
  const { kind, described } = event;
  const { description, parameters = [] } = described;
  return html`<section class="operation" aria-labelledby="${kind}">
${heading(2, kind, html`${titleOf(event)}`)}
<div class="split"><div class="about">
<p class="call">${kindView(event)}</p>
${description && shown.markdown.block(description)}
${parameterView(shown, 'Headers', parameters, 'response')}${bodyView(shown, described, 'response')}${responsesView(shown, described)}
</div><div class="examples">${exampleView(shown, event)}</div></div>
</section>
`;
}

/** The kind of an event, in the place where operations have their method and path. */
export function kindView({ kind }: WebhookEvent): Html {
  return html`<span class="method">EVENT</span> <code>${breakable(kind)}</code>`;
}

function exampleView({ document }: Shown, { described }: WebhookEvent): Html {
  const example = responseExample(document, described.requestBody ?? {});
  return html`<div class="response"><p class="label">Body</p>${codeBlock(JSON.stringify(example, null, 2), 'json')}</div>`;
}
