import type { Operation } from '@unified/contract';
import { errorText } from './error-page.ts';
import type { Guide } from './guides.ts';
import type { ReferenceDocument } from './reference-document.ts';
import { type Group, isPlanned, type SiteMap } from './site-map.ts';

/** The path of a page as Markdown. */
export function markdownPathOf(path: string): string {
  return path === '/docs' ? '/docs/quickstart.md' : `${path}.md`;
}

/** A guide as Markdown. */
export function guideText({ title, text }: Guide): string {
  return `# ${title}\n\n${title === 'Errors' ? errorText(text) : text}\n`;
}

/** The operations of a group as Markdown, with their code samples. */
export function groupText(document: ReferenceDocument, { name, description, operations }: Group): string {
  return [`# ${name}`, description, ...operations.map((each) => operationText(document, each))]
    .join('\n\n')
    .concat('\n');
}

function operationText(document: ReferenceDocument, { id, path, method, bases, kind, deprecated }: Operation): string {
  const { summary = id, description = '', 'x-codeSamples': samples = [] } = document.paths[path]?.[method] ?? {};
  const marks = [...(kind === 'planned' ? ['Not available yet.'] : []), ...(deprecated ? ['Deprecated.'] : [])];
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${bases[0] ?? ''}${path}\` (operation \`${id}\`)`,
    ...marks,
    description,
    ...samples.map(({ lang, source }) => `\`\`\`${lang === 'curl' ? 'sh' : 'ts'}\n${source}\n\`\`\``),
  ].join('\n\n');
}

/** The list of the pages for language models: https://llmstxt.org. */
export function llmsText({ info, servers }: ReferenceDocument, { guides, areas }: SiteMap): string {
  const origin = new URL(servers[0]?.url ?? '').origin;
  const line = (title: string, path: string, about: string) =>
    `- [${title}](${origin}${markdownPathOf(path)})${about && `: ${about}`}`;
  return [
    `# ${info.title}`,
    `> ${info.summary}`,
    `The whole API as an OpenAPI document: ${origin}/openapi.json`,
    '## Guides',
    guides.map(({ title, path }) => line(path === '/docs' ? 'Quickstart' : title, path, '')).join('\n'),
    ...areas.flatMap(({ name, groups }) => [
      `## ${name}${groups.every(isPlanned) ? ' (not available yet)' : ''}`,
      groups.map((each) => line(each.name, each.path, each.description)).join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}
