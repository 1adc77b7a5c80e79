import type { TaskList } from 'graphile-worker';

/** Jobs of this process that are in progress. */
export interface JobsInProgress {
  /** The same tasks, whose jobs are counted. */
  counted(tasks: TaskList): TaskList;
  /** Resolves when none is in progress. */
  ended(): Promise<void>;
}

/** A runner that has lost its database ends without waiting for its jobs, which still use the store. */
export function createJobsInProgress(): JobsInProgress {
  const running = new Set<Promise<unknown>>();
  const counted = (task: NonNullable<TaskList[string]>) => {
    return async (...given: Parameters<typeof task>) => {
      const work = Promise.resolve(task(...given));
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    };
  };
  return {
    counted: (tasks) =>
      Object.fromEntries(Object.entries(tasks).flatMap(([name, task]) => (task ? [[name, counted(task)]] : []))),
    async ended() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
