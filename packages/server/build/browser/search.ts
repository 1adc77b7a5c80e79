// The search of the reference: loads the index, and shows the results in a dialog.
import type { Options, SearchResult } from 'minisearch';
import { element } from './element.ts';

interface Search {
  /** The results for a text, best first. */
  find(text: string): SearchResult[];
}

const MOST = 20;
const dialog = element<HTMLDialogElement>('dialog.search');
const input = element<HTMLInputElement>('dialog.search input');
const list = element('#hits');
const status = element('dialog.search .status');
let downloading: Promise<[typeof import('minisearch'), string]> | undefined;
let loading: Promise<Search> | undefined;
/** The last update of the list. */
let latest = Promise.resolve();

/** Downloads the search library and its index once, or again after a failure. */
function download(): Promise<[typeof import('minisearch'), string]> {
  downloading ??= Promise.all([
    import(new URL('minisearch.js', import.meta.url).href) as Promise<typeof import('minisearch')>,
    fetch(input.dataset.index ?? '').then((response) => {
      if (!response.ok) throw new Error(`The index of the search returned ${response.status}.`);
      return response.text();
    }),
  ]).catch((error: unknown) => {
    downloading = undefined;
    throw error;
  });
  return downloading;
}

/** Prepares the search once, or again after a failure. */
function load(): Promise<Search> {
  loading ??= loadSearch().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadSearch(): Promise<Search> {
  const [{ default: MiniSearch }, text] = await download();
  const { options, index } = JSON.parse(text) as { options: Options; index: never };
  const search = MiniSearch.loadJS(index, options);
  return {
    find: (text) => {
      const wanted = text.trim().toLowerCase();
      const boostDocument = (_id: string, _term: string, { weight, title }: Record<string, unknown> = {}) =>
        Number(weight) * nearness(String(title).toLowerCase(), wanted);
      const found = search.search(text, { boostDocument });
      return found.length > 0 ? found : search.search(text, { boostDocument, fuzzy: 0.2, combineWith: 'OR' });
    },
  };
}

/** Prefers titles that equal, begin with or contain the text as it was typed, and among them short ones. */
function nearness(title: string, wanted: string): number {
  if (title === wanted) return 8;
  const share = wanted.length / title.length;
  if (title.startsWith(wanted)) return 2 + 3 * share;
  return title.includes(wanted) ? 1 + share : 1;
}

function openSearch(): void {
  if (dialog.open) return;
  dialog.showModal();
  input.select();
  latest = update();
}

async function update(): Promise<void> {
  const text = input.value;
  if (text.trim() === '') return show([], '');
  try {
    const { find } = await load();
    // A later key press has its own update.
    if (text === input.value) {
      const found = find(text);
      show(found.slice(0, MOST), found.length === 0 ? `Nothing found for “${text.trim()}”.` : '');
    }
  } catch (error) {
    show([], 'The search could not be loaded. Check the connection to the server.');
    throw error;
  }
}

function show(found: readonly SearchResult[], message: string): void {
  list.replaceChildren(...found.map(hitView));
  status.textContent = message || (found.length > 0 ? `${found.length} results` : '');
  status.classList.toggle('hidden', message === '');
  input.setAttribute('aria-expanded', String(found.length > 0));
  select(0);
}

function hitView({ id, title, kind, place }: SearchResult, at: number): HTMLAnchorElement {
  const hit = document.createElement('a');
  hit.id = `hit-${at}`;
  hit.tabIndex = -1;
  hit.setAttribute('role', 'option');
  hit.href = (input.dataset.root ?? '') + String(id).slice('/docs'.length);
  for (const [name, text] of Object.entries({ kind, title, place })) {
    const part = document.createElement('span');
    part.className = name === 'kind' ? `kind ${String(text).toLowerCase()}` : name;
    part.textContent = text;
    hit.append(part, ' ');
  }
  hit.addEventListener('click', () => dialog.close());
  return hit;
}

/** The hits that are currently shown. */
function hits(): HTMLAnchorElement[] {
  return [...list.querySelectorAll('a')];
}

function select(at: number): void {
  const all = hits();
  for (const [position, each] of all.entries()) each.setAttribute('aria-selected', String(position === at));
  const chosen = all[at];
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  else input.removeAttribute('aria-activedescendant');
  chosen?.scrollIntoView({ block: 'nearest' });
}

function selected(): number {
  return hits().findIndex((each) => each.getAttribute('aria-selected') === 'true');
}

/** Opens the selected hit, or the first one if the search is still running. */
async function openHit(): Promise<void> {
  await latest;
  hits()[Math.max(selected(), 0)]?.click();
}

element('.search-button').addEventListener('click', openSearch);
input.addEventListener('input', () => {
  latest = update();
});
input.addEventListener('focus', () => void load().catch(() => undefined));
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog) dialog.close();
});
input.addEventListener('keydown', (event) => {
  const count = hits().length;
  if (event.key === 'ArrowDown' && count > 0) select((selected() + 1) % count);
  else if (event.key === 'ArrowUp' && count > 0) select((selected() + count - 1) % count);
  else if (event.key === 'Enter') void openHit();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  const isShortcut = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
  if (!isShortcut) return;
  event.preventDefault();
  openSearch();
});
// The download is done before the first key press. Reading the index takes about 0.1 s, so it waits until the search is opened.
window.addEventListener('load', () => void download().catch(() => undefined));
