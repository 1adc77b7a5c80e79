import { once } from 'node:events';
import { makeWorkerUtils, type TaskSpec, type WorkerUtils } from 'graphile-worker';
import type { Logger } from 'pino';
import { contentHash } from '../write/content-hash.ts';
import { graphileLogger } from './graphile-logger.ts';
import type { SyncMode } from './sync-mode.ts';

/** Names of the jobs, and what they carry. */
export interface Payloads {
  'drain-queue': { readonly connectionId: string };
  'sync-connection': { readonly connectionId: string; readonly mode?: SyncMode; readonly streams?: readonly string[] };
}

/** Wakes workers up. A job that is lost is found again by the sweep: the tables are the truth. */
export interface Jobs {
  /** Has the queue of a connection drained, now or at `at`. */
  drainQueue(connectionId: string, at?: Date): Promise<void>;
  /** Has a connection synchronised, now or at `at`. */
  syncConnection(payload: Payloads['sync-connection'], at?: Date): Promise<void>;
  /** Removes all jobs of a connection; one that is running is not repeated. */
  forget(connectionId: string): Promise<void>;
  close(): Promise<void>;
}

/** PostgreSQL schema of the job queue. */
export const schema = 'jobs';

/** Tries of one job. Few: the next sweep adds it anew. */
const ATTEMPTS = 3;

function queueKeyOf(connectionId: string): string {
  return `queue:${connectionId}`;
}

/** A run that was asked for replaces neither the scheduled one nor one that was asked for other streams. */
function jobKeyOf({ connectionId, mode, streams }: Payloads['sync-connection']): string {
  const which = streams ? `:${contentHash({ streams: [...streams].sort() })}` : '';
  return `sync:${connectionId}:${mode ?? 'due'}${which}`;
}

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
  const add = async (name: keyof Payloads, payload: Payloads[keyof Payloads], spec: TaskSpec) => {
    await (await open()).addJob(name, payload, { maxAttempts: ATTEMPTS, ...spec });
  };
  return {
    drainQueue(connectionId, at) {
      const jobKey = queueKeyOf(connectionId);
      if (!at || at <= new Date()) return add('drain-queue', { connectionId }, { jobKey, jobKeyMode: 'replace' });
      // A job that is due earlier keeps its time: somebody may have asked for the queue meanwhile.
      return add('drain-queue', { connectionId }, { jobKey, jobKeyMode: 'preserve_run_at', runAt: at });
    },
    syncConnection: (payload, at) =>
      add('sync-connection', payload, { jobKey: jobKeyOf(payload), jobKeyMode: 'replace', ...(at && { runAt: at }) }),
    async forget(connectionId) {
      const utils = await open();
      const sql = `select ${schema}.remove_job(key) from ${schema}.jobs where key = $1 or key like $2`;
      await utils.withPgClient((client) => client.query(sql, [queueKeyOf(connectionId), `sync:${connectionId}:%`]));
    },
    close: async () => {
      const opened = await utils?.catch(() => undefined);
      if (opened) await release(opened, log);
    },
  };
}

/** Gives the database connection back and waits until it is closed, which `release` by itself does not. */
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
