import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from 'pino';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** Lets the job queue write into our log; its chatter about single jobs is for those who debug. */
export function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const err = meta?.error;
    log[levels[level]]({ from: 'jobs', ...(err instanceof Error && { err }) }, message);
  });
}
