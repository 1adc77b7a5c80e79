import type { ReferenceDocument } from '../src/reference/reference-document.ts';

/** A page of prose. */
export interface Guide {
  readonly title: string;
  /** Its name in the menu, which differs from the title only for the first guide. */
  readonly menuTitle: string;
  /** `/docs/filtering`; the first guide is at `/docs`. */
  readonly path: string;
  /** Its text, without the title. */
  readonly text: string;
}

/**
 * The guides: one for each section of the description; sections begin with `# `. The first guide, at `/docs`, is the
 * introduction together with the section Quickstart.
 */
export function guidesOf({ title, description }: ReferenceDocument['info']): Guide[] {
  const [introduction, ...sections] = sectionsOf(description);
  const quickstart = sections.shift();
  if (!introduction || quickstart?.title !== 'Quickstart')
    throw new Error('info.description does not begin with an introduction and the section Quickstart.');
  const first = {
    title,
    menuTitle: quickstart.title,
    path: '/docs',
    text: `${introduction.text}\n\n${quickstart.text}`,
  };
  return [first, ...sections.map((each) => ({ ...each, menuTitle: each.title, path: `/docs/${slugOf(each.title)}` }))];
}

/**
 * The sections of a Markdown text. Text before the first heading becomes a section without a title. Comments in code are not
 * headings.
 */
function sectionsOf(text: string): { title: string; text: string }[] {
  const sections = [{ title: '', lines: [] as string[] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && line.startsWith('# ')) sections.push({ title: line.slice(2), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}

/** The part of an address that is derived from a title: `Lists and paging` becomes `lists-and-paging`. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
