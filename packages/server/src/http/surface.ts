import type { ServerResponse } from 'node:http';
import { ServiceError } from '@unified/contract';
import type { NextFunction, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Admit } from './admit.ts';
import { errorAnswer } from './error-answer.ts';
import { requestId } from './request-id.ts';
import { type Answer, respond } from './respond.ts';
import type { Match, Router } from './router.ts';
import type { Call } from './run-operation.ts';

export interface SurfaceOptions {
  readonly router: Router;
  readonly admit: Admit;
  readonly runOperation: (call: Call) => Promise<Answer>;
  readonly logger: Logger;
}

/**
 * All operations of the document behind one Express handler: found in one tree, admitted, checked, answered and logged
 * here, past every other middleware. Addresses outside the document and its version go on to the next handler.
 */
export function createSurface(options: SurfaceOptions): RequestHandler {
  return (request: Request, response: ServerResponse, next: NextFunction) => {
    const [path = '', queryText = ''] = splitOnce(request.url, '?');
    const match = options.router.match(request.method, path);
    if (!match.operation && match.allowed.length === 0 && !path.startsWith('/v4/')) return next();
    serve(options, match, path, queryText, request, response).catch(next);
  };
}

async function serve(
  { admit, runOperation, logger }: SurfaceOptions,
  match: Match,
  path: string,
  queryText: string,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  const began = performance.now();
  const id = requestId(request.headers['x-request-id']);
  const { headers, connection, refusal } = await admit(match.operation, request);
  const answer = await answerOf().catch((error: unknown) => {
    const failed = errorAnswer(error);
    if (failed.status >= 500)
      logger.error({ requestId: id, operation: match.operation?.id, err: error }, 'request failed');
    return failed;
  });
  respond(response, answer, ['X-Request-Id', id, ...headers]);
  logger.info({
    requestId: id,
    method: request.method,
    path,
    operation: match.operation?.id,
    application: connection?.applicationId,
    connection: connection?.connectionId,
    status: answer.status,
    ms: Math.round((performance.now() - began) * 10) / 10,
  });

  async function answerOf(): Promise<Answer> {
    const isLimited = refusal instanceof ServiceError && refusal.code === 'SERVICE_RATE_LIMITED';
    if (!match.operation && !isLimited) return notMatched(match.allowed, request.method);
    if (refusal !== undefined || !match.operation) throw refusal;
    const { operation, params } = match;
    return runOperation({ operation, params, queryText, request, response, connection });
  }
}

function notMatched(allowed: readonly string[], method: string): Answer {
  if (allowed.length === 0) {
    return errorAnswer(
      new ServiceError('SERVICE_NOT_FOUND', 'There is nothing at this address. Check it against the reference.'),
    );
  }
  const message = `This address has no ${method}. Use one of ${allowed.join(', ')}.`;
  const error = new ServiceError('SERVICE_METHOD_NOT_ALLOWED', message, { details: [{ allowed }] });
  return errorAnswer(error, { Allow: allowed.join(', ') });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
