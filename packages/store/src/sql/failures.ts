import { ServiceError } from '@unified/contract';
import pg from 'pg';

/** SQLSTATEs of a server that is starting or stopping, or no longer accepts our login; class 08 is a broken connection. */
const NOT_REACHABLE = new Set(['57P01', '57P02', '57P03', '57P05', '28000', '28P01', '3D000']);
const BROKEN_SOCKET = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
const ENDED = /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/;

/** A statement that timed out or lost a conflict, and a standby that accepts no writes; class 53 is a full server. */
const BUSY = new Set(['57014', '55P03', '40001', '40P01', '25006']);

/** Messages of Citus, which have no SQLSTATE of their own. */
const SHARD_REPLACED = /^(could not find valid entry for shard |shard for the given value does not exist)/;

/** SQLSTATE of a full disk. If PostgreSQL uses another code, its message quotes the operating system. */
const DISK_FULL = '53100';
const NO_SPACE = /No space left on device/;

/** The error to throw on: SERVICE_UNAVAILABLE when the database cannot be reached or is overloaded, else the error itself. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isUnreachable(error)) return unavailable(UNREACHABLE, error);
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError && (code === DISK_FULL || NO_SPACE.test(error.message))) {
    return unavailable('The disk of the database is full. Free some space there, then retry.', error);
  }
  const isBusy =
    error instanceof pg.DatabaseError && (code.startsWith('53') || BUSY.has(code) || isShardReplaced(error));
  return isBusy ? unavailable('The database is too busy. Retry.', error) : error;
}

/** Whether a statement in a Citus cluster began before its shard was replaced by new ones, so that it can be repeated. */
export function isShardReplaced(error: unknown): boolean {
  return error instanceof pg.DatabaseError && SHARD_REPLACED.test(error.message);
}

const UNREACHABLE = 'The database is not reachable.';

/** SQLSTATE of a statement that took too long, or that its client has cancelled. */
const TIMED_OUT = '57014';

/** A read that failed because of the server on which it ran. */
export interface ServerFailure extends ServiceError {
  readonly cause: Error;
}

/**
 * Whether a read failed because of the server on which it ran, such as a replica that is gone or whose replay conflicted with
 * it, so that it can succeed on another one. A statement that took too long would take as long there.
 */
export function isOfServer(error: unknown): error is ServerFailure {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') return false;
  return error.cause instanceof Error && codeOf(error.cause) !== TIMED_OUT;
}

/** Whether all clients of a pool were in use for longer than a statement waits for one. */
export function isPoolBusy({ message }: Error): boolean {
  return message.startsWith('timeout exceeded when trying to connect');
}

/** Whether an error means that the server cannot be reached. */
export function isUnreachable(error: Error): boolean {
  const code = codeOf(error);
  return code.startsWith('08') || NOT_REACHABLE.has(code) || BROKEN_SOCKET.has(code) || ENDED.test(error.message);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function unavailable(message: string, cause: Error): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 });
}

/**
 * Milliseconds without a failure after which an outage is considered over; longer than any wait before the next attempt to
 * connect.
 */
const OVER_AFTER = 60_000;

let lastFailure = Number.NEGATIVE_INFINITY;

/**
 * The level at which to log a failure. All parts of a process repeatedly notice an unreachable database: the first failure of
 * an outage is logged as an error, the others at level debug. Any other failure is an error. `undefined`, a failure without a
 * cause, counts as part of an outage if there is one.
 */
export function failureLevel(error: unknown): 'error' | 'debug' {
  const isOutage = performance.now() - lastFailure < OVER_AFTER;
  const isPart = error instanceof Error && (isUnreachable(error) || error.message === UNREACHABLE);
  if (isPart) lastFailure = Math.max(lastFailure, performance.now());
  return isOutage && (isPart || error === undefined) ? 'debug' : 'error';
}

/** Call it when the process begins to stop its database: failures to reach it are then logged at level debug. */
export function expectOutage(): void {
  lastFailure = Number.POSITIVE_INFINITY;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** The error to throw on: SERVICE_CONNECTION_INACTIVE when a row was added for a connection that has been removed. */
export function asRemoved(error: unknown): unknown {
  const isOrphan =
    error instanceof pg.DatabaseError &&
    error.code === FOREIGN_KEY_VIOLATION &&
    error.constraint?.endsWith('_of_connection');
  if (!isOrphan) return error;
  return new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection was removed.', { cause: error });
}

/** Whether PostgreSQL refused a value (class 22): a NUL byte, or a number or date that is out of range. */
export function isDataError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}
