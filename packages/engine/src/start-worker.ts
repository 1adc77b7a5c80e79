import { connectionLocks } from '@unified/store';
import { run, type TaskList } from 'graphile-worker';
import { removeExpired } from './connections/remove-expired.ts';
import type { EngineOptions } from './create-engine.ts';
import { createDriverPool } from './drivers/driver-pool.ts';
import { memoryQuotas } from './drivers/quotas.ts';
import { lookPolicy, type Policies, pagePolicy, sendPolicy } from './drivers/retry-policy.ts';
import { createDelayedWakeups } from './jobs/delayed-wakeups.ts';
import { graphileLogger, keepRunning, outliveConnections } from './jobs/graphile-runner.ts';
import { createJobs, type Payloads, schema } from './jobs/jobs.ts';
import { sweep } from './jobs/sweep.ts';
import type { WorkerContext } from './jobs/worker-context.ts';
import { allSystems } from './model/systems.ts';
import { drainQueue } from './queue/drain-queue.ts';
import { runSync } from './sync/run-sync.ts';

export interface WorkerOptions extends EngineOptions {
  /** Write queues drained concurrently. Default 10. */
  readonly concurrency?: number;
  /** Connections synchronized concurrently; 0: this worker only writes. Default 2. */
  readonly syncs?: number;
  /** Retry policies; the defaults are those of `retry-policy.ts`. */
  readonly policies?: Partial<Policies>;
  /**
   * Shortest and longest milliseconds between two checks for jobs whose worker ended hours ago without releasing them.
   * Default 30 and 60 seconds; graphile-worker's defaults, 8 and 10 minutes, are too long when an outage made one check
   * fail.
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

/**
 * Carries out writes and syncs of all connections, until it is stopped; any number of workers may run. Brings the tables
 * of the job queue up to date first. Throws when the database cannot be reached.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    store,
    databaseUrl,
    log,
    systems = allSystems,
    quotas = memoryQuotas(),
    concurrency = 10,
    syncs = 2,
  } = options;
  const stopping = new AbortController();
  const logger = graphileLogger(log);
  const [minResetLockedInterval, maxResetLockedInterval] = options.staleJobsEvery ?? [30_000, 60_000];
  const staleJobs = { minResetLockedInterval, maxResetLockedInterval };
  const queue = { connectionString: databaseUrl, schema, logger, noHandleSignals: true, preset, ...staleJobs };
  const jobs = createJobs({ databaseUrl, log });
  const drivers = createDriverPool({ store, systems, log, quotas });
  const policies = { send: sendPolicy, look: lookPolicy, page: pagePolicy, ...options.policies };
  const locks = connectionLocks(store);
  const wakeups = createDelayedWakeups({ jobs, log });
  const work: WorkerContext = { store, drivers, locks, jobs, wakeups, policies, log, signal: stopping.signal };
  // Separate runners, so that long syncs never block writes.
  const tasks = {
    writes: {
      'drain-queue': (payload: unknown) => drainQueue(work, (payload as Payloads['drain-queue']).connectionId),
    },
    syncs: {
      'sync-connection': (payload: unknown) => runSync(work, payload as Payloads['sync-connection']),
      'remove-connection': (payload: unknown) =>
        removeExpired(work, (payload as Payloads['remove-connection']).connectionId),
    },
  };
  const start = (taskList: TaskList, atOnce: number) =>
    keepRunning(
      () => run({ ...queue, events: outliveConnections(log), concurrency: atOnce, taskList }),
      log,
      stopping.signal,
    );
  const draining = await start(tasks.writes, concurrency);
  const syncing = syncs > 0 ? await start(tasks.syncs, syncs) : undefined;
  const sweeping = sweep({ store, jobs, systems, log, syncs: syncs > 0 }, stopping.signal);
  log.info({ concurrency }, 'worker started');
  return {
    async stop() {
      stopping.abort();
      await Promise.all([draining.ended, syncing?.ended, sweeping]);
      wakeups.clear();
      await locks.close();
      await drivers.close();
      await jobs.close();
      log.info('worker stopped');
    },
  };
}
