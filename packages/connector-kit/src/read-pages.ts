import type { Json, PulledPage } from '@unified/connectors';

/**
 * Reads all pages and returns their rows by key. Between two pages, the position is stored as text, as the service does, so that
 * this tests how a pass continues after a restart. Ends after `most` different rows.
 */
export async function readPages(
  pull: (from: Json | null, page: number) => Promise<PulledPage>,
  most: number,
): Promise<{ readonly pages: number; readonly rows: PulledPage['rows']; readonly isWhole: boolean }> {
  const rows: PulledPage['rows'][number][] = [];
  const keys = new Set<string>();
  let pages = 0;
  let from: Json | null = null;
  do {
    const page: PulledPage = await pull(from, pages);
    pages += 1;
    rows.push(...page.rows);
    for (const { key } of page.rows) keys.add(key);
    from = JSON.parse(JSON.stringify(page.next));
  } while (from !== null && keys.size < most);
  return { pages, rows, isWhole: from === null };
}
