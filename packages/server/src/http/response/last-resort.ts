import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { errorResponse } from './error-response.ts';
import type { Outbox } from './outbox.ts';
import { deliveryFor, respond } from './respond.ts';

export type RespondToFailure = (error: unknown, response: ServerResponse) => void;

/** Responds to an error that no stage has handled. */
export function lastResort(logger: Logger, outbox: Outbox): RespondToFailure {
  return (error, response) => {
    const answer = errorResponse(error);
    if (answer.status >= 500) logger.error({ err: error }, 'request failed');
    respond(response, answer, [], deliveryFor(outbox));
  };
}
