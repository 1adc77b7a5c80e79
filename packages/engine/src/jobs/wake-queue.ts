import type { Scope } from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from './jobs.ts';

/** Has the queue of a connection drained. Never fails: what is due is in the tables, where the sweep of a worker finds it. */
export async function wakeQueue(
  { jobs, log }: { readonly jobs: Jobs; readonly log: Logger },
  { connectionId }: Pick<Scope, 'connectionId'>,
): Promise<void> {
  await jobs
    .drainQueue(connectionId)
    .catch((err) => log.warn({ err, connectionId }, 'no job for a queue; the sweep adds it'));
}
