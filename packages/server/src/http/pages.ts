import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { publishedDocument, ServiceError } from '@unified/contract';
import { type RequestHandler, Router } from 'express';
import { errorAnswer } from './error-answer.ts';
import { type Answer, respond } from './respond.ts';

const PAGE = new URL('../../generated/docs.html', import.meta.url);
const SCRIPTS = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** What people open in a browser: the document, the reference page, and the way to it. */
export function createPages(publicUrl: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', (_request, response) => respond(response, { status: 302, headers: { Location: '/docs' } }, []));
  router.get(
    '/openapi.json',
    sendOnce(() => documentAnswer(publicUrl)),
  );
  router.get('/docs', sendOnce(docsAnswer));
  router.get('/favicon.ico', (_request, response) => respond(response, { status: 204 }, []));
  return router;
}

/** Makes an answer at its first request and keeps it. */
function sendOnce(make: () => Answer): RequestHandler {
  let made: Answer | undefined;
  return (_request, response) => {
    made ??= make();
    respond(response, made, []);
  };
}

function documentAnswer(publicUrl: string): Answer {
  return { status: 200, body: { json: JSON.stringify(publishedDocument(publicUrl)) } };
}

function docsAnswer(): Answer {
  const html = pageText();
  if (html === undefined) {
    const message = 'The reference page is not built. Run `npm run generate`; the document itself is at /openapi.json.';
    return errorAnswer(new ServiceError('SERVICE_NOT_FOUND', message));
  }
  return { status: 200, type: 'text/html; charset=utf-8', body: html, headers: pageHeaders(html) };
}

function pageText(): string | undefined {
  try {
    return readFileSync(PAGE, 'utf8');
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
