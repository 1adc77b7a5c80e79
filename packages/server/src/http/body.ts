import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '@unified/contract';
import express from 'express';
import { checkJson } from './json-checks.ts';

/** Bytes of JSON that are read at the most. */
export const LARGEST = 1_000_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const parse = express.json({ limit: LARGEST, strict: false, type: () => true, verify: checkUtf8 });
const CODES: Readonly<Record<string, ErrorCode>> = {
  'entity.too.large': 'SERVICE_BODY_TOO_LARGE',
  'entity.parse.failed': 'SERVICE_INVALID_JSON',
  'entity.verify.failed': 'SERVICE_INVALID_ENCODING',
  'charset.unsupported': 'SERVICE_UNSUPPORTED_MEDIA_TYPE',
};
const ADVICE: Partial<Record<ErrorCode, string>> = {
  SERVICE_BODY_TOO_LARGE: 'The body is larger than 1 MB. Send less at once.',
  SERVICE_INVALID_JSON: 'The body is not valid JSON. Send valid JSON in UTF-8.',
  SERVICE_INVALID_ENCODING: 'The body is not valid UTF-8. Encode it.',
  SERVICE_UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json in UTF-8.',
};

/** The JSON body of a request, or undefined when it has none. Throws the `SERVICE_…` error of what is wrong with it. */
export async function readBody(request: IncomingMessage & { body?: unknown }, response: ServerResponse) {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  if (type === undefined || !JSON_TYPE.test(type)) throw refused('SERVICE_UNSUPPORTED_MEDIA_TYPE');
  // The parser would read all of it before it says so.
  if (Number(length) > LARGEST) throw refused('SERVICE_BODY_TOO_LARGE');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(understood(error))));
  });
  checkJson(request.body);
  return request.body;
}

/** The parser puts a replacement for bytes that are no UTF-8; text would be stored that nobody sent. */
function checkUtf8(_request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  if (!isUtf8(body)) throw new Error('The body is not valid UTF-8.');
}

function understood(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (type === 'encoding.unsupported') {
    const message = 'This Content-Encoding is unknown. Send the body as it is, or in gzip, deflate, br or zstd.';
    return new ServiceError('SERVICE_UNSUPPORTED_MEDIA_TYPE', message, { cause: error });
  }
  const code = CODES[type];
  if (code) return refused(code, error);
  const broken = error instanceof Error && 'status' in error && Number(error.status) < 500;
  return broken ? refused('SERVICE_INVALID_JSON', error) : error;
}

function refused(code: ErrorCode, cause?: unknown): ServiceError {
  return new ServiceError(code, ADVICE[code] ?? '', { cause });
}
