import { dataPrefix, ServiceError } from '@unified/contract';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { suggestionOf } from '../request-error.ts';
import { createConsolePages } from './console-pages.ts';
import { notFoundResponse } from './not-found-page.ts';
import { createPages, PAGE_HEADERS, publicPath } from './pages.ts';
import type { RespondToFailure } from './response/last-resort.ts';
import type { Outbox } from './response/outbox.ts';
import { deliveryFor, requestId, respond } from './response/respond.ts';
import type { Router } from './routing/router.ts';

interface PagesParts {
  readonly publicUrl: string;
  readonly outbox: Outbox;
  readonly router: Router;
  readonly authorization: RequestHandler;
  readonly respondToFailure: RespondToFailure;
}

/** The addresses outside the API, as an Express application: pages, their files, and a response for all others. */
export function createPagesApp({ publicUrl, outbox, router, authorization, respondToFailure }: PagesParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(authorization);
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestId(request.headers['x-request-id']));
    // Tools in a browser load the document from any origin.
    response.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  app.use(createConsolePages(publicUrl, outbox));
  app.use(createPages(publicUrl, outbox));
  app.use((request, response) => {
    const { method, path } = request;
    const error = notFound(router.match(method, dataPrefix + path).operation && dataPrefix + path);
    const shown = { root: publicPath(publicUrl), headers: PAGE_HEADERS };
    respond(response, notFoundResponse(request, error, shown), [], deliveryFor(outbox));
  });
  // Express recognizes an error handler by its four parameters.
  const onError: ErrorRequestHandler = (error, _request, response, _next) => respondToFailure(error, response);
  app.use(onError);
  return app;
}

/** The error for an address outside the API; `meant` is the address that lacks only the version segment. */
function notFound(meant: string | undefined): ServiceError {
  const { advice, detail } = suggestionOf(meant);
  const message = `There is nothing at this address.${advice || ' The reference is at /docs.'}`;
  return new ServiceError('SERVICE_NOT_FOUND', message, advice ? { details: [detail] } : {});
}
