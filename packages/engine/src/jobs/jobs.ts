import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { Scope } from '@unified/store';
import { makeWorkerUtils, type TaskSpec, type WorkerUtils } from 'graphile-worker';
import type { Logger } from 'pino';
import { graphileLogger } from './graphile-runner.ts';

/** `full` reads every row and detects deleted rows, `incremental` reads rows that changed. */
export type SyncMode = 'full' | 'incremental';

/** Names of the jobs, with their payloads. */
export interface Payloads {
  'drain-queue': { readonly connectionId: string };
  'sync-connection': {
    readonly connectionId: string;
    readonly mode?: SyncMode;
    readonly streams?: readonly string[];
    /** Fields may be emptied because their columns disappeared. */
    readonly acceptColumns?: boolean;
    /** Records may be deleted although many rows disappeared together. */
    readonly acceptDeletes?: boolean;
  };
  'derive-connection': { readonly connectionId: string };
  'remove-connection': { readonly connectionId: string };
  'deliver-events': { readonly endpointId: string };
}

/** Jobs that take one of the places of a worker for runs. */
export type RunName = 'sync-connection' | 'derive-connection' | 'remove-connection';

/** Where such a job waits for a worker. */
export interface JobPlace {
  /** When it can be taken; now by default. */
  readonly at?: Date;
  /** Its turn: jobs with a smaller number are taken first. By default that of a requested run, after the next turn. */
  readonly turn?: number;
  /** Whether it waits for a place of a long run. */
  readonly isLong?: boolean;
}

/** A run that waits for a worker. */
export type WaitingRun = Required<Pick<JobPlace, 'turn' | 'isLong'>>;

/** Jobs for workers. The tables are the source of truth: the sweep adds a lost job again. */
export interface Jobs {
  /** Adds a job that drains the write queue of a connection, now or at `at`. */
  addDrainJob(connectionId: string, at?: Date): Promise<void>;
  /** Adds a job that synchronizes a connection. */
  addSyncJob(payload: Payloads['sync-connection'], place?: JobPlace): Promise<void>;
  /** Adds a job that derives the records of a connection again. */
  addDerivationJob(connectionId: string, place?: JobPlace): Promise<void>;
  /** Adds a job that removes a connection which can no longer be restored. */
  addRemovalJob(connectionId: string, place?: JobPlace): Promise<void>;
  /** Adds a job that sends the events of a webhook endpoint, now or at `at`. */
  addDeliveryJob(endpointId: string, at?: Date): Promise<void>;
  /** The jobs of due connections that only wait for a worker; null without one. */
  waitingRuns(due: readonly { readonly name: RunName; readonly id: string }[]): Promise<(WaitingRun | null)[]>;
  /** Those of the connections, or endpoints, that have no job with this name that only waits for a worker. */
  withoutWaitingJob(name: Exclude<keyof Payloads, RunName>, ids: readonly string[]): Promise<string[]>;
  /** Removes the jobs that synchronize, derive or write to a connection; a running one is not retried. */
  forget(connectionId: string): Promise<void>;
  close(): Promise<void>;
}

/** Flag of jobs that only a free place for a long run can carry out. */
export const LONG = 'long';

/** The largest number of a turn that the queue stores. */
export const LAST_TURN = 32_767;

/** PostgreSQL schema of the job queue. */
export const schema = 'jobs';

/** Number of attempts per job. Few are enough, since the next sweep adds the job again. */
const ATTEMPTS = 3;

function queueKeyOf(connectionId: string): string {
  return `queue:${connectionId}`;
}

/** Keys of the jobs that the sweep adds, by the id of the connection or endpoint. */
const keyOf: Readonly<Record<keyof Payloads, (id: string) => string>> = {
  'drain-queue': queueKeyOf,
  'sync-connection': (connectionId) => jobKeyOf({ connectionId }),
  'derive-connection': (connectionId) => `derive:${connectionId}`,
  'remove-connection': (connectionId) => `remove:${connectionId}`,
  'deliver-events': (endpointId) => `webhooks:${endpointId}`,
};

/** A requested run replaces neither the scheduled one nor a requested run of other streams. */
function jobKeyOf(payload: Payloads['sync-connection']): string {
  const { connectionId, mode, streams, acceptColumns, acceptDeletes } = payload;
  const which = streams ? `:${hash('sha256', streams.toSorted().join('\n'), 'base64url')}` : '';
  return `sync:${connectionId}:${mode ?? 'due'}${acceptColumns ? ':accept' : ''}${acceptDeletes ? ':delete' : ''}${which}`;
}

/** A job that is due earlier keeps its time, because new work may have been added in the meantime. */
function timeOf(at: Date | undefined): TaskSpec {
  return at && at > new Date() ? { jobKeyMode: 'preserve_run_at', runAt: at } : { jobKeyMode: 'replace' };
}

/** Adds a job by a commit that does not wait for the disk. */
const ADD_REPEATABLE = `
  select set_config('synchronous_commit', 'off', true)
    from ${schema}.add_job(identifier => $1::text, payload => $2::json, run_at => $3::timestamptz, max_attempts => ${ATTEMPTS},
      job_key => $4::text, job_key_mode => $5::text)`;

/** Condition: a worker takes the job as soon as it has time. One that is locked may be that of a worker that was killed. */
const WAITS = 'locked_at is null and run_at <= now() and attempts < max_attempts';

const RUNS: readonly RunName[] = ['sync-connection', 'derive-connection', 'remove-connection'];

/** A requested run waits for the next turn only, so that it neither waits for all that are due nor delays them repeatedly. */
const ADD_RUN = `
  select from ${schema}.add_job(identifier => $1::text, payload => $2::json, run_at => $3::timestamptz,
    max_attempts => ${ATTEMPTS}, job_key => $4::text, flags => $6::text[], priority => coalesce($5::int, (
      select least(${LAST_TURN}, coalesce(min(priority) + 1, 0)) from ${schema}.jobs
       where task_identifier = any ($7::text[]) and flags is null and ${WAITS})))`;

const WAITING_RUNS = `
  select wanted.place::int, priority as turn, flags is not null as "isLong"
    from unnest($1::text[]) with ordinality wanted(key, place) join ${schema}.jobs using (key) where ${WAITS}`;

/** Keys without such a job. */
const WITHOUT_JOB = `
  select place::int from unnest($1::text[]) with ordinality wanted(key, place)
   where not exists (select from ${schema}.jobs where jobs.key = wanted.key and ${WAITS})
   order by place`;

/** Connects to the database when the first job is added. */
export function createJobs({ databaseUrl, log }: { databaseUrl: string; log: Logger }): Jobs {
  let utils: Promise<WorkerUtils> | undefined;
  const open = () => {
    const options = { connectionString: databaseUrl, schema, maxPoolSize: 1, logger: graphileLogger(log) };
    utils ??= makeWorkerUtils(options).catch((error: unknown) => {
      utils = undefined;
      throw error;
    });
    return utils;
  };
  const addRun = async <Name extends RunName>(
    name: Name,
    payload: Payloads[Name],
    key: string,
    place: JobPlace = {},
  ) => {
    const { at = null, turn = null, isLong } = place;
    const values = [name, JSON.stringify(payload), at, key, turn, isLong ? [LONG] : null, RUNS];
    await (await open()).withPgClient((client) => client.query(ADD_RUN, values));
  };
  // The tables say what is to be done, so the sweep adds these again if the database server crashes within the second.
  const addRepeatable = async (name: keyof Payloads, payload: Payloads[keyof Payloads], spec: TaskSpec) => {
    const { runAt = null, jobKey, jobKeyMode } = spec;
    const values = [name, JSON.stringify(payload), runAt, jobKey, jobKeyMode];
    await (await open()).withPgClient((client) => client.query(ADD_REPEATABLE, values));
  };
  return {
    addDrainJob: (connectionId, at) =>
      addRepeatable('drain-queue', { connectionId }, { jobKey: keyOf['drain-queue'](connectionId), ...timeOf(at) }),
    addDeliveryJob: (endpointId, at) =>
      addRepeatable('deliver-events', { endpointId }, { jobKey: keyOf['deliver-events'](endpointId), ...timeOf(at) }),
    addSyncJob: (payload, place) => addRun('sync-connection', payload, jobKeyOf(payload), place),
    addDerivationJob: (connectionId, place) =>
      addRun('derive-connection', { connectionId }, keyOf['derive-connection'](connectionId), place),
    addRemovalJob: (connectionId, place) =>
      addRun('remove-connection', { connectionId }, keyOf['remove-connection'](connectionId), place),
    async waitingRuns(due) {
      if (due.length === 0) return [];
      const keys = due.map(({ name, id }) => keyOf[name](id));
      const { rows } = await (await open()).withPgClient((client) =>
        client.query<WaitingRun & { place: number }>(WAITING_RUNS, [keys]),
      );
      const found = new Map(rows.map(({ place, turn, isLong }) => [place, { turn, isLong }]));
      return due.map((_, index) => found.get(index + 1) ?? null);
    },
    async withoutWaitingJob(name, ids) {
      if (ids.length === 0) return [];
      const keys = ids.map(keyOf[name]);
      const { rows } = await (await open()).withPgClient((client) =>
        client.query<{ place: number }>(WITHOUT_JOB, [keys]),
      );
      return rows.flatMap(({ place }) => ids[place - 1] ?? []);
    },
    async forget(connectionId) {
      const utils = await open();
      const sql = `select ${schema}.remove_job(key) from ${schema}.jobs where key in ($1, $2) or key like $3`;
      const keys = [queueKeyOf(connectionId), keyOf['derive-connection'](connectionId), `sync:${connectionId}:%`];
      await utils.withPgClient((client) => client.query(sql, keys));
    },
    close: async () => {
      const opened = await utils?.catch(() => undefined);
      if (opened) await release(opened, log);
    },
  };
}

/** Releases the database connection and waits until it is closed, which `release` of graphile-worker does not. */
async function release(utils: WorkerUtils, log: Logger): Promise<void> {
  let closed: Promise<unknown> | undefined;
  try {
    await utils.withPgClient(async (client) => {
      closed = once(client, 'end');
    });
  } catch (err) {
    log.debug({ err }, 'the job queue has no connection to close');
  }
  await utils.release();
  await closed;
}

/**
 * Adds a job that drains the write queue of a connection. Never rejects: without the job, the sweep of a worker
 * finds the queue.
 */
export async function wakeQueue(
  { jobs, log }: { readonly jobs: Jobs; readonly log: Logger },
  { connectionId }: Pick<Scope, 'connectionId'>,
): Promise<void> {
  await jobs
    .addDrainJob(connectionId)
    .catch((err) => log.warn({ err, connectionId }, 'no job for a write queue; the sweep adds it'));
}
