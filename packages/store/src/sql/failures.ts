import { ServiceError } from '@unified/contract';
import pg from 'pg';

/** SQLSTATEs of a server that is starting, stopping or full; class 08 is a broken connection. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300']);
const BROKEN_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT']);

/** The error to throw on: SERVICE_UNAVAILABLE when the database cannot be reached, else the error itself. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const lost = code.startsWith('08') || UNAVAILABLE.has(code) || BROKEN_SOCKET.has(code);
  const ended = /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message);
  if (!lost && !ended) return error;
  return new ServiceError('SERVICE_UNAVAILABLE', 'The database is not reachable.', { cause: error, retryAfter: 1 });
}

/** Whether PostgreSQL refused a value (class 22): a NUL byte, a number or date out of range. */
export function isDataError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}
