import { bodyText, parametersText, responsesText } from './operation-text.ts';
import type { Described } from './property-rows.ts';
import { responseExample } from './response-example.ts';
import { titleOf, type WebhookEvent } from './webhook-events.ts';

/** One event as Markdown, with everything that its section on the HTML page contains. */
export function eventText(described: Described, event: WebhookEvent): string {
  const { kind, described: node } = event;
  const example = responseExample(described.document, node.requestBody ?? {});
  return [
    `## ${titleOf(event)}`,
    `Event \`${kind}\``,
    ...(node.description ? [node.description] : []),
    ...parametersText(described, 'Headers', node.parameters ?? [], 'response'),
    ...bodyText(described, node, 'response'),
    `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``,
    ...responsesText(described, node),
  ].join('\n\n');
}
