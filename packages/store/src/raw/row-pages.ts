import type { Scope } from '../access/scope.ts';
import { type KeyedRow, rawKeysAfter, rawRowsAfter } from './raw-rows.ts';

/** Which rows of a stream are read. */
export interface RowReading {
  readonly stream: string;
  /** Key of the row before the first one; '' for all rows. */
  readonly after: string;
  /** Maximum number of rows per page. */
  readonly limit: number;
}

/** The rows of a stream by key, in pages. */
export function rawRowPages(scope: Scope, { stream, after, limit }: RowReading): AsyncGenerator<readonly KeyedRow[]> {
  return pagesOf(
    after,
    (from) => rawRowsAfter(scope, stream, from, limit),
    ({ key }) => key,
  );
}

/** Only the keys of these rows. */
export function rawKeyPages(scope: Scope, { stream, after, limit }: RowReading): AsyncGenerator<readonly string[]> {
  return pagesOf(
    after,
    (from) => rawKeysAfter(scope, stream, from, limit),
    (key) => key,
  );
}

/** Pages until one is empty. While a page is used, the next one is already being read. */
async function* pagesOf<T>(
  after: string,
  read: (after: string) => Promise<readonly T[]>,
  keyOf: (element: T) => string,
): AsyncGenerator<readonly T[]> {
  let reading = read(after);
  try {
    for (;;) {
      const page = await reading;
      const last = page.at(-1);
      if (last === undefined) return;
      reading = read(keyOf(last));
      // Its failure is handled where it is awaited.
      reading.catch(() => {});
      yield page;
    }
  } finally {
    await reading.catch(() => {});
  }
}
