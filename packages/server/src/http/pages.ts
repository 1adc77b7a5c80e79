import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { openApiDocument, publishedDocument, ServiceError } from '@unified/contract';
import { type Request, type RequestHandler, Router } from 'express';
import type { HttpResponse } from '../http-response.ts';
import { errorResponse, MethodNotAllowed } from './response/error-response.ts';
import type { Outbox } from './response/outbox.ts';
import { type Delivery, deliveryFor, respond } from './response/respond.ts';

const LOOK_EVERY_MS = 200;

/** Where the reference page is built, and how many milliseconds a request waits for it. */
export interface ReferencePage {
  readonly file: URL;
  readonly longestBuildMs: number;
}

const referencePage: ReferencePage = {
  file: new URL('../../generated/docs.html', import.meta.url),
  longestBuildMs: 60_000,
};
const SCRIPTS = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The pages for browsers: the document, the reference, and a redirect to it. */
export function createPages(publicUrl: string, outbox: Outbox, page = referencePage): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const toDocs = { status: 302, headers: { Location: `${publicPath(publicUrl)}/docs` } };
  const delivery = () => deliveryFor(outbox);
  router.get('/', (_request, response) => respond(response, toDocs, [], delivery()));
  router.get(
    '/openapi.json',
    sendOnce(() => documentResponse(publicUrl), delivery),
  );
  router.get(
    '/docs',
    sendOnce(() => docsResponse(publicUrl, page), delivery),
  );
  router.get('/favicon.ico', (_request, response) => respond(response, { status: 204 }, [], delivery()));
  router.all(['/', '/openapi.json', '/docs', '/favicon.ico'], ({ method }, response) =>
    respond(response, errorResponse(new MethodNotAllowed(method, ['GET', 'HEAD'])), [], delivery()),
  );
  return router;
}

/** Creates a response at its first request and keeps it. */
function sendOnce(make: () => Promise<HttpResponse>, delivery: () => Delivery): RequestHandler {
  let made: Promise<(request: Request) => HttpResponse> | undefined;
  return async (request, response) => {
    made ??= make()
      .then(compressible)
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      });
    const answer = (await made)(request);
    // A page that is not built yet is looked for again at the next request.
    if (answer.status === 404) made = undefined;
    respond(response, answer, [], delivery());
  };
}

/** A text for a browser: compressed if the browser accepts it, and 304 if the browser already has it. */
async function compressible(answer: HttpResponse): Promise<(request: Request) => HttpResponse> {
  const { status, body } = answer;
  if (status !== 200 || typeof body !== 'string') return () => answer;
  const compressed = await promisify(gzip)(body);
  // As bytes it is in memory once for all slow readers.
  const plain = Buffer.from(body);
  const tag = `W/"${hash('sha256', body, 'base64url')}"`;
  const headers = { ...answer.headers, 'Cache-Control': 'no-cache', ETag: tag, Vary: 'Accept-Encoding' };
  return (request) => {
    if (request.headers['if-none-match']?.includes(tag)) return { status: 304, headers };
    if (!request.acceptsEncodings('gzip')) return { ...answer, headers, body: plain };
    return { ...answer, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
  };
}

async function documentResponse(publicUrl: string): Promise<HttpResponse> {
  const type = 'application/json; charset=utf-8';
  return { status: 200, type, body: JSON.stringify(publishedDocument(publicUrl)) };
}

async function docsResponse(publicUrl: string, page: ReferencePage): Promise<HttpResponse> {
  const html = await pageText(publicUrl, page);
  if (html === undefined) {
    const message =
      'The reference page is not built. `npm run generate` builds it. The document itself is at /openapi.json.';
    return errorResponse(new ServiceError('SERVICE_NOT_FOUND', message));
  }
  return { status: 200, type: 'text/html; charset=utf-8', body: html, headers: pageHeaders(html) };
}

/** The page as it was built, with the address of this server. */
async function pageText(publicUrl: string, page: ReferencePage): Promise<string | undefined> {
  const [server] = openApiDocument().servers;
  const html = await builtPage(page);
  return server ? html?.replaceAll(new URL(server.url).origin, publicUrl) : html;
}

/** The first start builds the page while the server runs, so this waits for it. Undefined if it is not built. */
async function builtPage({ file, longestBuildMs }: ReferencePage): Promise<string | undefined> {
  for (const end = Date.now() + longestBuildMs; ; await pause(LOOK_EVERY_MS)) {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      if (Date.now() > end) return undefined;
    }
  }
}

/** Headers that allow the page only the scripts that it was built with, and no connections to other origins. */
function pageHeaders(html: string): Record<string, string> {
  const scripts = [...html.matchAll(SCRIPTS)].map(([, source = '']) => `'sha256-${hash('sha256', source, 'base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' };
}

/** The path of the server's public address: `/erp` for `https://gate.example/erp/`, an empty string for the root. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
