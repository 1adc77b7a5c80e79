import type { Json, PulledPage } from '@unified/connectors';

/**
 * Reads all pages and returns their rows by key. Between two pages, the position is stored as text, as the service does, so that
 * this tests how a pass continues after a restart. Ends after `most` rows.
 */
export async function readPages(
  pull: (from: Json | null, page: number) => Promise<PulledPage>,
  most: number,
): Promise<{ readonly pages: number; readonly rows: PulledPage['rows']; readonly isWhole: boolean }> {
  const rows: PulledPage['rows'][number][] = [];
  let pages = 0;
  let from: Json | null = null;
  do {
    const page: PulledPage = await pull(from, pages);
    pages += 1;
    rows.push(...page.rows);
    from = JSON.parse(JSON.stringify(page.next));
  } while (from !== null && rows.length < most);
  return { pages, rows, isWhole: from === null };
}
