import type { Json } from '../src/json.ts';
import { isPause } from '../src/rest/pause.ts';

/**
 * All pages of a pass over a system that accepts a limited number of calls. Fails if the pass is refused twice without a page in
 * between: it would never end.
 */
export async function limitedPass<P extends { readonly next: Json | null }>(
  pull: (from: Json | null) => Promise<P>,
): Promise<P[]> {
  const pages: P[] = [];
  let from: Json | null = null;
  for (let refused = 0; ; ) {
    try {
      const page: P = await pull(from);
      pages.push(page);
      from = JSON.parse(JSON.stringify(page.next));
      if (from === null) return pages;
      refused = 0;
    } catch (error) {
      if (refused > 0 || !isPause(error)) throw error;
      refused += 1;
    }
  }
}
