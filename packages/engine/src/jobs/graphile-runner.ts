import { setTimeout as pause } from 'node:timers/promises';
import { failureLevel } from '@unified/store';
import { Logger as GraphileLogger, type Runner } from 'graphile-worker';
import type { Logger } from 'pino';

const levels = { warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** Writes messages of the job queue to the log of the service; messages about single jobs have level debug or trace. */
export function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const err = meta?.error ?? meta?.fatalError;
    const at = level === 'error' ? failureLevel(err) : levels[level];
    log[at]({ from: 'jobs', ...(err instanceof Error && { err }) }, message);
  });
}

/** Shortest and longest wait between two starts, in milliseconds. */
const SHORTEST = 500;
const LONGEST = 30_000;

/**
 * Keeps a runner of the job queue alive until `signal` aborts: graphile-worker stops when the database is down for a few
 * seconds. The first start is awaited, so that startup fails if the address is wrong.
 */
export async function keepRunning(
  start: () => Promise<Runner>,
  log: Logger,
  signal: AbortSignal,
): Promise<{ ended: Promise<void> }> {
  let runner = await start();
  const watch = async () => {
    for (;;) {
      const failure = await endOf(runner, signal);
      if (signal.aborted) return;
      log[failureLevel(failure)]({ err: failure }, 'the job queue stopped; starting it again');
      const next = await restart(start, log, signal);
      if (!next) return;
      runner = next;
    }
  };
  return { ended: watch() };
}

async function endOf(runner: Runner, signal: AbortSignal): Promise<unknown> {
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped = runner.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await runner.promise;
    // It returns its database connections only when it has stopped.
    await stopped;
    return undefined;
  } catch (error) {
    return error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function restart(start: () => Promise<Runner>, log: Logger, signal: AbortSignal): Promise<Runner | undefined> {
  for (let wait = SHORTEST; !signal.aborted; wait = Math.min(wait * 2, LONGEST)) {
    // Rejects only when the pause is aborted.
    await pause(wait * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    try {
      return await start();
    } catch (err) {
      log[failureLevel(err)]({ err }, 'the job queue could not be started');
    }
  }
  return undefined;
}
