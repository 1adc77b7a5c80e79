import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** How long writes waited, measured with a statement that changes no row but waits as writes do. */
export interface WritePause {
  /** In milliseconds. */
  readonly longest: number;
  /** Number of statements that were refused, and the last reason. */
  readonly refused: number;
  readonly reason: string | null;
}

const BETWEEN_MS = 20;

/** Runs the statement one after another until `ended` resolves. The one that is running then is included. */
export async function measurePause(
  client: pg.ClientBase,
  connectionId: string,
  ended: Promise<unknown>,
): Promise<WritePause> {
  let isEnded = false;
  const end = ended
    .catch(() => {})
    .then(() => {
      isEnded = true;
    });
  let [longest, refused, reason] = [0, 0, null as string | null];
  while (!isEnded) {
    const began = performance.now();
    try {
      await client.query(`delete from unified.links where connection_id = '${connectionId}' and field = ''`);
    } catch (error) {
      refused += 1;
      reason = error instanceof Error ? error.message : String(error);
    }
    longest = Math.max(longest, performance.now() - began);
    await Promise.race([end, pause(BETWEEN_MS)]);
  }
  return { longest: Math.round(longest), refused, reason };
}
