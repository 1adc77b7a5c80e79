import type { Socket } from 'node:net';
import { ServiceError } from '@unified/contract';
import { errorAnswer } from './error-answer.ts';

/** Answers what is not even HTTP, or whose headers are too long, in the error shape, and closes the connection. */
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
    return new ServiceError('SERVICE_URI_TOO_LONG', 'Address and headers are too long. Shorten them.');
  return new ServiceError('SERVICE_INVALID_PARAMETER', 'This is not a complete HTTP request.');
}
