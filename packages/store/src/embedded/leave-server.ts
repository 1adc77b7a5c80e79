import { clusterOf } from './cluster.ts';
import type { Plan } from './placement.ts';
import { identityOf } from './postmaster.ts';
import type { Running } from './running-server.ts';
import { until } from './until.ts';
import type { Use } from './users.ts';

/** Seconds that clients have to finish. */
const CLIENTS_LEAVE = 2;

/**
 * Returns a function that leaves the server, under the start lock, and stops it if no other process uses it. If this process
 * exits without calling it, the signal is sent, without waiting for the server to stop.
 */
export function leaver(plan: Plan, use: Use, current: () => Running | null): () => Promise<void> {
  const atExit = () => {
    const alone = use.leave();
    const running = current();
    if (alone && running && runs(running)) process.kill(running.pid, 'SIGINT');
  };
  process.once('exit', atExit);
  return async () => {
    process.off('exit', atExit);
    const alone = use.leave();
    try {
      const running = current();
      if (alone && running) await stop(running, clusterOf(plan.placement));
    } finally {
      alone?.release();
    }
  };
}

async function stop(running: Running, cluster: string): Promise<void> {
  if (!runs(running)) return;
  const gone = () => (runs(running) ? null : true);
  process.kill(running.pid, 'SIGTERM');
  // Waits for clients that are about to leave, then disconnects the others.
  await until(gone, CLIENTS_LEAVE, '').catch(() => process.kill(running.pid, 'SIGINT'));
  await until(gone, 60, `The PostgreSQL in ${cluster} (process ${running.pid}) did not stop within a minute.`);
}

function runs({ pid, identity }: Running): boolean {
  return identityOf(pid) === identity;
}
