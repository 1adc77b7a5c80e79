import { withErrorTable } from '@unified/contract';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { eventText } from './event-text.ts';
import type { Guide } from './guides.ts';
import { fieldsText, operationText } from './operation-text.ts';
import type { Described } from './property-rows.ts';
import type { Group, SiteMap } from './site-map.ts';

/** The path of a page as Markdown. */
export function markdownPathOf(path: string): string {
  return path === '/docs' ? '/docs/quickstart.md' : `${path}.md`;
}

/** A guide as Markdown. The guide on errors has a table of the codes. */
export function guideText({ title, text }: Guide): string {
  return `# ${title}\n\n${withErrorTable(text)}\n`;
}

/** A group as Markdown: the fields of its records, its operations, deprecated ones last, and its events. */
export function groupText(described: Described, { name, description, record, operations, events }: Group): string {
  const ordered = operations.toSorted((one, other) => Number(one.deprecated) - Number(other.deprecated));
  return [
    `# ${name}`,
    description,
    ...(record ? [`## Fields of ${record}`, fieldsText(described, record)] : []),
    ...ordered.map((each) => operationText(described, each)),
    ...events.map((each) => eventText(described, each)),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The list of pages for language models: https://llmstxt.org. */
export function llmsText({ info, servers }: ReferenceDocument, { guides, areas }: SiteMap): string {
  const origin = new URL(servers[0]?.url ?? '').origin;
  const line = (title: string, path: string, about: string) =>
    `- [${title}](${origin}${markdownPathOf(path)})${about && `: ${about}`}`;
  return [
    `# ${info.title}`,
    `> ${info.summary}`,
    `The whole API as an OpenAPI document: ${origin}/openapi.json`,
    '## Guides',
    guides.map(({ menuTitle, path }) => line(menuTitle, path, '')).join('\n'),
    ...areas.flatMap(({ name, groups }) => [
      `## ${name}`,
      groups.map((each) => line(each.name, each.path, each.description)).join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}
