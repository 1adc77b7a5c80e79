import { setTimeout as pause } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Logger } from 'pino';

/** Shortest and longest wait between two starts, in milliseconds. */
const SHORTEST = 500;
const LONGEST = 30_000;

/**
 * Keeps a runner of the job queue alive until `signal` aborts: graphile-worker stops when the database is down for some
 * seconds. The first start is awaited, so that a wrong address is an error of the start.
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
      log.error({ err: failure }, 'the job queue stopped; starting it again');
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
    // Only after the stop its database connections are closed, too.
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
    // The pause rejects only when it is aborted.
    await pause(wait * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    try {
      return await start();
    } catch (err) {
      log.error({ err }, 'the job queue does not start');
    }
  }
  return undefined;
}
