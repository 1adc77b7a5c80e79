import { nextWrite, type StoredWrite } from '@unified/store';
import { rederiveStale } from '../records/rederive-stale.ts';
import type { Link } from '../drivers/driver-session.ts';
import { isStillActive } from '../model/still-active.ts';
import type { Work } from '../jobs/work.ts';
import { runWrite } from '../write/run-write.ts';
import { type Lane, LaneLost } from '../write/held-queue.ts';

/** Writes that one turn carries out, before other connections get theirs. */
const TURN = 50;

/**
 * Carries out the writes of a connection in their order, as long as they are due. Returns at once when another worker
 * holds the lane: that one looks again after it has let go, so a write that was accepted meanwhile is not forgotten.
 */
export async function drainLane(work: Work, connectionId: string): Promise<void> {
  let left = TURN;
  while (!work.signal.aborted) {
    const drained = await work.links.use(connectionId, (link) => drainOnce(work, link, left));
    if (!drained) return;
    left -= drained.done;
    if (left <= 0 || drained.due > Date.now()) return work.alarms.set(connectionId, drained.due);
  }
}

/** What was done, and when the write at the head is due; undefined: there is none, or the lane is somebody else's. */
async function drainOnce(
  { store, lanes, log, policies, jobs, signal }: Work,
  link: Link,
  most: number,
): Promise<{ done: number; due: number } | undefined> {
  const { connectionId, scope } = link;
  const hold = await lanes.take('lane', connectionId);
  if (!hold) return undefined;
  const isActive = () => isStillActive(store, connectionId);
  let done: number;
  try {
    done = await drainHeld({ ...link, log, policies, jobs, isActive, assertHeld: hold.assertHeld }, signal, most);
    if (done > 0) await rederiveStale(link, signal, async () => (await isDue(link)) || !(await isActive()));
  } catch (error) {
    if (!(error instanceof LaneLost)) throw error;
    log.warn({ err: error, connectionId }, 'lane lost');
    await jobs.drainLane(connectionId);
    return undefined;
  } finally {
    await hold.release();
  }
  const head = await nextWrite(scope);
  return head ? { done, due: dueAt(link, head) } : undefined;
}

/** Carries out what is due, `most` writes at the most; answers how many that were. */
async function drainHeld(lane: Lane, signal: AbortSignal, most: number): Promise<number> {
  for (let done = 0; done < most; done += 1) {
    if (signal.aborted || !(await lane.isActive())) return done;
    lane.assertHeld();
    const head = await nextWrite(lane.scope);
    if (!head || dueAt(lane, head) > Date.now()) return done;
    await runWrite(lane, head);
  }
  return most;
}

async function isDue(link: Link): Promise<boolean> {
  const head = await nextWrite(link.scope);
  return head !== null && dueAt(link, head) <= Date.now();
}

/** When the head of the lane may go on, in milliseconds: by its own backoff, and when the system wants to be called. */
function dueAt({ broker }: Link, { nextAttemptAt }: StoredWrite): number {
  const pause = broker.pausedFor() * 1000;
  return Math.max(nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt), pause > 0 ? Date.now() + pause : 0);
}
