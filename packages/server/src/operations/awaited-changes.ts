import { watchChanges } from '@unified/store';
import type { DataContext } from './context.ts';
import { type ChangeQuery, type ShownChanges, shownChanges } from './shown-changes.ts';

/**
 * Changes after a cursor, or from the oldest one (null). If there are none yet, waits up to `ms` milliseconds for the first
 * ones. Returns none if the request ends earlier. Throws the errors of `changesAfter`, and SERVICE_UNAVAILABLE.
 */
export async function awaitedChanges(
  context: DataContext,
  cursor: string | null,
  query: ChangeQuery,
  ms: number,
): Promise<ShownChanges> {
  const until = performance.now() + ms;
  const ending = context.ending();
  for (let from = cursor; ; ) {
    const left = Math.max(0, until - performance.now());
    const watch = await watchChanges(context.scope, { ms: left, signal: ending });
    try {
      const found = await shownChanges(context, from, query);
      if (found.changes.length > 0 || left === 0 || ending.aborted) return found;
      from = found.cursor;
      if (!found.hasMore) await context.whileIdle(() => watch.noticed);
    } finally {
      watch.stop();
    }
  }
}
