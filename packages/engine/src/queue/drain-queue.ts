import type { Row } from '@unified/connectors';
import { LockLost, nextWrite, type StoredWrite } from '@unified/store';
import { inSpan } from '@unified/tracing';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { isStillCurrent } from '../model/active-model.ts';
import { rederiveStale } from '../records/rederive-stale.ts';
import { finishWrite } from '../write/finish-write.ts';
import { type HeldQueue, type OpenWrite, type Phase, storedRecord } from '../write/open-write.ts';
import { sendWrite } from '../write/send-write.ts';
import { verifyOutcome } from '../write/verify-outcome.ts';
import { lastSent, storedSteps } from '../write/write-steps.ts';

/** Most writes per turn; after that, it is the turn of other connections. */
const TURN = 50;

/**
 * Carries out the writes of a connection in order, as long as they are due. Returns immediately if another worker holds
 * the queue: that worker reads the queue again after it releases the lock, so no write is overlooked.
 */
export async function drainQueue(worker: WorkerContext, connectionId: string): Promise<void> {
  const turn: Turn = { left: TURN, endsAt: performance.now() + worker.writeTurnMs };
  while (!worker.signal.aborted) {
    const due = await worker.drivers.withDriver(connectionId, (session) => drainOnce(worker, session, turn));
    if (due === undefined) return;
    if (isOver(turn) || due > Date.now()) return worker.wakeups.schedule(connectionId, due);
  }
}

/** How much of its turn a connection has left. At least one write is carried out in each turn. */
interface Turn {
  left: number;
  /** On the clock of `performance`. */
  readonly endsAt: number;
}

function isOver({ left, endsAt }: Turn): boolean {
  return left <= 0 || (left < TURN && performance.now() >= endsAt);
}

/** When the first write that is left in the queue is due; undefined if the queue is empty or another worker holds it. */
async function drainOnce(
  { store, locks, log, policies, jobs, signal }: WorkerContext,
  session: DriverSession,
  turn: Turn,
): Promise<number | undefined> {
  const { connectionId, scope } = session;
  const lock = await locks.take('writes', connectionId);
  if (!lock) return undefined;
  const isCurrent = () => isStillCurrent(store, session);
  let done: number;
  try {
    done = await drainHeld({ ...session, log, policies, jobs, isCurrent, assertHeld: lock.assertHeld }, signal, turn);
    if (done > 0) await rederiveStale(session, signal, async () => (await isDue(session)) || !(await isCurrent()));
  } catch (error) {
    if (!(error instanceof LockLost)) throw error;
    log.warn({ err: error, connectionId }, 'lock of the write queue lost');
    await jobs.addDrainJob(connectionId);
    return undefined;
  } finally {
    await lock.release();
  }
  const head = await nextWrite(scope);
  return head ? dueAt(session, head) : undefined;
}

/** Carries out due writes until the turn is over, and returns their number. */
async function drainHeld(queue: HeldQueue, signal: AbortSignal, turn: Turn): Promise<number> {
  let done = 0;
  for (; !isOver(turn); done += 1) {
    if (signal.aborted) return done;
    queue.assertHeld();
    const head = await nextWrite(queue.scope);
    if (!head || (await dueAt(queue, head)) > Date.now()) return done;
    // Checked after reading the write: a write that was accepted after the settings changed must not be sent with the earlier
    // ones.
    if (!(await queue.isCurrent())) return done;
    await tracedWrite(queue, head);
    turn.left -= 1;
  }
  return done;
}

async function isDue(session: DriverSession): Promise<boolean> {
  const head = await nextWrite(session.scope);
  return head !== null && (await dueAt(session, head)) <= Date.now();
}

/** When the first write may be attempted, in milliseconds since 1970, considering its own backoff and a pause of the system. */
async function dueAt({ quota }: DriverSession, { nextAttemptAt }: StoredWrite): Promise<number> {
  const pause = (await quota.pausedFor()) * 1000;
  return Math.max(nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt), pause > 0 ? Date.now() + pause : 0);
}

const phases = { send: sendWrite, verify: verifyOutcome, finish: finishWrite } as const;

/** Carries out a write in the trace of the request that queued it; its calls are logged as part of it. */
function tracedWrite(queue: HeldQueue, write: StoredWrite): Promise<void> {
  const { writeId, operation, entity, attempts, traceparent } = write;
  const attributes = { 'unified.write': writeId, 'unified.entity': entity, 'unified.attempt': attempts + 1 };
  const options = { kind: 'consumer', attributes, parent: traceparent ?? undefined } as const;
  const stream = queue.model.mappings[entity]?.stream;
  const quota = queue.quota.about({ writeId, stream });
  return inSpan(`write ${operation}`, options, () => runWrite({ ...queue, quota }, write));
}

/**
 * Carries out a write until it is settled or has to wait. The saved steps determine where to continue, whether the previous
 * worker was killed or the write was postponed.
 */
async function runWrite(queue: HeldQueue, stored: StoredWrite): Promise<void> {
  const write = await open(queue, stored);
  let phase = phaseOf(write);
  while (phase !== 'stop') phase = await phases[phase](queue, write);
}

async function open({ scope }: HeldQueue, stored: StoredWrite): Promise<OpenWrite> {
  const target = await storedRecord(scope, stored.entity, stored.targetId);
  const targetKey = target ? String(target._idValue) : null;
  return { ...stored, body: isRow(stored.body) ? stored.body : {}, steps: storedSteps(stored.steps), targetKey };
}

function isRow(body: unknown): body is Row {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function phaseOf(write: OpenWrite): Phase {
  const sent = lastSent(write.steps);
  if (!sent || sent.status === 'failed') return 'send';
  return sent.status === 'succeeded' ? 'finish' : 'verify';
}
