import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs `work` while PostgreSQL executes a statement that was just started, and returns both results. Use it for work of this
 * process that needs no database. Ends only when the statement has.
 */
export async function alongside<Result, Made>(
  statement: Promise<Result>,
  work: () => Made,
): Promise<readonly [Result, Made]> {
  // The failure is handled where it is awaited; until then an unhandled rejection would end the process.
  statement.catch(() => {});
  // Lets the event loop send the statement.
  await nextTurn();
  try {
    const made = work();
    return [await statement, made];
  } catch (error) {
    // Otherwise the statement would still run after its transaction was rolled back.
    await statement.catch(() => {});
    throw error;
  }
}
