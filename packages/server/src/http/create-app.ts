import { type Operation, ServiceError } from '@unified/contract';
import { connectionByToken } from '@unified/store';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import { createAuthenticate } from './authenticate.ts';
import { createAuthorize } from './authorize.ts';
import { clientAddress } from './client-address.ts';
import { connectionTokenAuthenticator } from './connection-token.ts';
import { createDispatch } from './dispatch.ts';
import { errorAnswer } from './error-answer.ts';
import { Outbox, type ResponseLimits } from './outbox.ts';
import { createPages } from './pages.ts';
import { publicPath } from './public-path.ts';
import { memoryRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { requestId } from './request-id.ts';
import { respond } from './respond.ts';
import { Share } from './response-memory.ts';
import { createRouter } from './router.ts';
import { createRunOperation, type Services } from './run-operation.ts';
import { type ServedContract, wholeContract } from './served-contract.ts';
import { createValidator, type Validator } from './validator.ts';

export interface AppOptions extends Services {
  readonly logger: Logger;
  /** Address under which clients reach the server, for example `https://api.example.com`. */
  readonly publicUrl: string;
  /** Requests per minute of an application on the data API; 600 unless told otherwise. */
  readonly requestsPerMinute?: (applicationId: string) => number;
  /** Whether a reverse proxy in front sets `X-Forwarded-For`. */
  readonly trustProxy?: boolean;
  /** What is served; the whole document unless told otherwise. */
  readonly contract?: ServedContract;
  /** Bounds of the memory of responses and of the patience with their readers, where they differ from the usual ones. */
  readonly responses?: Partial<ResponseLimits>;
  /** Counts requests; in the memory of this process unless told otherwise. */
  readonly limiter?: RateLimiter;
}

const REQUESTS_PER_MINUTE = 600;

export interface App {
  readonly app: Express;
  readonly validator: Validator;
  readonly operations: readonly Operation[];
  readonly outbox: Outbox;
}

/**
 * The whole HTTP surface as an Express application, with its validator, which may be warmed for the operations. `closing`
 * aborts when the server closes.
 */
export function createApp(options: AppOptions, closing: AbortSignal): App {
  const { store, logger, publicUrl, trustProxy = false, limiter = memoryRateLimiter() } = options;
  const { operations, shards } = options.contract ?? wholeContract();
  const validator = createValidator(shards);
  const limitOf = (application: string | undefined) =>
    application === undefined ? REQUESTS_PER_MINUTE : (options.requestsPerMinute?.(application) ?? REQUESTS_PER_MINUTE);
  const authorize = createAuthorize({
    authenticate: createAuthenticate({
      connectionToken: connectionTokenAuthenticator((token) => connectionByToken(store, token)),
    }),
    limiter,
    limitOf,
    clientOf: (request) => clientAddress(request, trustProxy),
  });
  const runOperation = createRunOperation(options, validator, { operations, shards });
  const outbox = new Outbox(logger, options.responses);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const router = createRouter(operations);
  app.use(createDispatch({ router, authorize, runOperation, logger, outbox, root: publicPath(publicUrl), closing }));
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestId(request.headers['x-request-id']));
    // Tools that run in a browser load the document from anywhere.
    response.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  app.use(createPages(publicUrl, outbox));
  app.use((_request, _response) => {
    throw new ServiceError('SERVICE_NOT_FOUND', 'There is nothing at this address. The reference is at /docs.');
  });
  app.use(lastResort(logger, outbox));
  return { app, validator, operations, outbox };
}

/** Express knows an error handler by its four parameters. */
function lastResort(logger: Logger, outbox: Outbox): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) logger.error({ err: error }, 'request failed');
    respond(response, answer, [], { outbox, share: new Share('') });
  };
}
