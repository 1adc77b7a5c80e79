import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which other requests get their turn. */
const TURN_MS = 5;

/**
 * Keeps loops over long data from blocking other requests. Returns a function to await after each step. Once the steps have
 * taken `TURN_MS`, it lets the event loop continue first.
 */
export function takingTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
