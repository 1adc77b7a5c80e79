import { openWebhookClient } from '@unified/connectors';
import { connectionLocks, failureLevel, openJobPool } from '@unified/store';
import { type JobHelpers, type RunnerOptions, run, type TaskList } from 'graphile-worker';
import { removeExpired } from './connections/remove-expired.ts';
import type { EngineOptions } from './create-engine.ts';
import { createDriverPool } from './drivers/driver-pool.ts';
import { memoryQuotas } from './drivers/quotas.ts';
import { lookPolicy, type Policies, pagePolicy, sendPolicy } from './drivers/retry-policy.ts';
import { createDelayedWakeups } from './jobs/delayed-wakeups.ts';
import { graphileLogger, keepRunning } from './jobs/graphile-runner.ts';
import { createJobs, LONG, type Payloads, schema } from './jobs/jobs.ts';
import { createJobsInProgress } from './jobs/jobs-in-progress.ts';
import { createRunPlaces } from './jobs/run-places.ts';
import { sweep } from './jobs/sweep.ts';
import type { WorkerContext } from './jobs/worker-context.ts';
import { createCallLog } from './logs/call-log.ts';
import { allSystems } from './model/systems.ts';
import { drainQueue } from './queue/drain-queue.ts';
import { deriveConnection } from './sync/derive-connection.ts';
import { runSync } from './sync/run-sync.ts';
import { deliverEvents, type OnAttempt } from './webhooks/deliver-events.ts';
import { wakeEndpoints } from './webhooks/wake-endpoints.ts';

export interface WorkerOptions extends EngineOptions {
  /** Number of write queues that are drained concurrently. Default 10. */
  readonly concurrency?: number;
  /** Milliseconds after which the write queue of a connection gives way to those of others that wait. Default 5,000. */
  readonly writeTurnMs?: number;
  /**
   * Number of connections that are synchronized concurrently; with 0, this worker only writes. Half of them at most are runs that
   * are expected to be long. Default 6.
   */
  readonly syncs?: number;
  /** Milliseconds after which a run counts as long. Default 300,000. */
  readonly longAfterMs?: number;
  /**
   * Number of webhook endpoints that receive events concurrently; with 0, this worker sends none. Each uses a database
   * connection. Default 10.
   */
  readonly endpoints?: number;
  /** Called after each attempt to send an event, for metrics. */
  readonly onAttempt?: OnAttempt | undefined;
  /** Retry policies; the defaults are those of `retry-policy.ts`. */
  readonly policies?: Partial<Policies>;
  /**
   * Shortest and longest milliseconds between two checks for jobs whose worker ended hours ago without releasing them. Default
   * 30 and 60 seconds; graphile-worker's defaults, 8 and 10 minutes, are too long if one check fails because of an outage.
   */
  readonly staleJobsEvery?: readonly [shortest: number, longest: number];
}

export interface Worker {
  /** Stops after the current writes and pages. */
  stop(): Promise<void>;
}

/**
 * graphile-worker 0.18.0 handles a failure to store the end of a job only in batches; otherwise, if the database goes
 * down at that point, an unhandled rejection ends the process. With batches, the runner stops and is restarted.
 */
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Database clients that a runner may open even if it runs fewer jobs at a time. */
const RUNNER_CLIENTS = 10;

/** A third of the default interval between two runs that read changes; see decision 110. */
const LONG_AFTER_MS = 300_000;

/** Milliseconds between two checks for jobs with a start time, such as retries of events; others start immediately. */
const POLL_EVENTS_MS = 5_000;

/**
 * Carries out writes and syncs of all connections, and sends events to webhook endpoints, until it is stopped. Any number of
 * workers may run. Brings the tables of the job queue up to date first. Throws if the database cannot be reached.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    store,
    databaseUrl,
    log,
    systems = allSystems,
    quotas = memoryQuotas(),
    concurrency = 10,
    writeTurnMs = 5_000,
    syncs = 6,
    longAfterMs = LONG_AFTER_MS,
    endpoints = 10,
    onCall,
    onAttempt,
  } = options;
  const stopping = new AbortController();
  const logger = graphileLogger(log);
  const [minResetLockedInterval, maxResetLockedInterval] = options.staleJobsEvery ?? [30_000, 60_000];
  const staleJobs = { minResetLockedInterval, maxResetLockedInterval };
  const queue = { schema, logger, noHandleSignals: true, preset, ...staleJobs };
  const jobs = createJobs({ databaseUrl, log });
  const calls = createCallLog({ store, log });
  const drivers = createDriverPool({ store, systems, log, quotas, calls, onCall });
  const policies = { send: sendPolicy, look: lookPolicy, page: pagePolicy, ...options.policies };
  const locks = connectionLocks(store);
  const wakeups = createDelayedWakeups({ jobs, log });
  const parts = { store, drivers, locks, jobs, wakeups, policies, writeTurnMs, longAfterMs, log };
  const work: WorkerContext = { ...parts, signal: stopping.signal };
  const places = createRunPlaces({ size: syncs, longAfterMs });
  const client = openWebhookClient();
  // Separate runners, so that long syncs never block writes, and slow webhook endpoints block neither.
  const tasks = {
    writes: {
      'drain-queue': (payload: unknown) => drainQueue(work, (payload as Payloads['drain-queue']).connectionId),
    },
    syncs: {
      'sync-connection': (payload: unknown, { job }: JobHelpers) =>
        places.within(job, (place) => runSync(work, payload as Payloads['sync-connection'], place)),
      'derive-connection': (payload: unknown, { job }: JobHelpers) =>
        places.within(job, (place) =>
          deriveConnection(work, (payload as Payloads['derive-connection']).connectionId, place),
        ),
      'remove-connection': (payload: unknown, { job }: JobHelpers) =>
        places.within(job, (place) =>
          removeExpired(work, (payload as Payloads['remove-connection']).connectionId, place),
        ),
    },
    events: {
      'deliver-events': (payload: unknown) =>
        deliverEvents({ ...work, client, onAttempt }, (payload as Payloads['deliver-events']).endpointId),
    },
  };
  const inProgress = createJobsInProgress();
  const start = async (taskList: TaskList, atOnce: number, more: RunnerOptions = {}) => {
    const onError = (err: Error) => log[failureLevel(err)]({ err }, 'a connection of the job queue broke');
    const pgPool = openJobPool(databaseUrl, { size: Math.max(RUNNER_CLIENTS, atOnce), onError });
    const runner = { ...queue, ...more, pgPool, concurrency: atOnce, taskList: inProgress.counted(taskList) };
    const { ended } = await keepRunning(() => run(runner), log, stopping.signal);
    return { ended: ended.then(() => pgPool.end()) };
  };
  const draining = await start(tasks.writes, concurrency);
  const forbiddenFlags = () => (places.hasLong() ? null : [LONG]);
  const syncing = syncs > 0 ? await start(tasks.syncs, syncs, { forbiddenFlags }) : undefined;
  const sending = endpoints > 0 ? await start(tasks.events, endpoints, { pollInterval: POLL_EVENTS_MS }) : undefined;
  const stopWaking = endpoints > 0 ? await wakeEndpoints({ store, jobs, log }) : undefined;
  const sweeping = sweep({ store, jobs, systems, log, syncs: syncs > 0, events: endpoints > 0 }, stopping.signal);
  log.info({ concurrency }, 'worker started');
  return {
    async stop() {
      stopping.abort();
      await stopWaking?.();
      await Promise.all([draining.ended, syncing?.ended, sending?.ended, sweeping]);
      await inProgress.ended();
      await client.close();
      wakeups.clear();
      await locks.close();
      await drivers.close();
      await calls.close();
      await jobs.close();
      log.info('worker stopped');
    },
  };
}
