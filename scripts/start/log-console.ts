import { format } from 'node:util';
import type { Logger } from 'pino';

const levels = { error: 'error', trace: 'error', warn: 'warn', log: 'info', info: 'info', debug: 'debug' } as const;

/**
 * Makes what libraries print a line of the log each. The job queue, for one, prints stack traces past the logger that it
 * is given. Returns the way back.
 */
export function logConsole(log: Logger): () => void {
  const printed = { ...console };
  for (const [method, level] of Object.entries(levels)) {
    const write = (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = values.filter((value) => value !== err);
      log[level]({ from: 'console', ...(err && { err }) }, text.length > 0 ? format(...text) : err?.message);
    };
    Object.assign(console, { [method]: write });
  }
  return () => void Object.assign(console, printed);
}
