import type { Scope } from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from './jobs.ts';

/** Has the lane of a connection drained. Never fails: what is due is in the tables, where the sweep of a worker finds it. */
export async function wakeLane(
  { jobs, log }: { readonly jobs: Jobs; readonly log: Logger },
  { connectionId }: Pick<Scope, 'connectionId'>,
): Promise<void> {
  await jobs
    .drainLane(connectionId)
    .catch((err) => log.warn({ err, connectionId }, 'no job for a lane; the sweep adds it'));
}
