import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, type OperationId, ServiceError } from '@unified/contract';
import type { LogWriter } from '@unified/engine';
import type { LoggedRequest } from '@unified/store';
import { inSpan, type Span, type SpanOptions } from '@unified/tracing';
import Negotiator from 'negotiator';
import type { Logger } from 'pino';
import type { PageRequest } from '../authorize/page-request.ts';
import type { SessionCookie } from '../console/session-cookie.ts';
import type { HttpResponse } from '../http-response.ts';
import type { createHandlers } from '../operations/handlers.ts';
import { ResponseTooLarge } from '../operations/response-too-large.ts';
import type { ServedRequest } from '../operator/metrics.ts';
import { RefusedPage } from '../refused-page.ts';
import {
  applicationIdOf,
  applicationPrincipal,
  connectionPrincipal,
  consolePrincipal,
  mcpPrincipal,
} from './authorization/authenticate.ts';
import type { Authorization, Authorizer } from './authorization/authorize.ts';
import type { VersionCheck } from './authorization/version-check.ts';
import { preconditionsOf } from './request/preconditions.ts';
import type { AddressedRequest, createReadRequest } from './request/read-request.ts';
import { dataPositionOf } from './request/sent-position.ts';
import { logCutOff, logFailure, loggedRequest, logRequest } from './request-log.ts';
import { acceptedCodings, CODINGS } from './response/accept-encoding.ts';
import { bearerChallenge } from './response/bearer-challenge.ts';
import { errorResponse } from './response/error-response.ts';
import { hasOAuthErrors, oauthErrorResponse } from './response/oauth-error.ts';
import type { Outbox } from './response/outbox.ts';
import { type Delivery, deliveryFor, isRendered, requestId, respond } from './response/respond.ts';
import type { ResponseSizes } from './response/response-memory.ts';
import { withDataPosition } from './response/returned-position.ts';
import { corsHeaders, preflightResponse } from './routing/cors.ts';
import { deprecationHeaders, gone, hasEnded } from './routing/deprecation.ts';
import { notMatched } from './routing/not-served.ts';
import type { Match, Router } from './routing/router.ts';

/** What the stages of a request depend on. */
interface Stages {
  readonly router: Router;
  readonly authorizer: Authorizer;
  readonly checkVersion: VersionCheck;
  readonly handlerOf: ReturnType<typeof createHandlers>;
  readonly readRequest: ReturnType<typeof createReadRequest>;
  /** Starts the authorization of an end user, whose browser has sent the request. */
  beginAuthorization(sent: PageRequest, request: IncomingMessage): Promise<HttpResponse>;
  readonly sizes: ResponseSizes;
  readonly outbox: Outbox;
  /** IP address of a client. */
  senderOf(request: IncomingMessage): string;
  /** The network for which requests of a client are counted. */
  clientOf(request: IncomingMessage): string;
  /** The cookie of the console. */
  readonly cookie: SessionCookie;
  readonly logger: Logger;
  /** Called with each request after its response. */
  readonly onServed?: ((request: ServedRequest) => void) | undefined;
  /** Takes the requests of applications; they are stored later. */
  readonly requestLog: Pick<LogWriter<LoggedRequest>, 'add'>;
  /** Path under which clients reach the server, such as `/erp` behind a proxy that removes it; otherwise empty. */
  readonly root: string;
  /** Address of the metadata of the Model Context Protocol (RFC 9728). */
  readonly mcpMetadata: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborts when the server closes. From then on, responses ask clients to close the connection. */
  readonly closing: AbortSignal;
  /** A signal that aborts when the client of a response has left, and when the server closes. */
  endingOf(response: ServerResponse): AbortSignal;
}

/** Handles a request, or calls `next`: with the error if it cannot be handled, without one if it does not belong to the API. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** A request, its response, and the match of its address. */
interface Exchange {
  readonly id: string;
  readonly request: AddressedRequest;
  readonly response: ServerResponse;
  readonly path: string;
  readonly queryText: string;
  readonly match: Match;
}

/**
 * One handler for all operations of the document: it routes, authorizes, checks, serves and logs requests. Addresses that do not
 * belong to the document and its version are left to `next`.
 */
export function createDispatch(stages: Stages): Dispatch {
  const { router, outbox } = stages;
  return (received, response, next) => {
    const request = received as AddressedRequest;
    const [path, queryText] = splitOnce(request.url, '?');
    const match = router.match(request.method, path);
    if (!match.operation && match.allowed.length === 0 && !router.belongsToApi(path)) return next();
    const id = requestId(request.headers['x-request-id']);
    // Preflight requests carry no credentials, so they are handled before authorization.
    const preflight = preflightResponse(request, { path, match });
    if (preflight) {
      return void respond(response, preflight, ['X-Request-Id', id, ...corsHeaders(path)], deliveryFor(outbox));
    }
    const exchange = { id, request, response, path, queryText, match };
    inSpan(...spanOf(exchange), (span) => serve(stages, exchange, span)).catch(next);
  };
}

/** Its clients find the authorization server by a refusal. */
const MCP: OperationId = 'sendMcpMessage';

/** Operations for browsers: errors in their parameters are a page or a redirect, so their handlers read them. */
const UNCHECKED: ReadonlySet<string> = new Set<OperationId>(['authorize']);
const UNREAD = { checked: { query: {} }, sent: { parameters: {}, filter: new Map() }, release: undefined } as const;

/** Name and options of the span of a request, which continues the trace of its client. */
function spanOf({ id, request, match }: Exchange): [string, SpanOptions] {
  const { operation } = match;
  const route = operation && operation.bases[0] + operation.path;
  const attributes = {
    ...{ 'http.request.method': request.method, 'http.route': route, 'unified.operation': operation?.id },
    'unified.request': id,
  };
  const { traceparent } = request.headers;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return [`${request.method} ${route ?? ''}`.trim(), { kind: 'server', attributes, parent }];
}

/** The stages of a request whose address was found, in the order of part 1 of docs/flow.md. */
async function serve(stages: Stages, exchange: Exchange, span: Span): Promise<void> {
  const { request, response, queryText, match } = exchange;
  const began = performance.now();
  const authorization = await stages.authorizer.authorize(match.operation, request);
  const delivery = deliveryFor(stages.outbox, applicationIdOf(authorization.principal));
  let answer: HttpResponse;
  let positionAfter: (() => Promise<string | undefined>) | undefined;
  let room: ReturnType<typeof roomFor>;
  try {
    const { operation, params, principal } = admitted(exchange, authorization, stages);
    await stages.checkVersion({ operation, principal, path: exchange.path });
    refuseUnlessCoded(request.headers['accept-encoding']);
    const clientAddress = () => stages.senderOf(request);
    const handler = stages.handlerOf(operation, {
      connection: () => connectionPrincipal(principal),
      application: () => applicationPrincipal(principal),
      mcpUser: () => mcpPrincipal(principal),
      signedIn: () => consolePrincipal(principal),
      cookies: request.headers.cookie,
      clientNetwork: () => stages.clientOf(request),
      agent: request.headers['user-agent']?.slice(0, 255) ?? null,
      authorization: request.headers.authorization,
      beginAuthorization: () => stages.beginAuthorization(pageRequestOf(exchange, clientAddress()), request),
      accepts: (types) => new Negotiator(request).mediaType([...types]),
      address: request.url,
      preconditions: preconditionsOf(request),
      readAfter: () => dataPositionOf(request),
      requestId: exchange.id,
      clientAddress,
      ending: () => stages.endingOf(response),
      recheck: () => stages.authorizer.recheck(operation, request),
      async whileIdle(work) {
        delivery.outbox.release(delivery.share);
        await work();
        await stages.authorizer.recheck(operation, request);
        await room?.take();
      },
    });
    const unread = { operation, params, queryText, request, sender: applicationIdOf(principal) };
    const { checked, sent, release } = UNCHECKED.has(operation.id)
      ? UNREAD
      : await stages.readRequest(unread, handler.storeFile);
    try {
      room = roomFor(operation, checked.query, delivery, stages.sizes);
      const waiting = room?.take();
      if (waiting) await waiting;
      positionAfter = handler.positionAfter;
      answer = await handler.call(checked, sent);
      room?.learn(isRendered(answer.body) ? answer.body.json.length : 0);
    } finally {
      release?.();
    }
  } catch (error) {
    if (error instanceof ResponseTooLarge) room?.learn(error.largestBytes);
    answer = failed(error, exchange, stages);
  }
  answer = await withDataPosition(answer, positionAfter, stages.logger);
  const sending = respond(
    response,
    withPublicLocation(answer, stages.root),
    headersOf(exchange, authorization, stages),
    delivery,
  );
  sending?.catch((err) => logCutOff(stages.logger, exchange, err));
  const { principal, sender } = authorization;
  const served = { status: answer.status, ms: performance.now() - began };
  logRequest(stages.logger, exchange, { ...served, principal });
  span.set({ 'http.response.status_code': answer.status });
  if (answer.status >= 500) span.fail(codeOf(answer) ?? String(answer.status));
  stages.onServed?.({ operation: match.operation?.id, ...served });
  const logged = loggedRequest(exchange, { ...served, principal: sender }, codeOf(answer));
  if (logged) stages.requestLog.add(logged);
}

function pageRequestOf({ id: requestId, request, queryText }: Exchange, address: string): PageRequest {
  return { headers: request.headers, queryText, requestId, address };
}

/**
 * The operation that is called, and its caller. Throws the error for a request that is refused before its body is read. A
 * client over its limit gets no other information; after that, the address is checked before the credentials.
 */
function admitted(
  { match, path, request }: Exchange,
  { refusal, principal }: Authorization,
  { router, now, cookie }: Pick<Stages, 'router' | 'now' | 'cookie'>,
) {
  if (refusal instanceof ServiceError && refusal.code === 'SERVICE_RATE_LIMITED') throw refusal;
  if (!match.operation) throw notMatched(match.allowed, request.method, path, router);
  if (hasEnded(match.operation, now())) throw gone(match.operation);
  if (principal === undefined) throw refusal;
  if (isForged(match.operation, request, cookie)) throw forged();
  return { operation: match.operation, params: match.params, principal };
}

/** Whether a page of another site may have sent a request that changes something, with the cookie of the console. */
function isForged({ surface, method }: Operation, { headers }: IncomingMessage, cookie: SessionCookie): boolean {
  return surface === 'console' && method !== 'get' && !cookie.isSameOrigin(headers);
}

function forged(): ServiceError {
  const message =
    'The console accepts this only from its own pages: Sec-Fetch-Site must be same-origin or, if it is absent, Origin the address of this server.';
  return new ServiceError('SERVICE_FORBIDDEN', message);
}

/**
 * The memory for the response to a read of data, based on the size of earlier ones. Returns undefined for other operations.
 */
function roomFor(
  { id, method, surface }: Operation,
  query: { readonly per_page?: number; readonly expand?: string },
  { outbox, share }: Delivery,
  sizes: ResponseSizes,
) {
  if (method !== 'get' || surface !== 'data') return undefined;
  const { per_page: records = 1, expand } = query;
  const kind = `${share.owner} ${id}${expand === undefined ? '' : ' expanded'}`;
  return {
    /**
     * Reserves the memory. If memory is short, returns a promise, which rejects with `SERVICE_UNAVAILABLE` if none becomes
     * available in time.
     */
    take: () => outbox.reserve(share, sizes.expected(kind, records)),
    /** The number of characters of a text is roughly its number of bytes. */
    learn: (bytes: number) => sizes.learn(kind, records, bytes),
  };
}

/**
 * Refuses a request whose client accepts neither an uncompressed response nor one of our content codings, before the request
 * has an effect.
 */
function refuseUnlessCoded(acceptEncoding: string | undefined): void {
  const { coding, takesPlain } = acceptedCodings(acceptEncoding);
  if (coding !== undefined || takesPlain) return;
  const accepted = [...CODINGS, 'identity'];
  const message = `Accept-Encoding excludes every content coding of this service. Accept one of ${accepted.join(', ')}.`;
  throw new ServiceError('SERVICE_NOT_ACCEPTABLE', message, { details: [{ accepted }] });
}

/** Headers of every response, as alternating names and values. */
function headersOf({ id, path, match }: Exchange, { headers }: Authorization, { root, closing }: Stages): string[] {
  return [
    'X-Request-Id',
    id,
    ...corsHeaders(path),
    ...headers,
    ...deprecationHeaders(match, root),
    ...(closing.aborted ? ['Connection', 'close'] : []),
  ];
}

/** The response to an error, which is logged if it is a failure. */
function failed(error: unknown, exchange: Exchange, { logger, mcpMetadata }: Stages): HttpResponse {
  if (error instanceof RefusedPage) return error.response;
  const isMcp = exchange.match.operation?.id === MCP;
  const answer = hasOAuthErrors(exchange.match.operation)
    ? oauthErrorResponse(error)
    : errorResponse(
        error,
        bearerChallenge(error, { ...exchange.request.headers, ...(isMcp && { metadata: mcpMetadata }) }),
      );
  logFailure(logger, exchange, error, answer.status);
  return answer;
}

/** The code of an error in the format of the service. */
function codeOf({ status, body }: HttpResponse): string | undefined {
  const isError = status >= 400 && typeof body === 'object' && body !== null;
  return isError && 'code' in body && typeof body.code === 'string' ? body.code : undefined;
}

/** Adds the public path to `Location`, if it is a path on this server. */
function withPublicLocation(answer: HttpResponse, root: string): HttpResponse {
  const { Location } = answer.headers ?? {};
  if (root === '' || !Location?.startsWith('/')) return answer;
  return { ...answer, headers: { ...answer.headers, Location: root + Location } };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
