import type { Job } from 'graphile-worker';
import type { JobPlace } from './jobs.ts';

/** The place of a run. */
export interface RunPlace {
  /**
   * Called at the start of a run, with whether it is expected to be long. Returns false if the places for long runs are taken: then
   * the run must not begin.
   */
  begin(isLong: boolean): boolean;
  /** Where its job waits then: long runs begin in the order in which their jobs were added, whatever their turn was. */
  readonly whenPostponed: JobPlace;
}

/**
 * The places of a worker for syncs, derivations and removals. At most half of them, but at least one, are for runs that are
 * expected to be long. A run that unexpectedly lasts longer than `longAfterMs` counts as well: until it ends, fewer long ones
 * begin.
 */
export interface RunPlaces {
  /** Whether another long run may begin. */
  hasLong(): boolean;
  /** Calls `work` in a place. The runner of the jobs takes a job only if a place is free. */
  within<T>(job: QueuedJob, work: (place: RunPlace) => Promise<T>): Promise<T>;
}

/** A job that a runner has taken. */
type QueuedJob = Pick<Job, 'run_at'>;

export function createRunPlaces({ size, longAfterMs }: { size: number; longAfterMs: number }): RunPlaces {
  const most = Math.max(1, Math.floor(size / 2));
  const long = new Set<RunPlace>();
  const hasLong = () => long.size < most;
  return {
    hasLong,
    async within({ run_at: at }, work) {
      let timer: NodeJS.Timeout | undefined;
      const place: RunPlace = {
        begin(isLong) {
          if (isLong && !hasLong()) return false;
          if (isLong) long.add(place);
          else timer = setTimeout(() => long.add(place), longAfterMs);
          return true;
        },
        whenPostponed: { at, turn: 0, isLong: true },
      };
      try {
        return await work(place);
      } finally {
        clearTimeout(timer);
        long.delete(place);
      }
    },
  };
}
