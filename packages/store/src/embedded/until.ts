import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `look` every 10 ms until it returns a value other than null. After `seconds`, throws an error with the message `late`.
 */
export async function until<T>(look: () => Promise<T | null> | T | null, seconds: number, late: string): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(late);
    await pause(10);
  }
}
