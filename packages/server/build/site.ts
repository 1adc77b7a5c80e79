import { operations } from '@unified/contract';
import { html } from '../src/html.ts';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { errorCodes, errorPage } from './error-page.ts';
import { FIELDS, groupPage } from './group-page.ts';
import { type Guide, slugOf } from './guides.ts';
import { type Content, layout, type Product } from './layout.ts';
import { groupText, guideText, llmsText, markdownPathOf } from './machine-pages.ts';
import { createMarkdown } from './markdown.ts';
import type { Described } from './property-rows.ts';
import { searchIndex } from './search-index.ts';
import { type Group, groupsOf, linkFrom, type SiteMap, siteMap } from './site-map.ts';

/** All pages of the reference, by path: `/docs`, `/docs/filtering`, `/docs/filtering.md`, `/llms.txt` and so on. */
export function sitePages(document: ReferenceDocument, release: string): Map<string, string> {
  const site = siteMap(document);
  const product: Product = { title: document.info.title, release, api: document.info.version };
  const pages = new Map<string, string>();
  const add = (content: Omit<Content, 'markdownPath'>, markdown: string) => {
    const markdownPath = markdownPathOf(content.path);
    pages.set(content.path, layout(site, product, { ...content, markdownPath }).text);
    pages.set(markdownPath, markdown);
  };
  const links = createLinks(site);
  for (const guide of site.guides) add(guideContent(site, guide, links), guideText(guide));
  const described: Described = { document, linkOfRecord: (name) => links.records.get(name) };
  for (const group of groupsOf(site)) add(groupContent(document, group, links), groupText(described, group));
  pages.set('/docs/search.json', searchIndex(document, site));
  pages.set('/llms.txt', llmsText(document, site));
  return pages;
}

/** Addresses of the things that texts mention. */
interface Links {
  /** By piece of code: error codes, kinds of events, and operations such as `GET /changes`. */
  readonly codes: ReadonlyMap<string, string>;
  /** Fields of records, by the name of their schema. */
  readonly records: ReadonlyMap<string, string>;
}

function createLinks(site: SiteMap): Links {
  const groups = groupsOf(site);
  const pathOf = new Map(groups.map(({ name, path }) => [name, path]));
  const calls = operations.map(({ id, method, path, tag }) => {
    return [`${method.toUpperCase()} ${path}`, `${pathOf.get(tag)}#${id}`] as const;
  });
  const errors = errorCodes().map(({ code }) => [code, `${site.errors.path}#${code}`] as const);
  const events = groups.flatMap(({ path, events: own }) => own.map(({ kind }) => [kind, `${path}#${kind}`] as const));
  const records = groups.flatMap(({ record, path }) => (record ? [[record, `${path}#${FIELDS}`] as const] : []));
  return { codes: new Map([...calls, ...errors, ...events]), records: new Map(records.toReversed()) };
}

/** The address of something as seen from a page. */
function linker(from: string, links: ReadonlyMap<string, string>): (name: string) => string | undefined {
  return (name) => {
    const to = links.get(name);
    return to === undefined ? undefined : linkFrom(from, to);
  };
}

function guideContent(site: SiteMap, guide: Guide, links: Links): Omit<Content, 'markdownPath'> {
  const { title, path, text } = guide;
  const markdown = createMarkdown(linker(path, links.codes));
  const body = guide === site.errors ? errorPage(text, markdown) : markdown.block(text);
  const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, each = '']) => ({ id: slugOf(each), title: each }));
  const codes = guide === site.errors ? errorCodes().map(({ code }) => ({ id: code, title: code })) : [];
  return { path, title, kind: 'guide', headings: [...titles, ...codes], body: html`<h1>${title}</h1>\n${body}` };
}

function groupContent(document: ReferenceDocument, group: Group, links: Links): Omit<Content, 'markdownPath'> {
  const linkOfCall = linker(group.path, links.codes);
  const markdown = createMarkdown(linkOfCall);
  const linkOfRecord = linker(group.path, links.records);
  const body = groupPage({ document, markdown, linkOfRecord, linkOfCall }, group);
  return { path: group.path, title: group.name, kind: 'group', headings: [], body };
}
