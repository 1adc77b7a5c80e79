import { destination, type Logger, pino } from 'pino';

/**
 * One JSON line per event on standard output. Lines are buffered for at most a second, since a write per request is
 * expensive.
 */
export function createLogger(level = process.env.LOG_LEVEL ?? 'info'): Logger {
  const output = destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: 1000 });
  process.on('exit', () => output.flushSync());
  return pino({ level, base: null, redact: ['authorization', 'headers.authorization', 'token'] }, output);
}
