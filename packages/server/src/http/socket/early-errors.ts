import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '@unified/contract';
import { errorResponse, MethodNotAllowed } from '../response/error-response.ts';
import type { Outbox } from '../response/outbox.ts';
import { deliveryFor, requestId, respond } from '../response/respond.ts';

/** An error of Node's parser, with the bytes that it was reading. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]{1,40}) \S+ HTTP\/1\.[01]\r\n/;

/**
 * Responds in the error format to bytes that are not HTTP, to headers that are too long, and to requests that are too slow, and
 * closes the connection.
 */
export function respondToClientError(error: ClientError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  end(socket, reasonOf(error));
}

/** Refuses a CONNECT request. Without this, Node would close the connection without a response. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // Node no longer listens for errors of this socket: its client has disconnected.
  socket.on('error', () => socket.destroy());
  socket.on('finish', () => socket.destroy());
  end(socket, new MethodNotAllowed('CONNECT', METHODS));
}

function end(socket: Duplex, error: ServiceError): void {
  const { status, headers, body } = errorResponse(error, { Connection: 'close' });
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${text}`);
}

function reasonOf({ code, rawPacket }: ClientError): ServiceError {
  // Node's parser accepts a fixed list of methods. The code is the same for bytes that are not a request line at all.
  const [, method] = code === 'HPE_INVALID_METHOD' ? (REQUEST_LINE.exec(String(rawPacket)) ?? []) : [];
  if (method !== undefined) return new MethodNotAllowed(method, METHODS);
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('SERVICE_HEADERS_TOO_LARGE', 'Address and headers are too long. Shorten them.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('SERVICE_REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
  if (code === 'HPE_INVALID_URL')
    return new ServiceError(
      'SERVICE_INVALID_ENCODING',
      'The address contains a character that must be percent-encoded.',
    );
  return new ServiceError('SERVICE_MALFORMED_REQUEST', 'This is not a complete HTTP request. Send HTTP/1.1.');
}

/** Refuses a request with an unknown `Expect`; Node handles `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse, outbox: Outbox): void {
  const sent = String(request.headers.expect).slice(0, 80);
  const message = `This server does not support Expect: ${sent}. Remove the header.`;
  refuse(request, response, outbox, new ServiceError('SERVICE_EXPECTATION_FAILED', message));
}

/** The fault in the address or the headers of a request, or undefined. */
export function requestFault(request: IncomingMessage): string | undefined {
  return addressFault(request.url ?? '') ?? headerFault(request);
}

/** Express cannot route an absolute address that is invalid, and responds with its own page. */
function addressFault(address: string): string | undefined {
  if (address.startsWith('/') || address === '*') return undefined;
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return undefined;
  return 'The address cannot be read. Send its path, or a complete http address.';
}

/**
 * The fault in the headers of a request, or undefined. Duplicate headers are refused because Node uses the first and a
 * proxy may have used the second.
 */
function headerFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion === '1.1' && headers.host === undefined)
    return 'The header Host is missing, which HTTP/1.1 requires. Send it.';
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // Nearly all names differ in length, which is cheaper to compare.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return 'The header Host was sent more than once. Send it once.';
  if (authorizations > 1) return 'The header Authorization was sent more than once. Send it once.';
  return undefined;
}

/** Refuses a request with a faulty address or headers. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  outbox: Outbox,
  message: string,
): void {
  refuse(request, response, outbox, new ServiceError('SERVICE_MALFORMED_REQUEST', message));
}

function refuse({ headers }: IncomingMessage, response: ServerResponse, outbox: Outbox, error: ServiceError): void {
  const answer = errorResponse(error, { Connection: 'close' });
  respond(response, answer, ['X-Request-Id', requestId(headers['x-request-id'])], deliveryFor(outbox));
}
