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

/**
 * A list that was requested with `ifNoneMatch`: undefined if it is unchanged. Iterating over it then throws, because the service
 * does not send the records of an unchanged list. Await it first.
 */
export interface ConditionalList<Record, Meta = PageMeta>
  extends Promise<Page<Record, Meta> | undefined>,
    AsyncIterable<Record> {
  /** All pages, including the first one. */
  pages(): AsyncGenerator<Page<Record, Meta>, void, undefined>;
}

/** Information about the following pages; absent in a list of a single page. */
export interface Following {
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
}

/** Reads the page at a cursor; without one, the first, which is undefined if it is unchanged. */
type LoadPage<Record> = (cursor?: string) => Promise<Page<Record, Following> | undefined>;

/**
 * A list over the pages of `load`. The first page is requested immediately and only once. Its error is thrown when the list is
 * awaited or iterated, even much later.
 */
export function recordList<Record>(load: LoadPage<Record>): ConditionalList<Record, Following> {
  const first = load();
  first.catch(() => undefined);
  return Object.assign(first, {
    pages: () => pages(first, load),
    [Symbol.asyncIterator]: () => records(first, load),
  });
}

async function* pages<Record>(
  first: ReturnType<LoadPage<Record>>,
  load: LoadPage<Record>,
): AsyncGenerator<Page<Record, Following>, void> {
  const start = await first;
  if (start === undefined)
    throw new TypeError('The list is unchanged, so it has no records to iterate over. Await it first.');
  for (let page: typeof start | undefined = start; page; page = await following(page, load)) yield page;
}

/** The page after this one; undefined after the last. A log also has a cursor on its last page, for later changes. */
async function following<Record>(
  { meta }: Page<Record, Following>,
  load: LoadPage<Record>,
): Promise<Page<Record, Following> | undefined> {
  return meta.has_more && meta.next_cursor != null ? load(meta.next_cursor) : undefined;
}

async function* records<Record>(
  first: ReturnType<LoadPage<Record>>,
  load: LoadPage<Record>,
): AsyncGenerator<Record, void> {
  for await (const page of pages(first, load)) yield* page.data;
}
