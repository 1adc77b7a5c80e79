import { LAST_TURN, type WaitingRun } from './jobs.ts';

/** A connection that is due. */
export interface DueTurn {
  /** The customer whose connection it is. */
  readonly owner: string;
  /** Its job, if it waits for a worker already. */
  readonly waiting: WaitingRun | null;
}

/**
 * The turns of jobs that are added, in the order in which their connections were due; null for those that wait already. In each
 * turn, every customer has one connection: one with a hundred due connections does not delay the next one of another customer by a
 * hundred runs. A customer who has none waiting joins the turn after the one in progress: if jobs were added to that one, it
 * might never end, and the next would never begin. Jobs of long runs, which wait for separate places, do not count.
 */
export function fairTurns(due: readonly DueTurn[]): (number | null)[] {
  const last = new Map<string, number>();
  let current = Number.POSITIVE_INFINITY;
  for (const { owner, waiting } of due) {
    if (!waiting || waiting.isLong) continue;
    current = Math.min(current, waiting.turn);
    last.set(owner, Math.max(last.get(owner) ?? 0, waiting.turn));
  }
  const next = current === Number.POSITIVE_INFINITY ? 0 : current + 1;
  return due.map(({ owner, waiting }) => {
    if (waiting) return null;
    const turn = Math.min(LAST_TURN, Math.max(next, (last.get(owner) ?? -1) + 1));
    last.set(owner, turn);
    return turn;
  });
}
