import { destination, type Logger, pino } from 'pino';

/**
 * One JSON line per event on standard output. Lines are buffered for at most a second, since a write per request is
 * expensive.
 */
export function createLogger(level = process.env.LOG_LEVEL ?? 'info'): Logger {
  const output = destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: 1000 });
  process.on('exit', () => output.flushSync());
  return pino(
    {
      level,
      base: null,
      redact: ['authorization', 'headers.authorization', 'token'],
      serializers: { err: loggedError },
    },
    output,
  );
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/**
 * An error without its other properties: those of a database error include the connection, with its statements and the key that
 * cancels them.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code: String(code) }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
  };
}
