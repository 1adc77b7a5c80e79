import { setTimeout as pause } from 'node:timers/promises';

/** Less than load balancers and Prometheus wait for a page. */
const PATIENCE_MS = 2_000;

/** The result of work on the database. Rejects if it takes longer than the reader of a page of the operator port waits. */
export async function withinPatience<T>(work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = pause(PATIENCE_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new Error('The database did not respond in time.');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}
