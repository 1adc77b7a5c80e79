import type { Logger } from 'pino';
import { wakeLane } from './wake-queue.ts';
import type { Jobs } from './jobs.ts';

/** Wakes lanes whose first write has to wait. */
export interface Alarms {
  /** Has the lane of a connection drained at `due` (milliseconds since 1970). */
  set(connectionId: string, due: number): Promise<void>;
  clear(): void;
}

/** The job queue looks for jobs whose time has come only this often; what is due sooner is timed here. */
const SOON_MS = 3_000;

/** The alarms of this process; when it ends, the sweep of another finds what was due. */
export function createAlarms({ jobs, log }: { jobs: Jobs; log: Logger }): Alarms {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    async set(connectionId, due) {
      const wait = due - Date.now();
      if (wait <= 0) return jobs.drainLane(connectionId);
      if (wait > SOON_MS) return jobs.drainLane(connectionId, new Date(due));
      clearTimeout(timers.get(connectionId));
      const ring = () => {
        timers.delete(connectionId);
        wakeLane({ jobs, log }, { connectionId });
      };
      timers.set(connectionId, setTimeout(ring, wait));
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
