import { format } from 'node:util';
import type { Logger } from 'pino';

const levels = { error: 'error', trace: 'error', warn: 'warn', log: 'info', info: 'info', debug: 'debug' } as const;

/**
 * Turns output that libraries print to the console into log lines. For example, the job queue prints stack traces without
 * using its logger. Returns a function that restores the console.
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
