import { createHash } from 'node:crypto';
import type { RawRow } from './driver.ts';
import type { Json } from './json.ts';
import { SystemError } from './system-error.ts';

/**
 * A page that was read before, and how many more pages to compare with it. That number doubles each time, so that a cycle of any
 * length is found without a list of all pages, even if a pass continues after a restart of the process (Brent's algorithm).
 * `last` is the page that was read last: a cache can return it once more instead of the next one, which would then be skipped.
 */
export type KnownPage = {
  readonly page: string;
  readonly left: number;
  readonly span: number;
  readonly last: string;
};

/** The guard after one more page. @throws {SystemError} `invalid` if the page is the known one or the last one */
export function afterPage(known: KnownPage | null, page: string): KnownPage {
  if (known?.page === page || known?.last === page) {
    const words = 'The system returns the same page of a list again, so the list cannot be read completely';
    throw new SystemError('invalid', words);
  }
  if (known && known.left > 1) return { ...known, left: known.left - 1, last: page };
  const span = (known?.span ?? 0.5) * 2;
  return { page, left: span, span, last: page };
}

/** A short text that differs between pages with different rows. An empty page is identified by its successor. */
export function fingerprintOf(rows: readonly RawRow[], successor: string): string {
  const keys = rows.length > 0 ? rows.map(({ key }) => key) : ['', successor];
  return createHash('sha256').update(JSON.stringify(keys)).digest('base64url');
}

/** The guard that a pass stored. */
export function knownPage(stored: Json | undefined): KnownPage | null {
  if (typeof stored !== 'object' || stored === null || !('page' in stored)) return null;
  const { page, left, span, last = page } = stored;
  return { page: String(page), left: Number(left), span: Number(span), last: String(last) };
}
