import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@unified/contract';
import { errorAnswer } from './error-answer.ts';
import type { Outbox } from './outbox.ts';
import { requestId } from './request-id.ts';
import { respond } from './respond.ts';
import { Share } from './response-memory.ts';

/** Refuses a request with an `Expect` that cannot be met; Node itself takes care of `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse, outbox: Outbox): void {
  const sent = String(request.headers.expect).slice(0, 80);
  const message = `This server does not know Expect: ${sent}. Leave the header out.`;
  refuse(request, response, outbox, new ServiceError('SERVICE_EXPECTATION_FAILED', message));
}

/**
 * What is wrong with the headers of a request; undefined: nothing. Of a header that was sent twice, Node keeps the first
 * and a proxy may have looked at the second.
 */
export function headerFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion === '1.1' && headers.host === undefined)
    return 'The header Host is missing, which HTTP/1.1 requires. Send it.';
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // Nearly all names differ in length, which is far cheaper to compare.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return 'The header Host was sent more than once. Send it once.';
  if (authorizations > 1) return 'The header Authorization was sent more than once. Send it once.';
  return undefined;
}

/** Refuses a request whose headers are at fault. */
export function refuseHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  outbox: Outbox,
  message: string,
): void {
  refuse(request, response, outbox, new ServiceError('SERVICE_MALFORMED_REQUEST', message));
}

function refuse({ headers }: IncomingMessage, response: ServerResponse, outbox: Outbox, error: ServiceError): void {
  const answer = errorAnswer(error, { Connection: 'close' });
  const sender = { outbox, share: new Share('') };
  respond(response, answer, ['X-Request-Id', requestId(headers['x-request-id'])], sender);
}
