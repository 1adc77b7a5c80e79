import { breakable, type Html, html } from '../src/html.ts';
import { linkFrom, type SiteMap } from './site-map.ts';

/** What every page shows: the name and versions of the product. */
export interface Product {
  readonly title: string;
  /** Version of the release, for example `0.1.0`. */
  readonly release: string;
  /** Version of the API, for example `4.0.0`. */
  readonly api: string;
}

/** One page without the layout around it. */
export interface Content {
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  readonly kind: 'guide' | 'group';
  /** Path of the page as Markdown. */
  readonly markdownPath: string;
  /** Headings of the page, for the menu next to it. */
  readonly headings: readonly { readonly id: string; readonly title: string }[];
}

/** A complete page: header, menu, content and the dialog of the search. */
export function layout(site: SiteMap, product: Product, content: Content): Html {
  const { path, title, body, kind, markdownPath } = content;
  const link = (to: string) => linkFrom(path, to);
  const isHome = path === '/docs';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isHome ? product.title : `${title} – ${product.title}`}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${link(markdownPath)}">
<link rel="stylesheet" href="${link('/docs/reference.css')}">
<script src="${link('/docs/choices.js')}"></script>
<script type="module" src="${link('/docs/reference.js')}"></script>
<script type="module" src="${link('/docs/search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="menu-button" aria-expanded="false" aria-controls="menu">Menu</button>
<a class="brand" href="${link('/docs')}">${product.title}</a>
<span class="versions"><span>Release ${product.release}</span> <span>API ${product.api}</span></span>
<button type="button" class="search-button" aria-keyshortcuts="Control+K"><span>Search</span> <kbd>Ctrl K</kbd></button>
<button type="button" class="theme-button" aria-label="Switch between light and dark"><span aria-hidden="true">◐</span></button>
</header>
<div class="page ${kind}${hasContents(content) && ' with-contents'}">
${menu(site, path)}
<main id="content">
${body}
<footer><a href="${link(markdownPath)}">This page as Markdown</a> <a href="${link('/openapi.json')}">OpenAPI document</a> <a href="${link('/llms.txt')}">llms.txt</a> <span>Release ${product.release}, API ${product.api}</span></footer>
</main>
${hasContents(content) && contents(content)}
</div>
<dialog class="search" aria-label="Search">
<input type="search" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" aria-label="Search the reference" placeholder="Search guides, operations, fields and errors" autocomplete="off" spellcheck="false" data-index="${link('/docs/search.json')}" data-root="${link('/docs')}">
<div id="hits" role="listbox" aria-label="Results"></div>
<p class="status" role="status"></p>
</dialog>
<p class="unseen" id="announcement" role="status"></p>
</body>
</html>
`;
}

/** Links to all pages. Only the area of the current page is open. */
function menu({ guides, areas }: SiteMap, path: string): Html {
  const entry = (to: string, name: string) =>
    html`<li><a href="${linkFrom(path, to)}"${to === path && html` aria-current="page"`}>${name}</a></li>`;
  return html`<nav id="menu" aria-label="Reference">
<h2>Guides</h2><ul>${guides.map((each) => entry(each.path, each.menuTitle))}</ul>
<h2>API</h2>${areas.map(({ name, groups }) => {
    const isOpen = groups.some((each) => each.path === path);
    return html`<details${isOpen && html` open`}><summary>${name}</summary><ul>${groups.map((each) => entry(each.path, each.name))}</ul></details>`;
  })}
</nav>`;
}

/** Whether a page has enough headings for its own menu. The operations of a group are listed in its text. */
function hasContents({ headings }: Content): boolean {
  return headings.length > 1;
}

/** Links to the headings of a guide. */
function contents({ headings }: Content): Html {
  return html`<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${headings.map(
    ({ id, title }) => html`<li><a href="#${id}">${/^[A-Z_]+$/.test(title) ? breakable(title) : title}</a></li>`,
  )}</ul></nav>`;
}
