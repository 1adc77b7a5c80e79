import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';

/**
 * Events for a runner of the job queue that outlives its database connections. When a runner stops, graphile-worker
 * 0.18.0 neither waits for its connections to close nor listens to them any more: a database that is stopped at the same
 * time closes them with an error, which without a listener ends the process.
 */
export function outliveConnections(log: Logger): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on('stop', ({ ctx }) => {
    const pool: unknown = 'pgPool' in ctx ? ctx.pgPool : undefined;
    if (pool instanceof EventEmitter)
      pool.on('error', (err) => log.debug({ err }, 'a connection of the job queue broke'));
  });
  return events;
}
