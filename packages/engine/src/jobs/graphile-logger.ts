import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from 'pino';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** Writes messages of the job queue to the log of the service; messages about single jobs have level debug or trace. */
export function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const err = meta?.error;
    log[levels[level]]({ from: 'jobs', ...(err instanceof Error && { err }) }, message);
  });
}
