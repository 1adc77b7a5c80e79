import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type ErrorCode, ServiceError } from '@unified/contract';
import { contentDecoder } from './content-decoder.ts';
import { checkJson } from './json-checks.ts';

/** Bytes of JSON that are read at the most. */
export const LARGEST = 1_000_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const ADVICE = {
  SERVICE_BODY_TOO_LARGE: 'The body is larger than 1 MB. Send less at once.',
  SERVICE_INVALID_BODY: 'The body broke off. Send all of it.',
  SERVICE_INVALID_JSON: 'The body is not valid JSON. Send valid JSON in UTF-8.',
  SERVICE_INVALID_ENCODING: 'The body is not valid UTF-8. Encode it.',
  SERVICE_UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json in UTF-8.',
} as const satisfies Partial<Record<ErrorCode, string>>;
const decode = new TextDecoder();

/** The JSON body of a request, or undefined when it has none. Throws the `SERVICE_…` error of what is wrong with it. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  if (type === undefined || !JSON_TYPE.test(type)) throw refused('SERVICE_UNSUPPORTED_MEDIA_TYPE');
  if (Number(length) > LARGEST) throw refused('SERVICE_BODY_TOO_LARGE');
  const bytes = await bytesOf(request);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw refused('SERVICE_INVALID_ENCODING');
  const body = jsonOf(decode.decode(bytes));
  checkJson(body);
  return body;
}

/** The decoded bytes of a body. Rejects as soon as there are more than allowed, and leaves the rest unread. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const decoder = contentDecoder(request);
  const source: Readable = decoder ?? request;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // The socket has to outlive this loop: the response is still to be sent.
    for await (const piece of source.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > LARGEST) throw refused('SERVICE_BODY_TOO_LARGE');
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw refused(request.readableAborted ? 'SERVICE_INVALID_BODY' : 'SERVICE_INVALID_JSON', error);
  } finally {
    decoder?.destroy();
  }
  return Buffer.concat(pieces, length);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused('SERVICE_INVALID_JSON', error);
  }
}

function refused(code: keyof typeof ADVICE, cause?: unknown): ServiceError {
  return new ServiceError(code, ADVICE[code], { cause });
}
