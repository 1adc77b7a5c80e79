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
  /** The errors of several attempts, such as those to connect to each address of a host. */
  readonly errors?: readonly LoggedError[];
}

/** Causes of causes that are logged; errors can refer to each other in a circle. */
const DEEPEST = 4;

/**
 * An error without its other properties: those of a database error include the connection, with its statements and the key that
 * cancels them.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code: String(code) }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && depth < DEEPEST && { cause: loggedError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < DEEPEST && { errors: error.errors.map((each) => loggedError(each, depth + 1)) }),
  };
}
