import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import type { HttpResponse } from '../../http-response.ts';
import { matchesTag } from '../../query/entity-tags.ts';
import { type Delivery, respond } from './respond.ts';

/**
 * Creates a response on the first request and keeps it. If that failed, it is created again. `caching` tells browsers how long to
 * keep a text; by default, they ask each time whether it has changed.
 */
export function sendKept(
  create: () => Promise<HttpResponse>,
  delivery: () => Delivery,
  caching = 'no-cache',
): RequestHandler {
  let created: Promise<(request: Request) => HttpResponse> | undefined;
  return async (request, response) => {
    created ??= create()
      .then((made) => compressible(made, caching))
      .catch((error: unknown) => {
        created = undefined;
        throw error;
      });
    respond(response, (await created)(request), [], delivery());
  };
}

/** A text for a browser: compressed if the browser accepts that, and 304 if the browser already has it. */
async function compressible(response: HttpResponse, caching: string): Promise<(request: Request) => HttpResponse> {
  const { status, body } = response;
  if (status !== 200 || typeof body !== 'string') return () => response;
  const compressed = await promisify(gzip)(body);
  // As bytes, it is in memory only once for all slow readers.
  const plain = Buffer.from(body);
  const tag = `W/"${hash('sha256', body, 'base64url')}"`;
  const headers = { ...response.headers, 'Cache-Control': caching, ETag: tag, Vary: 'Accept-Encoding' };
  return (request) => {
    if (matchesTag(request.headers['if-none-match'], tag)) return { status: 304, headers };
    if (!request.acceptsEncodings('gzip')) return { ...response, headers, body: plain };
    return { ...response, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
  };
}
