import type { components } from './generated/types.ts';

type PageMetaSchema = components['schemas']['PageMeta'];

/** Where a page lies in its list. */
export interface PageMeta extends PageMetaSchema {}

/** A page of a list. */
export interface Page<Record, Meta = PageMeta> {
  readonly data: Record[];
  readonly meta: Meta;
}

/** A list: `await` gives the first page, `for await` goes over all records, reading on as far as it is used. */
export interface RecordList<Record, Meta = PageMeta> extends Promise<Page<Record, Meta>>, AsyncIterable<Record> {
  /** All pages, the first one included. */
  pages(): AsyncGenerator<Page<Record, Meta>, void, undefined>;
}

/** What a page says of those that follow; a list that comes in one page says nothing. */
interface Following {
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
}

/** Reads the page that a cursor leads to; without one, the first. */
type LoadPage<Record> = (cursor?: string) => Promise<Page<Record, Following>>;

/**
 * A list over the pages of `load`. The first page is requested at once and only once. Its failure is told to whoever
 * awaits the list or goes over it, however late that begins.
 */
export function recordList<Record>(load: LoadPage<Record>): RecordList<Record, Following> {
  const first = load();
  first.catch(() => undefined);
  return Object.assign(first, {
    pages: () => pages(first, load),
    [Symbol.asyncIterator]: () => records(first, load),
  });
}

/** A log names a cursor on its last page as well: what is to come is no page yet. */
async function* pages<Record>(
  first: ReturnType<LoadPage<Record>>,
  load: LoadPage<Record>,
): AsyncGenerator<Page<Record, Following>, void> {
  let page = await first;
  yield page;
  while (page.meta.has_more && page.meta.next_cursor != null) {
    page = await load(page.meta.next_cursor);
    yield page;
  }
}

async function* records<Record>(
  first: ReturnType<LoadPage<Record>>,
  load: LoadPage<Record>,
): AsyncGenerator<Record, void> {
  for await (const page of pages(first, load)) yield* page.data;
}
