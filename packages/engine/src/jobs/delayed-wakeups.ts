import type { Logger } from 'pino';
import { type Jobs, wakeQueue } from './jobs.ts';

/** Wakes write queues whose first write has to wait. */
export interface DelayedWakeups {
  /** Adds a job that drains the write queue of a connection at `due` (milliseconds since 1970). */
  schedule(connectionId: string, due: number): Promise<void>;
  clear(): void;
}

/** The job queue polls for due jobs only this often; shorter delays are timed in this process. */
const SOON_MS = 3_000;

/** Delayed wake-ups of this process. If it ends, the sweep of another process finds what is due. */
export function createDelayedWakeups({ jobs, log }: { jobs: Jobs; log: Logger }): DelayedWakeups {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    async schedule(connectionId, due) {
      const wait = due - Date.now();
      if (wait <= 0) return jobs.addDrainJob(connectionId);
      if (wait > SOON_MS) return jobs.addDrainJob(connectionId, new Date(due));
      clearTimeout(timers.get(connectionId));
      const wake = () => {
        timers.delete(connectionId);
        wakeQueue({ jobs, log }, { connectionId });
      };
      timers.set(connectionId, setTimeout(wake, wait));
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
