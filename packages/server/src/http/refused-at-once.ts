import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '@unified/contract';
import { errorAnswer } from './error-answer.ts';
import { requestId } from './request-id.ts';
import { respond } from './respond.ts';

/** Answers a request with an `Expect` that nobody can meet; Node takes care of `100-continue` by itself. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const sent = String(request.headers.expect).slice(0, 80);
  const message = `This server does not know Expect: ${sent}. Leave the header out.`;
  refuse(request, response, 'SERVICE_EXPECTATION_FAILED', message);
}

/** Whether a request says HTTP/1.1 and lacks the one header that it demands. */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): void {
  const message = 'HTTP/1.1 wants to know the host that is meant. Send the header Host.';
  refuse(request, response, 'SERVICE_MALFORMED_REQUEST', message);
}

function refuse({ headers }: IncomingMessage, response: ServerResponse, code: ErrorCode, message: string): void {
  const answer = errorAnswer(new ServiceError(code, message), { Connection: 'close' });
  respond(response, answer, ['X-Request-Id', requestId(headers['x-request-id'])]);
}
