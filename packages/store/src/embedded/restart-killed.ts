import { isAlive } from './postmaster.ts';

/** Milliseconds between looks at the process. */
const LOOK_EVERY = 500;

/** A server that is looked after. */
export interface Guarded {
  /** Process id of the server, also after it was started again. */
  pid(): number;
  /** Looks after it no more; settles when no start is under way. */
  release(): Promise<void>;
}

/**
 * Looks after the server with this process id: when it has ended, `restart` is called with the id, and gives the new one, or
 * null when the server was stopped on purpose. What cannot be started again is logged and left.
 */
export function restartKilled(
  first: number,
  restart: (killed: number) => Promise<number | null>,
  log: (line: string) => void,
): Guarded {
  let pid = first;
  let restarting: Promise<void> | null = null;
  const startAgain = async () => {
    const now = await restart(pid);
    if (now === null) return clearInterval(timer);
    pid = now;
    restarting = null;
  };
  const giveUp = (error: unknown) => {
    clearInterval(timer);
    log(`PostgreSQL has ended and cannot be started again: ${error instanceof Error ? error.message : error}`);
  };
  const timer = setInterval(() => {
    if (restarting === null && !isAlive(pid)) restarting = startAgain().catch(giveUp);
  }, LOOK_EVERY).unref();
  return {
    pid: () => pid,
    async release() {
      clearInterval(timer);
      await restarting;
    },
  };
}
