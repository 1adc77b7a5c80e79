import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { type ErrorCode, ServiceError } from '@unified/contract';
import { requestError } from '../../request-error.ts';

/** Maximum size of a JSON body in bytes, unless the document specifies another for the operation. */
export const LARGEST = 1_000_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;
const ADVICE = {
  SERVICE_INVALID_BODY: 'The body ended early. Send all of it.',
  SERVICE_INVALID_JSON: 'The body is not valid JSON. Send valid JSON in UTF-8.',
  SERVICE_INVALID_ENCODING: 'The body is not valid UTF-8. Encode it.',
  SERVICE_UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json in UTF-8.',
} as const satisfies Partial<Record<ErrorCode, string>>;
const decode = new TextDecoder();

/** The kinds of bodies that an operation accepts. */
export interface Accepted {
  /** Whether the body may be a form. */
  readonly takesForm?: boolean;
  /** Maximum size of the body in bytes. */
  readonly maxBytes?: number | undefined;
}

/** The body of a request, or undefined when it has none. Throws a `SERVICE_…` error if the body is invalid. */
export async function readBody(
  request: IncomingMessage,
  { takesForm = false, maxBytes = LARGEST }: Accepted = {},
): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  const isForm = takesForm && FORM_TYPE.test(type ?? '');
  if (!isForm && !JSON_TYPE.test(type ?? '')) throw takesForm ? notForm() : refused('SERVICE_UNSUPPORTED_MEDIA_TYPE');
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await bytesOf(request, maxBytes);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw refused('SERVICE_INVALID_ENCODING');
  const text = decode.decode(bytes);
  const body = isForm ? formOf(text) : jsonOf(text);
  checkJson(body, (MOST_VALUES * maxBytes) / LARGEST);
  return body;
}

/** The fields of a form, without empty ones. Throws a `SERVICE_…` error for any other body. */
export async function readForm(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) throw notForm();
  return ((await readBody(request, { takesForm: true })) ?? {}) as Readonly<Record<string, string>>;
}

/** The decoded bytes of a body. Rejects as soon as they exceed the limit; the rest is then not read. */
async function bytesOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decoder = contentDecoder(request);
  const source: Readable = decoder ?? request;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // The socket must stay open for the response.
    for await (const piece of source.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
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

/**
 * The parameters of a form, without empty ones. Throws SERVICE_INVALID_BODY for a repeated parameter, and
 * SERVICE_INVALID_ENCODING for invalid percent encoding.
 */
function formOf(text: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const pair of text.split('&')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)?.map(formDecoded) ?? [];
    if (name === '' || value === '') continue;
    if (values.has(name)) throw invalidBody(`body/${name}`, `"${name}" is repeated. Send it once.`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw refused('SERVICE_INVALID_ENCODING', error);
  }
}

function tooLarge(maxBytes: number): ServiceError {
  const advice = maxBytes > LARGEST ? 'Send a smaller one.' : 'Split the request.';
  return new ServiceError('SERVICE_BODY_TOO_LARGE', `The body is larger than ${maxBytes / 1_000_000} MB. ${advice}`);
}

function notForm(): ServiceError {
  const message = 'Send the body as application/x-www-form-urlencoded or application/json, in UTF-8.';
  return new ServiceError('SERVICE_UNSUPPORTED_MEDIA_TYPE', message);
}

function refused(code: keyof typeof ADVICE, cause?: unknown): ServiceError {
  return new ServiceError(code, ADVICE[code], { cause });
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  zstd: createZstdDecompress,
};

/**
 * The decoded body of a request; undefined if it is not encoded. If the decoder is destroyed, the rest of the body is
 * not read. Throws SERVICE_UNSUPPORTED_MEDIA_TYPE for an unknown `Content-Encoding`.
 */
function contentDecoder(request: IncomingMessage): Transform | undefined {
  const name = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (name === 'identity') return undefined;
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!make) {
    const message =
      'This Content-Encoding is unknown. Send the body without encoding, or with gzip, deflate, br or zstd.';
    throw new ServiceError('SERVICE_UNSUPPORTED_MEDIA_TYPE', message);
  }
  const decoder = make();
  const onClose = () => {
    if (!request.complete) decoder.destroy(new Error('The request ended early.'));
  };
  request.on('close', onClose);
  decoder.on('close', () => {
    request.off('close', onClose);
    request.unpipe(decoder);
  });
  // The client may have disconnected before anything was read.
  if (request.closed) onClose();
  request.pipe(decoder);
  return decoder;
}

const DEEPEST = 32;
const MOST_VALUES = 50_000;
const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);

/**
 * Refuses NUL bytes and lone surrogates, which the database cannot store, names such as `__proto__`, and bodies with more than
 * 32 levels or `most` values. Throws `SERVICE_INVALID_ENCODING` for text and otherwise `SERVICE_INVALID_BODY`, with the path.
 */
export function checkJson(body: unknown, most = MOST_VALUES): void {
  let values = 0;
  visit(body, 'body', 0);

  function visit(value: unknown, path: string, depth: number): void {
    values += 1;
    if (values > most) throw invalidBody('body', `The body has more than ${most} values. Split the request.`);
    if (typeof value === 'string') checkText(value, path);
    if (value === null || typeof value !== 'object') return;
    if (depth === DEEPEST) throw invalidBody(path, `The body is nested deeper than ${DEEPEST} levels. Flatten it.`);
    for (const [name, item] of Object.entries(value)) {
      checkText(name, path);
      if (RESERVED.has(name)) throw invalidBody(`${path}/${name}`, `The name "${name}" is reserved. Remove it.`);
      visit(item, `${path}/${name}`, depth + 1);
    }
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw notText(path, 'NUL bytes are not allowed. Remove them.');
  if (!text.isWellFormed()) throw notText(path, 'The text contains a lone surrogate. Send valid Unicode.');
}

function invalidBody(path: string, message: string): ServiceError {
  return requestError('SERVICE_INVALID_BODY', path, message);
}

function notText(path: string, message: string): ServiceError {
  return requestError('SERVICE_INVALID_ENCODING', path, message);
}
