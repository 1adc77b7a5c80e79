import { addressOf, ServiceError } from '@unified/contract';
import { WriteInDoubt } from '@unified/engine';
import type { HttpResponse } from '../../http-response.ts';
import { WriteFailure, writeHeaders } from '../../operations/write-response.ts';
import { RangeNotSatisfiable } from '../../query/byte-range.ts';

/** The response to an error. Any error other than a `ServiceError` is internal and returned without its message. */
export function errorResponse(error: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const { status, code, message, details, retryAfter } = asServiceError(error);
  return {
    status,
    body: { code, message, ...(details !== undefined && { details }) },
    headers: {
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="unified"' }),
      ...(error instanceof RangeNotSatisfiable && { 'Content-Range': `bytes */${error.sizeBytes}` }),
      ...(error instanceof MethodNotAllowed && { Allow: error.allowed.join(', ') }),
      ...(error instanceof WriteFailure && headersOfWrite(error.writeId, error.warnings)),
      ...(error instanceof WriteInDoubt && headersOfWrite(error.writeId, 0)),
      ...headers,
    },
  };
}

function headersOfWrite(writeId: string, warnings: number): Readonly<Record<string, string>> {
  return { Location: addressOf('getWrite', { writeId }), ...writeHeaders(writeId, warnings) };
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = 'The service failed. Retry later; report it with the X-Request-Id of this response.';
  return new ServiceError('SERVICE_INTERNAL', message, { cause: error });
}

/** The error for an address that exists, but not with this method. */
export class MethodNotAllowed extends ServiceError {
  readonly allowed: readonly string[];

  constructor(method: string, allowed: readonly string[]) {
    const message = `This address has no ${method}. Use one of ${allowed.join(', ')}.`;
    super('SERVICE_METHOD_NOT_ALLOWED', message, { details: [{ allowed }] });
    this.allowed = allowed;
  }
}
