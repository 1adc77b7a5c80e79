import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Events } from '@unified/contract';
import type { HttpResponse } from '../../http-response.ts';
import { codedTag } from '../../query/entity-tags.ts';
import { acceptedCodings, type Coding } from './accept-encoding.ts';
import type { Outbox } from './outbox.ts';
import { Share } from './response-memory.ts';

/** Size of the largest response after which the server keeps reading the request: enough for errors, but not for pages. */
const LONGEST_LINGERING = 16_384;

/** How a response is delivered: through an outbox, with the memory reserved for it. */
export interface Delivery {
  readonly outbox: Outbox;
  readonly share: Share;
}

/** The delivery of a response to an application or, if none is given, to clients without a valid token. */
export function deliveryFor(outbox: Outbox, applicationId = ''): Delivery {
  return { outbox, share: new Share(applicationId) };
}

/**
 * Sends a response. `headers` alternates names and values. For a HEAD request, Node sends only the headers. Returns a
 * promise for a response that is not sent immediately; it rejects if the response cannot be sent, and the connection is
 * then closed.
 */
export function respond(
  response: ServerResponse,
  answer: HttpResponse,
  headers: readonly string[],
  delivery: Delivery,
): Promise<void> | undefined {
  try {
    return send(response, answer, headers, delivery);
  } catch (error) {
    delivery.outbox.release(delivery.share);
    throw error;
  }
}

function send(
  response: ServerResponse,
  answer: HttpResponse,
  headers: readonly string[],
  delivery: Delivery,
): Promise<void> | undefined {
  const { outbox, share } = delivery;
  if (response.headersSent || response.destroyed) return void outbox.release(share);
  const { req: request } = response;
  const { body } = answer;
  if (isStream(body) || isPausing(body)) {
    const type = answer.type ?? 'application/octet-stream';
    response.writeHead(answer.status, [...headersOf(answer, headers), 'Content-Type', type]);
    if (request.method !== 'HEAD')
      return isStream(body) ? outbox.stream(response, body, share) : outbox.follow(response, body.events, share);
    outbox.release(share);
    response.end();
    return;
  }
  const isCut = isUnread(request);
  const payload = payloadOf(answer);
  const coding = answer.type === undefined && !isCut && payload ? codingOf(request, payload) : undefined;
  const all = headersOf(answer, headers, coding);
  if (isCut && !all.includes('close')) all.push('Connection', 'close');
  if (payload === undefined || request.method === 'HEAD') outbox.release(share);
  if (payload === undefined) return void response.writeHead(answer.status, all).end();
  all.push('Content-Type', answer.type ?? 'application/json; charset=utf-8');
  const isAscii = isRendered(body) && body.isAscii === true;
  if (coding === undefined)
    return sendPayload(response, payload, { status: answer.status, headers: all, isAscii }, delivery);
  // The length of a compressed response is not known until it is compressed.
  if (request.method === 'HEAD') return void response.writeHead(answer.status, all).end();
  return sendCompressed(response, payload, { status: answer.status, headers: all, coding }, delivery);
}

/** The head of a response, without `Content-Length`. */
interface Head {
  readonly status: number;
  readonly headers: readonly string[];
  /** Whether the body is known to have as many bytes as characters: to count them, the whole text would be copied. */
  readonly isAscii?: boolean;
}

/**
 * Headers as alternating names and values. A strong entity tag identifies exact bytes, so the tag of a compressed response
 * contains its coding.
 */
function headersOf(
  { headers: own = {}, type, body }: HttpResponse,
  headers: readonly string[],
  coding?: Coding,
): string[] {
  const { 'Cache-Control': caching = 'no-store', Vary, ETag, ...others } = own;
  const all = ['Cache-Control', caching, 'X-Content-Type-Options', 'nosniff', ...headers];
  for (const [name, value] of Object.entries(others)) all.push(name, value);
  const isCompressible = type === undefined && body !== undefined && !isStream(body);
  const varies = [Vary, isCompressible && 'Accept-Encoding'].filter(Boolean);
  if (varies.length > 0) all.push('Vary', varies.join(', '));
  if (coding !== undefined) all.push('Content-Encoding', coding);
  if (ETag !== undefined) all.push('ETag', coding === undefined ? ETag : codedTag(ETag, coding));
  return all;
}

/** Below this size, responses are sent faster uncompressed. */
const SHORTEST_COMPRESSED = 2_000;

/** The coding of a response; undefined if it is sent uncompressed. */
function codingOf({ headers }: IncomingMessage, { length }: string | Uint8Array): Coding | undefined {
  const { coding, takesPlain } = acceptedCodings(headers['accept-encoding']);
  return length < SHORTEST_COMPRESSED && takesPlain ? undefined : coding;
}

function sendPayload(
  response: ServerResponse,
  payload: string | Uint8Array,
  { status, headers, isAscii = false }: Head,
  { outbox, share }: Delivery,
): Promise<void> | undefined {
  const length = isAscii ? payload.length : Buffer.byteLength(payload);
  response.writeHead(status, [...headers, 'Content-Length', String(length)]);
  if (response.req.method === 'HEAD') return void response.end();
  if (isUnread(response.req) && length <= LONGEST_LINGERING) {
    outbox.release(share);
    return lingering(response, payload).then(() => void response.end());
  }
  // Text with as many bytes as characters is ASCII, which is the same in both encodings and much faster to copy as latin1.
  outbox.send(response, payload, length === payload.length ? 'latin1' : 'utf8', share);
  return undefined;
}

/** Keeps the memory that is reserved for the response until it is compressed or the client has left. */
async function sendCompressed(
  response: ServerResponse,
  payload: string | Uint8Array,
  { coding, ...head }: Head & { readonly coding: Coding },
  delivery: Delivery,
): Promise<void> {
  const { outbox, share } = delivery;
  try {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const compressed = await outbox.compressor.compress(bytes, coding, () => !response.destroyed);
    if (compressed && !response.destroyed) await sendPayload(response, compressed, head, delivery);
    else outbox.release(share);
  } catch (error) {
    outbox.release(share);
    response.destroy();
    throw error;
  }
}

function payloadOf({ type, body }: HttpResponse): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (type !== undefined) return body as string | Uint8Array;
  return isRendered(body) ? body.json : JSON.stringify(body);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function isPausing(body: unknown): body is Events {
  return typeof body === 'object' && body !== null && 'events' in body;
}

/** Whether a body is rendered JSON, as text or in UTF-8. */
export function isRendered(body: unknown): body is { readonly json: string | Uint8Array; readonly isAscii?: boolean } {
  if (typeof body !== 'object' || body === null || !('json' in body)) return false;
  return typeof body.json === 'string' || body.json instanceof Uint8Array;
}

/** Limits for reading the rest of a body after the response. */
const LONGEST_MS = 3_000;
const MOST_BYTES = 10_000_000;

/** Whether the body has not been received completely. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Sends a short response to a request that was not received completely. Resolves when the connection may be closed. If it were
 * closed immediately, the kernel would reset the connection when more data arrives, and the client might not see the response.
 * Therefore the rest of the body is read and discarded, within limits.
 */
async function lingering(response: ServerResponse, payload: string | Uint8Array): Promise<void> {
  const { req: request } = response;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LONGEST_MS);
  let dropped = 0;
  request.on('data', (bytes: Uint8Array) => {
    dropped += bytes.length;
    if (dropped > MOST_BYTES) resolve();
  });
  for (const event of ['end', 'error', 'close']) request.on(event, () => resolve());
  response.write(payload);
  request.resume();
  await promise;
  clearTimeout(timer);
}

const SAFE = /^[\w.:-]{1,100}$/;

/** The id of a request in responses and logs: the one that the client sent if it is safe, otherwise a new one. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SAFE.test(sent) ? sent : randomUUID();
}
