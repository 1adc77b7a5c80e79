import { createHash } from 'node:crypto';
import type { RawRow } from './driver.ts';
import type { Json } from './json.ts';
import { SystemError } from './system-error.ts';

/**
 * A page that was read before, and how many more pages to compare with it. That number doubles each time, so that a cycle of any
 * length is found without a list of all pages, even if a pass continues after a restart of the process (Brent's algorithm).
 */
export type KnownPage = { readonly page: string; readonly left: number; readonly span: number };

/** The guard after one more page. @throws {SystemError} `invalid` if the page is the known one */
export function afterPage(known: KnownPage | null, page: string): KnownPage {
  if (known?.page === page) {
    const words = 'The system returns the same page of a list again, so the list cannot be read completely';
    throw new SystemError('invalid', words);
  }
  if (known && known.left > 1) return { ...known, left: known.left - 1 };
  const span = (known?.span ?? 0.5) * 2;
  return { page, left: span, span };
}

/** A short text that differs between pages with different rows. An empty page is identified by its successor. */
export function fingerprintOf(rows: readonly RawRow[], successor: string): string {
  const keys = rows.length > 0 ? rows.map(({ key }) => key) : ['', successor];
  return createHash('sha256').update(JSON.stringify(keys)).digest('base64url');
}

/** The guard that a pass stored. */
export function knownPage(stored: Json | undefined): KnownPage | null {
  if (typeof stored !== 'object' || stored === null || !('page' in stored)) return null;
  return { page: String(stored.page), left: Number(stored.left), span: Number(stored.span) };
}
