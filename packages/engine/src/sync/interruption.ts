import type { WorkerContext } from '../jobs/worker-context.ts';
import { isStillActive } from '../model/active-model.ts';

/** Milliseconds between two checks whether jobs of other connections wait, once the turn of a run has passed. */
const ASK_AGAIN_MS = 5_000;

/** Whether a run over the data of a connection ends before everything is done. */
export interface Interruption {
  /** Ends the run after the current page or batch. */
  readonly signal: AbortSignal;
  /** Whether the run ends because its turn is over. A new job must continue it. */
  readonly isTurnOver: boolean;
  /** Aborts the signal if the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
  /**
   * Call it after each page or batch, so that each turn does at least one. Aborts the signal in the same cases, and if the turn
   * of the run is over while jobs of other connections wait for a worker.
   */
  endAfterPage(): Promise<void>;
}

/** Begins the turn of a run. The signal also aborts when the worker stops. */
export function interruptionOf({ store, jobs, turnMs, signal }: WorkerContext, connectionId: string): Interruption {
  const ended = new AbortController();
  let isTurnOver = false;
  let askAt = performance.now() + turnMs;
  const isTurnPassed = async () => {
    if (performance.now() < askAt) return false;
    askAt = performance.now() + Math.min(turnMs, ASK_AGAIN_MS);
    return jobs.othersWait(connectionId);
  };
  const endUnlessActive = async () => {
    if (!(await isStillActive(store, connectionId))) ended.abort();
  };
  return {
    signal: AbortSignal.any([signal, ended.signal]),
    get isTurnOver() {
      return isTurnOver;
    },
    endUnlessActive,
    async endAfterPage() {
      await endUnlessActive();
      if (ended.signal.aborted || !(await isTurnPassed())) return;
      isTurnOver = true;
      ended.abort();
    },
  };
}
