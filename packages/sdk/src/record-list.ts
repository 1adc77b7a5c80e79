import type { components } from './generated/types.ts';

type PageMetaSchema = components['schemas']['PageMeta'];

/** Position of a page in its list. */
export interface PageMeta extends PageMetaSchema {}

/** A page of a list. */
export interface Page<Record, Meta = PageMeta> {
  readonly data: Record[];
  readonly meta: Meta;
}

/** A list: `await` returns the first page, `for await` iterates over all records and requests pages as needed. */
export interface RecordList<Record, Meta = PageMeta> extends Promise<Page<Record, Meta>>, AsyncIterable<Record> {
  /** All pages, including the first one. */
  pages(): AsyncGenerator<Page<Record, Meta>, void, undefined>;
}

/** Information about the following pages; absent in a list of a single page. */
interface Following {
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
}

/** Reads the page at a cursor; without one, the first. */
type LoadPage<Record> = (cursor?: string) => Promise<Page<Record, Following>>;

/**
 * A list over the pages of `load`. The first page is requested immediately and only once. Its error is thrown when the list is
 * awaited or iterated, even much later.
 */
export function recordList<Record>(load: LoadPage<Record>): RecordList<Record, Following> {
  const first = load();
  first.catch(() => undefined);
  return Object.assign(first, {
    pages: () => pages(first, load),
    [Symbol.asyncIterator]: () => records(first, load),
  });
}

/** A log has a cursor on its last page as well, for changes to come. */
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
