import { type Operation, ServiceError } from '@unified/contract';
import { failureLevel } from '@unified/store';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { suggestionOf } from '../request-error.ts';
import { applicationOf, connectionOf } from './authorization/authenticate.ts';
import type { Authorization, Authorize } from './authorization/authorize.ts';
import { errorResponse, methodNotAllowed } from './response/error-response.ts';
import type { Outbox } from './response/outbox.ts';
import { requestId } from './response/request-id.ts';
import { type HttpResponse, respond, type Sender } from './response/respond.ts';
import { Share } from './response/response-memory.ts';
import { corsHeaders, preflightResponse } from './routing/cors.ts';
import { deprecationHeaders } from './routing/deprecation.ts';
import type { Match, Router } from './routing/router.ts';
import type { Call } from './run-operation.ts';

interface DispatchOptions {
  readonly router: Router;
  readonly authorize: Authorize;
  readonly runOperation: (call: Call) => Promise<HttpResponse>;
  readonly logger: Logger;
  readonly outbox: Outbox;
  /** Path under which clients find the server, such as `/erp` behind a proxy that removes it; otherwise empty. */
  readonly root: string;
  /** Aborts when the server closes: from then on responses ask clients to close the connection. */
  readonly closing: AbortSignal;
}

/** A request, its response, and the match of its address. */
interface Exchange {
  readonly id: string;
  readonly request: Request;
  readonly response: Response;
  readonly path: string;
  readonly queryText: string;
  readonly match: Match;
}

const LONGEST_LOGGED = 300;

/**
 * One Express handler for all operations of the document: it routes, authorizes, checks, serves and logs requests,
 * before any other middleware. Addresses outside the document and its version are passed to the next handler.
 */
export function createDispatch(options: DispatchOptions): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const [path, queryText] = splitOnce(request.url, '?');
    const match = options.router.match(request.method, path);
    if (!match.operation && match.allowed.length === 0 && !options.router.isBelowBase(path)) return next();
    const id = requestId(request.headers['x-request-id']);
    // Preflight requests carry no credentials, so they are handled before authorization.
    const preflight = preflightResponse(request, match);
    if (preflight) {
      const sender = { outbox: options.outbox, share: new Share('') };
      return void respond(response, preflight, ['X-Request-Id', id, ...corsHeaders], sender);
    }
    serve(options, { id, request, response, path, queryText, match }).catch(next);
  };
}

async function serve(options: DispatchOptions, exchange: Exchange): Promise<void> {
  const began = performance.now();
  const { id, request, response, path, match } = exchange;
  const authorization = await options.authorize(match.operation, request);
  const { outbox } = options;
  const application = applicationOf(authorization.principal);
  const sender = { outbox, share: new Share(application ?? '') };
  const answer = await responseTo(exchange, authorization, sender, options).catch((error: unknown) =>
    failed(error, exchange, options),
  );
  const headers = [
    'X-Request-Id',
    id,
    ...corsHeaders,
    ...authorization.headers,
    ...deprecationHeaders(match, options.root),
    ...(options.closing.aborted ? ['Connection', 'close'] : []),
  ];
  const sending = respond(response, withPublicLocation(answer, options.root), headers, sender);
  sending?.catch((err) =>
    options.logger.warn({ requestId: id, operation: match.operation?.id, err }, 'response was cut off'),
  );
  options.logger.info({
    requestId: id,
    method: request.method,
    path: path.slice(0, LONGEST_LOGGED),
    operation: match.operation?.id,
    surface: match.operation?.surface,
    application,
    connection: connectionOf(authorization.principal),
    status: answer.status,
    ms: Math.round((performance.now() - began) * 10) / 10,
  });
}

/** A client over its limit gets no other information; after that, the address is checked before the credentials. */
async function responseTo(
  exchange: Exchange,
  { refusal, principal }: Authorization,
  sender: Sender,
  options: DispatchOptions,
) {
  const { match, path, request, queryText } = exchange;
  if (refusal instanceof ServiceError && refusal.code === 'SERVICE_RATE_LIMITED') throw refusal;
  if (!match.operation) return notMatched(match.allowed, request.method, () => options.router.nearest(path));
  // No credentials exist yet for operations that are only planned.
  if (match.operation.kind === 'planned') throw notImplemented(match.operation);
  if (principal === undefined) throw refusal;
  const { operation, params } = match;
  return options.runOperation({ operation, params, queryText, request, principal, sender });
}

function failed(error: unknown, { id, match }: Exchange, { logger }: DispatchOptions): HttpResponse {
  const answer = errorResponse(error);
  const about = { requestId: id, operation: match.operation?.id };
  const line = { ...about, err: error };
  // Failures of connected systems are not ours; any other 500 and 503 needs the attention of an operator.
  if (isOfSystem(error)) logger.warn(line, 'connected system failed');
  else if (isOverload(error))
    logger.warn(about, 'request refused: too many responses wait to be read, or tokens to be looked up');
  else if ((answer.status === 500 || answer.status === 503) && isNew(error))
    logger[failureLevel(error)](line, 'request failed');
  return answer;
}

function isOfSystem(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 502 || error.code.startsWith('SERVICE_SYSTEM_'));
}

/** Outages that were logged recently, by message and cause. */
const reported = new LRUCache<string, true>({ max: 1_000, ttl: 10_000 });

/** In an outage every request fails with the same error, which would fill the log. Internal errors are all logged. */
function isNew(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') return true;
  const { message, cause } = error;
  const outage = `${message} ${cause instanceof Error ? cause.message : ''}`;
  const isKnown = reported.has(outage);
  if (!isKnown) reported.set(outage, true);
  return !isKnown;
}

/** Whether this server refused a request because of overload, with which a client could fill an error log. */
function isOverload(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined;
}

/** Adds the public path to the address in `Location`, which handlers give as on this server. */
function withPublicLocation(answer: HttpResponse, root: string): HttpResponse {
  const { Location } = answer.headers ?? {};
  if (root === '' || Location === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, Location: root + Location } };
}

function notMatched(allowed: readonly string[], method: string, nearest: () => string | undefined): HttpResponse {
  if (allowed.length > 0) return methodNotAllowed(method, allowed);
  const { advice, detail } = suggestionOf(nearest());
  const message = `There is nothing at this address.${advice || ' Check it against the reference.'}`;
  return errorResponse(new ServiceError('SERVICE_NOT_FOUND', message, advice ? { details: [detail] } : {}));
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The error of an operation that is planned (`x-planned`) and not part of this release. */
function notImplemented({ id }: Operation): ServiceError {
  const message = `${id} is described but not available in this release. Do not call it yet.`;
  return new ServiceError('SERVICE_NOT_IMPLEMENTED', message);
}
