import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookClient } from '@unified/connectors';
import {
  type ConnectionLock,
  type ConnectionLocks,
  type DueDelivery,
  dueDeliveries,
  endpointsWithWork,
  LockLost,
  nextDeliveryAt,
  type SendingEndpoint,
  type Store,
  sendingEndpoint,
} from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Outcome } from './delivery-schedule.ts';
import { prepareChanges } from './prepare-changes.ts';
import { type Attempted, attempt, settleAttempts } from './settle-attempts.ts';

/** Services for the jobs that send events. */
export interface DeliveringWorker {
  readonly store: Store;
  readonly locks: ConnectionLocks;
  readonly jobs: Jobs;
  readonly client: WebhookClient;
  readonly log: Logger;
  /** Called after each attempt, for metrics. */
  readonly onAttempt?: OnAttempt | undefined;
  /** Ends the work after the requests in progress. */
  readonly signal: AbortSignal;
}

export type OnAttempt = (attempt: { readonly outcome: Outcome; readonly ms: number }) => void;

/** Requests to one endpoint at the same time. */
const AT_ONCE = 32;

/** Milliseconds per turn; after that, it is the turn of endpoints that wait for a free job. */
const TURN_MS = 5_000;

/** Milliseconds within which requests that end are stored together. */
const TOGETHER_MS = 2;

/**
 * Attempts in a row that send nothing, after which work is left for later. Work may have been added after the first attempt looked
 * for it.
 */
const MOST_IDLE = 2;

/** Milliseconds after which such work is attempted again, for example changes that are not visible yet. */
const LATER_MS = 1_000;

/**
 * Sends the due events of an endpoint. Returns immediately if another worker is doing this: that worker looks for work again
 * after it has released the lock, so no event is overlooked.
 */
export async function deliverEvents(worker: DeliveringWorker, endpointId: string): Promise<void> {
  const { store, locks, jobs, log, signal } = worker;
  const endsAt = Date.now() + TURN_MS;
  let idleAttempts = 0;
  do {
    const lock = await locks.take('webhooks', endpointId);
    if (!lock) return;
    idleAttempts += 1;
    try {
      if (await deliverHeld(worker, endpointId, lock, endsAt)) idleAttempts = 0;
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
      log.warn({ err: error, endpointId }, 'lock of a webhook endpoint lost');
    } finally {
      await lock.release();
    }
  } while (!signal.aborted && Date.now() < endsAt && idleAttempts < MOST_IDLE && (await hasWork(store, endpointId)));
  if (!signal.aborted) await addNextJob({ store, jobs }, endpointId, idleAttempts < MOST_IDLE ? 0 : LATER_MS);
}

async function hasWork(store: Store, endpointId: string): Promise<boolean> {
  return (await endpointsWithWork(store, 1, endpointId)).length > 0;
}

/** Adds a job for the remaining work: after `delayMs`, or when the next delivery may be attempted. */
async function addNextJob(
  { store, jobs }: Pick<DeliveringWorker, 'store' | 'jobs'>,
  endpointId: string,
  delayMs: number,
): Promise<void> {
  // The clock of this process may be ahead of that of PostgreSQL, by which jobs begin.
  const later = delayMs > 0 ? new Date(Date.now() + delayMs) : undefined;
  if (await hasWork(store, endpointId)) return jobs.addDeliveryJob(endpointId, later);
  const endpoint = await sendingEndpoint(store, endpointId);
  if (!endpoint?.isActive) return;
  const at = await nextDeliveryAt(store, endpointId);
  const due = [at, endpoint.pausedUntil].filter((each) => each !== null).map((each) => Date.parse(each));
  if (at !== null) await jobs.addDeliveryJob(endpointId, new Date(Math.max(...due)));
}

/**
 * Sends what is due while this worker holds the lock: one event at a time for each subject, in order. Returns whether it sent
 * anything.
 */
async function deliverHeld(
  { store, client, log, signal, onAttempt }: DeliveringWorker,
  endpointId: string,
  lock: ConnectionLock,
  endsAt: number,
): Promise<boolean> {
  const inFlight = new Map<string, Promise<void>>();
  let hasSent = false;
  const ended: Attempted[] = [];
  let failure: unknown;
  const start = (endpoint: SendingEndpoint, delivery: DueDelivery) => {
    const flight = attempt(client, endpoint, delivery).then(
      (attempted) => {
        ended.push(attempted);
        onAttempt?.({ outcome: attempted.outcome, ms: attempted.response.durationMs });
      },
      (error: unknown) => {
        failure = error;
      },
    );
    inFlight.set(delivery.subject, flight);
    hasSent = true;
  };
  for (;;) {
    lock.assertHeld();
    if (failure !== undefined) throw failure;
    const endpoint = await sendingEndpoint(store, endpointId);
    const mayStart = endpoint?.isActive && endpoint.pausedUntil === null && !signal.aborted && Date.now() < endsAt;
    const started = mayStart ? await startDue(store, endpoint, inFlight, start) : 0;
    if (inFlight.size === 0) return hasSent;
    if (started === 0 && ended.length === 0) await Promise.race(inFlight.values());
    await pause(TOGETHER_MS);
    const settled = ended.splice(0);
    if (settled.length === 0) continue;
    lock.assertHeld();
    // Stored before the next event of a subject is sent: after a crash, this event could otherwise follow that one.
    if (endpoint) await settleAttempts({ store, log }, endpoint, settled);
    for (const { delivery } of settled) inFlight.delete(delivery.subject);
  }
}

/** Starts as many deliveries as possible, but only one if the endpoint is failing. Returns how many were started. */
async function startDue(
  store: Store,
  endpoint: SendingEndpoint,
  inFlight: ReadonlyMap<string, unknown>,
  start: (endpoint: SendingEndpoint, delivery: DueDelivery) => void,
): Promise<number> {
  const limit = (endpoint.failures > 0 ? 1 : AT_ONCE) - inFlight.size;
  if (limit <= 0) return 0;
  for (;;) {
    const due = await dueDeliveries(store, endpoint.id, { limit, busy: [...inFlight.keys()] });
    for (const delivery of due) start(endpoint, delivery);
    if (due.length > 0 || !(await prepareChanges(store, endpoint))) return due.length;
  }
}
