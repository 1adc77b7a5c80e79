import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ServiceError } from '@unified/contract';
import { type RequestHandler, Router } from 'express';
import { contentPolicy } from '../content-policy.ts';
import type { HttpResponse } from '../http-response.ts';
import { isBuilt } from './built-folder.ts';
import { notFoundResponse } from './not-found-page.ts';
import { PAGE_HEADERS, publicPath } from './pages.ts';
import { errorResponse, MethodNotAllowed } from './response/error-response.ts';
import type { Outbox } from './response/outbox.ts';
import { type Delivery, deliveryFor, respond } from './response/respond.ts';
import { sendKept } from './response/send-kept.ts';

/** Where the console is built, and the number of milliseconds that a request waits for it. */
export interface BuiltConsole {
  /** Contains `index.html`, and `assets/` with files whose names contain a hash of their content. */
  readonly folder: URL;
  readonly longestBuildMs: number;
}

const builtConsole: BuiltConsole = {
  folder: new URL('../../generated/console/', import.meta.url),
  longestBuildMs: 60_000,
};

/** Addresses of pages, which all are the same file. None has a file extension. */
const PAGE = /^\/console(?:\/[^./]+)*\/?$/;
/** Addresses of files. They cannot lead out of the folder, nor to files whose names begin with a dot. */
const FILE = /^\/console\/(?<name>(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:css|js|svg|woff2))$/;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The console loads only files of this server, sends data only to it, and shows its authorization pages in frames. */
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': `${contentPolicy("'none'")}; font-src 'self'; frame-src 'self'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
};
const NOT_BUILT =
  'The console is not built yet. After the first start, that takes some minutes; otherwise, `npm run generate` builds it.';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The pages of the console and their files, and the redirect from `/`. */
export function createConsolePages(publicUrl: string, outbox: Outbox, built = builtConsole): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const root = publicPath(publicUrl);
  const delivery = () => deliveryFor(outbox);
  const page = sendKept(() => pageResponse(root, built), delivery);
  const files = sendFiles(built, root, delivery);
  router.get('/', (_request, response) => {
    // Until the console is built, the reference is what a browser can be shown.
    const to = existsSync(built.folder) ? '/console' : '/docs';
    respond(response, { status: 302, headers: { Location: root + to } }, [], delivery());
  });
  router.get(PAGE, async (request, response, next) => {
    if (await isBuilt(built)) return page(request, response, next);
    const error = new ServiceError('SERVICE_NOT_FOUND', NOT_BUILT);
    return respond(response, notFoundResponse(request, error, { root, headers: PAGE_HEADERS }), [], delivery());
  });
  router.get(FILE, files);
  router.all(['/', PAGE, FILE], ({ method }, response) =>
    respond(response, errorResponse(new MethodNotAllowed(method, ['GET', 'HEAD'])), [], delivery()),
  );
  return router;
}

async function pageResponse(root: string, { folder }: BuiltConsole): Promise<HttpResponse> {
  const text = await readFile(new URL('index.html', folder), 'utf8');
  const body = text.replaceAll('"/console/', `"${root}/console/`);
  return { status: 200, type: 'text/html; charset=utf-8', body, headers: HEADERS };
}

/** Sends files, which are kept in memory: there is a fixed number of them. */
function sendFiles(built: BuiltConsole, root: string, delivery: () => Delivery): RequestHandler {
  const handlers = new Map<string, RequestHandler>();
  return async (request, response, next) => {
    const name = FILE.exec(request.path)?.groups?.name ?? '';
    const known = handlers.get(name);
    if (known) return known(request, response, next);
    const file = new URL(name, built.folder);
    if (!(await isBuilt(built)) || !existsSync(file)) {
      const error = new ServiceError('SERVICE_NOT_FOUND', 'The console has no such file. Load the page again.');
      return respond(response, notFoundResponse(request, error, { root, headers: PAGE_HEADERS }), [], delivery());
    }
    const caching = name.startsWith('assets/') ? IMMUTABLE : 'no-cache';
    const handler = sendKept(() => fileResponse(file, caching), delivery, caching);
    handlers.set(name, handler);
    return handler(request, response, next);
  };
}

async function fileResponse(file: URL, caching: string): Promise<HttpResponse> {
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  const bytes = await readFile(file);
  const body = type.includes('charset') ? bytes.toString() : bytes;
  return { status: 200, type, body, headers: { 'Cache-Control': caching } };
}
