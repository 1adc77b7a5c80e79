import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { openApiDocument, publishedDocument, ServiceError } from '@unified/contract';
import { type Request, type RequestHandler, Router } from 'express';
import { errorAnswer } from './error-answer.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { publicPath } from './public-path.ts';
import { type Answer, respond } from './respond.ts';

const PAGE = new URL('../../generated/docs.html', import.meta.url);
const SCRIPTS = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** What people open in a browser: the document, the reference page, and the way to it. */
export function createPages(publicUrl: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const toDocs = { status: 302, headers: { Location: `${publicPath(publicUrl)}/docs` } };
  router.get('/', (_request, response) => respond(response, toDocs, []));
  router.get(
    '/openapi.json',
    sendOnce(() => documentAnswer(publicUrl)),
  );
  router.get(
    '/docs',
    sendOnce(() => docsAnswer(publicUrl)),
  );
  router.get('/favicon.ico', (_request, response) => respond(response, { status: 204 }, []));
  router.all(['/', '/openapi.json', '/docs', '/favicon.ico'], ({ method }, response) =>
    respond(response, methodNotAllowed(method, ['GET', 'HEAD']), []),
  );
  return router;
}

/** Makes an answer at its first request and keeps it. */
function sendOnce(make: () => Answer): RequestHandler {
  let made: Promise<(request: Request) => Answer> | undefined;
  return async (request, response) => {
    made ??= compressible(make());
    respond(response, (await made)(request), []);
  };
}

/** A text for a browser, which asks for it compressed, and whether it has changed since it was there last. */
async function compressible(answer: Answer): Promise<(request: Request) => Answer> {
  const { status, body } = answer;
  if (status !== 200 || typeof body !== 'string') return () => answer;
  const compressed = await promisify(gzip)(body);
  const tag = `W/"${hash('sha256', body, 'base64url')}"`;
  const headers = { ...answer.headers, 'Cache-Control': 'no-cache', ETag: tag, Vary: 'Accept-Encoding' };
  return (request) => {
    if (request.headers['if-none-match']?.includes(tag)) return { status: 304, headers };
    if (!request.acceptsEncodings('gzip')) return { ...answer, headers };
    return { ...answer, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
  };
}

function documentAnswer(publicUrl: string): Answer {
  const type = 'application/json; charset=utf-8';
  return { status: 200, type, body: JSON.stringify(publishedDocument(publicUrl)) };
}

function docsAnswer(publicUrl: string): Answer {
  const html = pageText(publicUrl);
  if (html === undefined) {
    const message = 'The reference page is not built. Run `npm run generate`; the document itself is at /openapi.json.';
    return errorAnswer(new ServiceError('SERVICE_NOT_FOUND', message));
  }
  return { status: 200, type: 'text/html; charset=utf-8', body: html, headers: pageHeaders(html) };
}

/** The page as it was built, with this server's address in place of the one that the document was written with. */
function pageText(publicUrl: string): string | undefined {
  const [server] = openApiDocument().servers;
  try {
    const html = readFileSync(PAGE, 'utf8');
    return server ? html.replaceAll(new URL(server.url).origin, publicUrl) : html;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lets the page run the scripts that it was built with and no others, and talk to nobody. */
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
