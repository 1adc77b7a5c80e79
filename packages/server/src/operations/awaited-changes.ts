import { setTimeout as pause } from 'node:timers/promises';
import { type Watch, watchChanges } from '@unified/store';
import type { DataContext } from './context.ts';
import { type ChangeQuery, type ShownChanges, shownChanges } from './shown-changes.ts';

/** Milliseconds after which a log is read again that had not moved when a notification arrived; doubled each time. */
const RETRY_MS = { first: 20, most: 1_000 };

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
  for (let from = cursor, reads = 0; ; ) {
    const left = Math.max(0, until - performance.now());
    const watch = await watchChanges(context.scope, { ms: left, signal: ending });
    try {
      const found = await shownChanges(context, from, query);
      if (found.changes.length > 0 || left === 0 || ending.aborted) return found;
      reads = found.cursor === from ? reads + 1 : 1;
      from = found.cursor;
      if (!found.hasMore) await context.whileIdle(() => nextRead(watch, reads - 1));
    } finally {
      watch.stop();
    }
  }
}

/**
 * Waits until the log should be read again: until the next notification, or, if the log had not moved after the last one, for a
 * short time. In a distributed database, a notification can arrive before its change is visible. `unmoved` is the number of reads
 * in a row in which the log did not move.
 */
function nextRead({ noticed }: Watch, unmoved: number): Promise<void> {
  if (unmoved < 1) return noticed;
  const ms = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** (unmoved - 1));
  return Promise.race([noticed, pause(ms, undefined, { ref: false })]);
}
