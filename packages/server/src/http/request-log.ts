import { ServiceError } from '@unified/contract';
import { failureLevel, type LoggedRequest } from '@unified/store';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { applicationIdOf, connectionIdOf, type Principal, tokenIdOf } from './authorization/authenticate.ts';
import type { Match } from './routing/router.ts';

/** The parts of a request that identify it in logs. */
interface Exchange {
  readonly id: string;
  readonly request: { readonly method: string };
  readonly path: string;
  readonly match: Match;
}

/** Who sent a request, and how it ended. */
interface Served {
  readonly principal: Principal | undefined;
  readonly status: number;
  /** Milliseconds until the response was handed to the socket. */
  readonly ms: number;
}

const LONGEST_PATH = 300;

/** Logs a request with one line, whatever its outcome. */
export function logRequest(logger: Logger, exchange: Exchange, { principal, status, ms }: Served): void {
  const { id, request, path, match } = exchange;
  logger.info({
    requestId: id,
    method: request.method,
    path: path.slice(0, LONGEST_PATH),
    operation: match.operation?.id,
    surface: match.operation?.surface,
    application: applicationIdOf(principal),
    connection: connectionIdOf(principal),
    token: tokenIdOf(principal),
    status,
    durationMs: Math.round(ms * 10) / 10,
  });
}

/** A request as an entry for the log of its application; undefined if it belongs to none. `code` is the code of an error. */
export function loggedRequest(
  { id, request, path, match }: Exchange,
  { principal, status, ms }: Served,
  code: string | undefined,
): LoggedRequest | undefined {
  const applicationId = applicationIdOf(principal);
  if (applicationId === undefined) return undefined;
  return {
    applicationId,
    connectionId: connectionIdOf(principal),
    tokenId: tokenIdOf(principal),
    at: Date.now(),
    requestId: id,
    operation: match.operation?.id,
    method: request.method,
    path: path.slice(0, LONGEST_PATH),
    status,
    milliseconds: Math.round(ms * 10) / 10,
    code,
  };
}

/** Logs the error with which a request ended, if an operator should look into it. `status` is the status of the response. */
export function logFailure(logger: Logger, logged: Exchange, error: unknown, status: number): void {
  const line = { ...namesOf(logged), err: error };
  // Failures of connected systems are not failures of this server. Any other 500 or 503 needs the attention of an operator.
  if (isOfSystem(error))
    logger.warn({ ...namesOf(logged), code: error.code, reasons: reasonsOf(error) }, 'connected system failed');
  else if (isOverload(error))
    logger.warn(namesOf(logged), 'request refused: too many responses wait to be read, or tokens to be looked up');
  else if ((status === 500 || status === 503) && isNew(error)) logger[failureLevel(error)](line, 'request failed');
}

/** Logs that a response could not be sent completely. */
export function logCutOff(logger: Logger, logged: Exchange, err: unknown): void {
  logger.warn({ ...namesOf(logged), err }, 'response was cut off');
}

function namesOf({ id, match }: Exchange) {
  return { requestId: id, operation: match.operation?.id };
}

/** Maximum number of messages of an error and its causes. */
const DEEPEST = 8;

/** The messages of an error and its causes, outermost first: where it was thrown does not matter outside this server. */
function reasonsOf(error: Error): string[] {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < DEEPEST; at = at.cause)
    reasons.push(at.message);
  return reasons;
}

function isOfSystem(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 502 || error.code.startsWith('SERVICE_SYSTEM_'));
}

/** Whether this server refused a request because of overload. A client could fill the error log by causing these. */
function isOverload(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined;
}

/** During an outage, every request fails with the same error, which would fill the log. Internal errors are always logged. */
function isNew(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') return true;
  return isNewOutage(error.message, error.cause);
}

/** Outages that were logged recently, by message and cause. */
const reported = new LRUCache<string, true>({ max: 1_000, ttl: 10_000 });

/** Whether this outage has not been logged in the last ten seconds. From then on, it counts as logged. */
export function isNewOutage(message: string, cause: unknown): boolean {
  const outage = `${message} ${cause instanceof Error ? cause.message : ''}`;
  const isKnown = reported.has(outage);
  if (!isKnown) reported.set(outage, true);
  return !isKnown;
}
