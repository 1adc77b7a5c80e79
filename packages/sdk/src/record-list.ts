import type { components } from './generated/types.ts';

/** A page of a list. */
export interface Page<Record> {
  readonly data: Record[];
  readonly meta: components['schemas']['PageMeta'];
}

/** A list: `await` gives the first page, `for await` goes over all records, reading on as far as it is used. */
export interface RecordList<Record> extends Promise<Page<Record>>, AsyncIterable<Record> {
  /** All pages, the first one included. */
  pages(): AsyncGenerator<Page<Record>, void, undefined>;
}

/** Reads the page that a cursor leads to; without one, the first. */
export type LoadPage<Record> = (cursor?: string) => Promise<Page<Record>>;

/** A list over the pages of `load`. The first page is requested at once and only once. */
export function recordList<Record>(load: LoadPage<Record>): RecordList<Record> {
  const first = load();
  return Object.assign(first, {
    pages: () => pages(first, load),
    [Symbol.asyncIterator]: () => records(first, load),
  });
}

async function* pages<Record>(
  first: Promise<Page<Record>>,
  load: LoadPage<Record>,
): AsyncGenerator<Page<Record>, void> {
  let page = await first;
  yield page;
  while (page.meta.next_cursor != null) {
    page = await load(page.meta.next_cursor);
    yield page;
  }
}

async function* records<Record>(first: Promise<Page<Record>>, load: LoadPage<Record>): AsyncGenerator<Record, void> {
  for await (const page of pages(first, load)) yield* page.data;
}
