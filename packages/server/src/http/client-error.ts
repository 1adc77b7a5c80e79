import type { Socket } from 'node:net';
import { ServiceError } from '@unified/contract';
import { errorAnswer } from './error-answer.ts';

/** Answers what is not even HTTP, has too long headers or comes too slowly in the error shape, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorAnswer(reasonOf(error));
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

function reasonOf({ code }: { code?: string }): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('SERVICE_HEADERS_TOO_LARGE', 'Address and headers are too long. Shorten them.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('SERVICE_REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
  if (code === 'HPE_INVALID_URL')
    return new ServiceError('SERVICE_INVALID_ENCODING', 'The address holds a character that must be percent-encoded.');
  return new ServiceError('SERVICE_MALFORMED_REQUEST', 'This is not a complete HTTP request. Send HTTP/1.1.');
}
