import { nextWrite, type StoredWrite } from '@unified/store';
import { rederiveStale } from '../sync/rederive-stale.ts';
import type { Link } from '../systems/links.ts';
import type { Work } from '../worker/work.ts';
import { runWrite } from '../writes/run-write.ts';
import { type Lane, LaneLost } from './lane.ts';

/** Writes that one turn carries out, before other connections get theirs. */
const TURN = 50;

/**
 * Carries out the writes of a connection in their order, as long as they are due. Returns at once when another worker
 * holds the lane: that one looks again after it has let go, so a write that was accepted meanwhile is not forgotten.
 */
export async function drainLane(work: Work, connectionId: string): Promise<void> {
  let left = TURN;
  while (!work.signal.aborted) {
    const link = await work.links.open(connectionId);
    if (!link) return;
    const hold = await work.lanes.take('lane', connectionId);
    if (!hold) return;
    try {
      const done = await drainHeld({ ...link, ...work, assertHeld: hold.assertHeld }, work.signal, left);
      left -= done;
      if (done > 0) await rederiveStale(link, work.signal);
    } catch (error) {
      if (!(error instanceof LaneLost)) throw error;
      work.log.warn({ err: error, connectionId }, 'lane lost');
      await work.jobs.drainLane(connectionId);
      return;
    } finally {
      await hold.release();
    }
    const head = await nextWrite(link.scope);
    if (!head) return;
    const due = dueAt(link, head);
    if (left <= 0 || due > Date.now()) return work.alarms.set(connectionId, due);
  }
}

/** Carries out what is due, `most` writes at the most; answers how many that were. */
async function drainHeld(lane: Lane, signal: AbortSignal, most: number): Promise<number> {
  for (let done = 0; done < most; done += 1) {
    if (signal.aborted) return done;
    lane.assertHeld();
    const head = await nextWrite(lane.scope);
    if (!head || dueAt(lane, head) > Date.now()) return done;
    await runWrite(lane, head);
  }
  return most;
}

/** When the head of the lane may go on, in milliseconds: by its own backoff, and when the system wants to be called. */
function dueAt({ broker }: Link, { nextAttemptAt }: StoredWrite): number {
  const pause = broker.pausedFor() * 1000;
  return Math.max(nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt), pause > 0 ? Date.now() + pause : 0);
}
