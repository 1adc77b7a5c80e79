import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { clientDocument, earlierDocument, type OpenApiDocument, ServiceError, servedDocument } from '@unified/contract';
import { type RequestHandler, Router } from 'express';
import { contentPolicy } from '../content-policy.ts';
import type { HttpResponse } from '../http-response.ts';
import { withCodeSamples } from '../reference/code-samples.ts';
import { isBuilt } from './built-folder.ts';
import { notFoundResponse } from './not-found-page.ts';
import { errorResponse, MethodNotAllowed } from './response/error-response.ts';
import type { Outbox } from './response/outbox.ts';
import { type Delivery, deliveryFor, respond } from './response/respond.ts';
import { sendKept } from './response/send-kept.ts';

/** Where the reference is built, and the number of milliseconds that a request waits for it. */
export interface Reference {
  /** The page at `/docs/filtering` is the file `docs/filtering.html` in this folder, and `/llms.txt` the file `llms.txt`. */
  readonly folder: URL;
  readonly longestBuildMs: number;
}

const builtReference: Reference = {
  folder: new URL('../../generated/docs/', import.meta.url),
  longestBuildMs: 60_000,
};
/** Paths of the reference. They cannot lead out of its folder. */
const REFERENCE_PATH = /^(?:\/docs(?:\/[a-z0-9-]+)*(?:\.(?:md|js|css|json))?|\/llms\.txt)$/;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** A page may load only files of this server, and send data only to it. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': contentPolicy("'none'"),
  'Referrer-Policy': 'no-referrer',
};

/** The pages for browsers and language models: the document, the reference, and redirects to the reference. */
export function createPages(publicUrl: string, outbox: Outbox, reference = builtReference): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const toDocs = { status: 302, headers: { Location: `${publicPath(publicUrl)}/docs` } };
  const delivery = () => deliveryFor(outbox);
  router.get(['/docs/', '/docs/quickstart'], (_request, response) => respond(response, toDocs, [], delivery()));
  router.get(
    '/openapi.json',
    sendKept(() => documentResponse(servedDocument(publicUrl, withCodeSamples(clientDocument()))), delivery),
  );
  router.get(
    '/openapi.v3.json',
    sendKept(() => documentResponse(earlierDocument(servedDocument(publicUrl))), delivery),
  );
  router.get(REFERENCE_PATH, sendReference(publicUrl, reference, delivery));
  router.get('/favicon.ico', (_request, response) => respond(response, { status: 204 }, [], delivery()));
  router.all(['/openapi.json', '/openapi.v3.json', '/docs/', REFERENCE_PATH, '/favicon.ico'], ({ method }, response) =>
    respond(response, errorResponse(new MethodNotAllowed(method, ['GET', 'HEAD'])), [], delivery()),
  );
  return router;
}

/** Sends the pages of the reference. Pages that were requested are kept in memory. */
function sendReference(publicUrl: string, reference: Reference, delivery: () => Delivery): RequestHandler {
  const handlers = new Map<string, RequestHandler>();
  return async (request, response, next) => {
    const { path } = request;
    const known = handlers.get(path);
    if (known) return known(request, response, next);
    if (!(await waitForPage(reference, path))) {
      const shown = { root: publicPath(publicUrl), headers: PAGE_HEADERS };
      return respond(response, notFoundResponse(request, missing(path), shown), [], delivery());
    }
    const handler = sendKept(() => pageResponse(publicUrl, reference, path), delivery);
    handlers.set(path, handler);
    return handler(request, response, next);
  };
}

async function documentResponse(document: OpenApiDocument): Promise<HttpResponse> {
  const type = 'application/json; charset=utf-8';
  return { status: 200, type, body: JSON.stringify(document) };
}

/** The file that contains a page. */
function fileOf({ folder }: Reference, path: string): URL {
  return new URL(`.${path}${/\.\w+$/.test(path) ? '' : '.html'}`, folder);
}

/**
 * Resolves to whether the reference has a page. On the first start, the reference is built while the server already runs, so
 * this waits until it is built.
 */
async function waitForPage(reference: Reference, path: string): Promise<boolean> {
  return (await isBuilt(reference)) && existsSync(fileOf(reference, path));
}

function missing(path: string): ServiceError {
  const message =
    path === '/docs'
      ? 'The reference is not built yet. After the first start, that takes some minutes; otherwise, `npm run generate` builds it. The document itself is at /openapi.json.'
      : 'The reference has no such page. It begins at /docs.';
  return new ServiceError('SERVICE_NOT_FOUND', message);
}

/** A page as it was built, with the address of this server inserted. */
async function pageResponse(publicUrl: string, reference: Reference, path: string): Promise<HttpResponse> {
  const file = fileOf(reference, path);
  const [server] = clientDocument().servers;
  const text = await readFile(file, 'utf8');
  const body = server ? text.replaceAll(new URL(server.url).origin, publicUrl) : text;
  return { status: 200, type: TYPES[extname(file.pathname).slice(1)] ?? '', body, headers: PAGE_HEADERS };
}

/** The path of the server's public address: `/erp` for `https://gate.example/erp/`, an empty string if there is no path. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
