import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '@unified/contract';
import express from 'express';
import { checkJson } from './json-checks.ts';

const LARGEST = 1_000_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const parse = express.json({ limit: LARGEST, strict: false, type: () => true });
const CODES: Readonly<Record<string, ErrorCode>> = {
  'entity.too.large': 'SERVICE_BODY_TOO_LARGE',
  'entity.parse.failed': 'SERVICE_INVALID_JSON',
  'encoding.unsupported': 'SERVICE_UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'SERVICE_UNSUPPORTED_MEDIA_TYPE',
};
const ADVICE: Partial<Record<ErrorCode, string>> = {
  SERVICE_BODY_TOO_LARGE: 'The body is larger than 1 MB. Send less at once.',
  SERVICE_INVALID_JSON: 'The body is not valid JSON. Send valid JSON in UTF-8.',
  SERVICE_UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json in UTF-8.',
};

/** The JSON body of a request, or undefined when it has none. Throws the `SERVICE_…` error of what is wrong with it. */
export async function readBody(request: IncomingMessage & { body?: unknown }, response: ServerResponse) {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  if (type === undefined || !JSON_TYPE.test(type)) throw refused('SERVICE_UNSUPPORTED_MEDIA_TYPE');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(understood(error))));
  });
  checkJson(request.body);
  return request.body;
}

function understood(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  const code = CODES[type];
  if (code) return refused(code, error);
  const broken = error instanceof Error && 'status' in error && Number(error.status) < 500;
  return broken ? refused('SERVICE_INVALID_JSON', error) : error;
}

function refused(code: ErrorCode, cause?: unknown): ServiceError {
  return new ServiceError(code, ADVICE[code] ?? '', { cause });
}
