import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * What is answered: a status and a body that is sent as JSON; `{ json }` is JSON text already. With a `type` the body is
 * sent as it is, under that media type; bytes that come one after the other need the header `Content-Length`.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string | undefined;
  readonly body?: unknown;
}

/**
 * Sends an answer. `headers` are names and values in turn. To a HEAD request Node sends the headers alone. Gives a promise
 * where bytes are still to follow; it rejects when they cannot be sent, which breaks the connection.
 */
export function respond(
  response: ServerResponse,
  answer: Answer,
  headers: readonly string[],
): Promise<void> | undefined {
  if (response.headersSent || response.destroyed) return;
  const { 'Cache-Control': caching = 'no-store', ...own } = answer.headers ?? {};
  const all = ['Cache-Control', caching, 'X-Content-Type-Options', 'nosniff', ...headers];
  for (const [name, value] of Object.entries(own)) all.push(name, value);
  if (isStream(answer.body)) {
    response.writeHead(answer.status, [...all, 'Content-Type', answer.type ?? 'application/octet-stream']);
    if (response.req.method !== 'HEAD') return pipeline(Readable.from(answer.body, { objectMode: false }), response);
    response.end();
    return;
  }
  const payload = payloadOf(answer);
  if (payload === undefined) {
    response.writeHead(answer.status, all).end();
    return;
  }
  const length = Buffer.byteLength(payload);
  all.push('Content-Type', answer.type ?? 'application/json; charset=utf-8', 'Content-Length', String(length));
  // Text of as many bytes as characters is ASCII, which is the same in both encodings and far cheaper to copy as latin1.
  response.writeHead(answer.status, all).end(payload, length === payload.length ? 'latin1' : 'utf8');
}

function payloadOf({ type, body }: Answer): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (type !== undefined) return body as string | Uint8Array;
  return isRendered(body) ? body.json : JSON.stringify(body);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function isRendered(body: unknown): body is { readonly json: string } {
  return typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string';
}
