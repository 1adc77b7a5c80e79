import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { addressOf, ServiceError } from '@unified/contract';
import { type Request, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { AgentPages } from '../authorize/agents/agent-pages.ts';
import type { AuthorizationPages } from '../authorize/authorization-pages.ts';
import { colorSheet } from '../authorize/colors.ts';
import type { EmbeddedPages } from '../authorize/embedded-pages.ts';
import type { PageRequest } from '../authorize/page-request.ts';
import type { Message } from '../authorize/page-responses.ts';
import type { SetupPages } from '../authorize/setup-pages.ts';
import { AGENT_PATH, EMBED_PATH, SETUP_PATH } from '../embedding.ts';
import type { HttpResponse } from '../http-response.ts';
import { countRequest, type RateLimiter } from './authorization/rate-limits.ts';
import { readForm } from './request/read-body.ts';
import { MethodNotAllowed } from './response/error-response.ts';
import type { Outbox } from './response/outbox.ts';
import { deliveryFor, requestId, respond } from './response/respond.ts';
import { sendKept } from './response/send-kept.ts';

/** Path of the authorization pages on this server. The request that starts an authorization is sent to this address itself. */
export const AUTHORIZATION_PATH = addressOf('authorize');

/**
 * Authorizations and forms that one address may send per minute: enough for an office, but not for guessing passwords of
 * connected systems.
 */
const FORMS_PER_MINUTE = 60;
/**
 * Pages, page parts and logos that one address may request per minute: during a check, a page requests the progress every
 * second.
 */
const PAGES_PER_MINUTE = 600;

/** What is counted, and how often an address may do it per minute. */
const LIMITS = {
  form: { key: 'authorize address', most: FORMS_PER_MINUTE },
  page: { key: 'authorize page address', most: PAGES_PER_MINUTE },
} as const;

interface Parts {
  readonly pages: AuthorizationPages;
  readonly embedded: EmbeddedPages;
  readonly setup: SetupPages;
  readonly agents: AgentPages;
  readonly outbox: Outbox;
  readonly limiter: RateLimiter;
  /** Address under which the requests of a client are counted. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** IP address of a client. */
  readonly senderOf: (request: IncomingMessage) => string;
  /** The image at an address; null if there is none. */
  readonly imageAt: (url: string) => Promise<{ readonly type: string; readonly bytes: Uint8Array } | null>;
  readonly logger: Logger;
}

type Serve = (request: Request, sent: PageRequest) => Promise<HttpResponse>;

interface AuthorizationRoutes {
  /** The pages of sessions, their style, and their script. */
  readonly router: Router;
  /** Starts an authorization. It counts as a form that its address has sent. */
  begin(sent: PageRequest, request: IncomingMessage): Promise<HttpResponse>;
}

export function createAuthorizationRoutes(parts: Parts): AuthorizationRoutes {
  const { pages, agents, outbox } = parts;
  const delivery = () => deliveryFor(outbox);
  const router = Router({ strict: true, caseSensitive: true });
  const at = (path: string) => `${AUTHORIZATION_PATH}${path}`;
  const id = ({ params }: Request) => String(params.id);
  const serve = (work: Serve) => served(parts, work);
  router.get(
    at('/page.css'),
    sendKept(() => builtFile('authorize.css'), delivery),
  );
  for (const [path, name] of SCRIPTS)
    router.get(
      at(path),
      sendKept(() => builtFile(name), delivery),
    );
  router.get(
    at('/color.css'),
    serve(async (_request, { queryText }) => color(queryText)),
  );
  const limited: Limited = (kind, work) => {
    return async (request, sent) => (await overLimit(parts, kind, request, sent)) ?? work(request, sent);
  };
  router.get(at('/:id'), serve(limited('page', (request, sent) => pages.show(id(request), sent))));
  router.get(at('/:id/progress'), serve(limited('page', (request, sent) => pages.progress(id(request), sent))));
  router.get(
    at('/:id/logo'),
    serve(limited('page', async (request, sent) => logo(parts, await pages.logoUrl(id(request), sent)))),
  );
  router.post(
    at('/:id/:action'),
    serve(
      limited('form', async (request, sent) =>
        pages.act(id(request), String(request.params.action), sent, await readForm(request)),
      ),
    ),
  );
  router.all(
    [at('/:id'), at('/:id/:action')],
    serve(async ({ method }) => {
      throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    }),
  );
  addEmbedded(router, parts, limited);
  addSetup(router, parts, limited);
  addAgents(router, parts, limited);
  return {
    router,
    async begin(sent, request) {
      const refusal = await overLimit(parts, 'form', request, sent);
      return refusal ?? (agents.isFor(sent) ? agents.begin(sent) : pages.begin(sent));
    },
  };
}

type Limited = (kind: keyof typeof LIMITS, work: Serve) => Serve;

/** The first page of setup links. The pages of their sessions are at the same address as all others. */
function addSetup(router: Router, parts: Parts, limited: Limited): void {
  const { setup } = parts;
  const address = `${SETUP_PATH}/:token`;
  const token = ({ params }: Request) => String(params.token);
  router.get(
    address,
    served(
      parts,
      limited('page', (request, sent) => setup.show(token(request), sent)),
    ),
  );
  router.post(
    address,
    served(
      parts,
      limited('form', (request, sent) => setup.begin(token(request), sent)),
    ),
  );
  router.all(
    address,
    served(parts, async ({ method }) => {
      throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    }),
  );
}

/** The page on which a user authorizes an agent. */
function addAgents(router: Router, parts: Parts, limited: Limited): void {
  const { agents } = parts;
  const [page, form] = [`${AGENT_PATH}/:id`, `${AGENT_PATH}/:id/:action`];
  const id = ({ params }: Request) => String(params.id);
  const serve = (kind: keyof typeof LIMITS, work: Serve) => served(parts, limited(kind, work));
  router.get(
    page,
    serve('page', (request, sent) => agents.show(id(request), sent)),
  );
  router.post(
    form,
    serve('form', async (request, sent) =>
      agents.act(id(request), String(request.params.action), sent, await readForm(request)),
    ),
  );
  for (const [path, methods] of [
    [page, ['GET', 'HEAD']],
    [form, ['POST']],
  ] as const)
    router.all(
      path,
      served(parts, async ({ method }) => {
        throw new MethodNotAllowed(method, methods);
      }),
    );
}

/** The pages of sessions in frames of applications. */
function addEmbedded(router: Router, parts: Parts, limited: Limited): void {
  const { embedded } = parts;
  const at = (path: string) => `${EMBED_PATH}${path}`;
  const id = ({ params }: Request) => String(params.id);
  const action = ({ params }: Request) => String(params.action);
  const serve = (kind: keyof typeof LIMITS, work: Serve) => served(parts, limited(kind, work));
  router.get(
    at('/:id'),
    serve('page', (request, sent) => embedded.first(id(request), sent)),
  );
  router.get(
    at('/:id/logo'),
    serve('page', async (request) => logo(parts, await embedded.logoUrl(id(request)))),
  );
  router.post(
    at('/:id/open'),
    serve('form', async (request, sent) => embedded.open(id(request), sent, await readForm(request))),
  );
  router.post(
    at('/:id/progress'),
    serve('page', async (request, sent) => embedded.act(id(request), 'progress', sent, await readForm(request))),
  );
  router.post(
    at('/:id/:action'),
    serve('form', async (request, sent) => embedded.act(id(request), action(request), sent, await readForm(request))),
  );
  router.all(
    [at('/:id'), at('/:id/:action')],
    served(parts, async ({ method }) => {
      throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    }),
  );
}

/** Responds with a page, even for errors. */
function served({ pages, outbox, logger, senderOf }: Parts, work: Serve): RequestHandler {
  return async (request, response) => {
    const id = requestId(request.headers['x-request-id']);
    const queryText = request.url.split('?', 2)[1] ?? '';
    const sent = { headers: request.headers, queryText, requestId: id, address: senderOf(request) };
    const answer = await work(request, sent).catch((error: unknown) => {
      const status = error instanceof ServiceError ? error.status : 500;
      if (status >= 500) logger.error({ requestId: id, err: error }, 'request failed');
      const kind: Message = status >= 500 ? 'broken' : 'missing';
      return pages.message(sent, status, kind);
    });
    respond(response, answer, ['X-Request-Id', id], deliveryFor(outbox));
  };
}

/** The response to a request that exceeds the limit of its address; undefined for other requests. */
async function overLimit(
  { pages, limiter, clientOf }: Parts,
  kind: keyof typeof LIMITS,
  request: IncomingMessage,
  sent: PageRequest,
): Promise<HttpResponse | undefined> {
  const { key, most } = LIMITS[kind];
  const usage = await countRequest(limiter, `${key} ${clientOf(request)}`);
  if (usage instanceof ServiceError) throw usage;
  if (usage.used <= most) return undefined;
  const answer = pages.message(sent, 429, 'limited');
  return { ...answer, headers: { ...answer.headers, 'Retry-After': String(usage.reset) } };
}

/** Scripts of the pages: path, and name of the built file. */
const SCRIPTS = [
  ['/page.js', 'authorize.js'],
  ['/embedded.js', 'embedded.js'],
  ['/page-parts.js', 'page-parts.js'],
] as const;

/** A style or script of the pages that `build/browser-files.ts` has built. */
async function builtFile(name: string): Promise<HttpResponse> {
  const body = await readFile(new URL(`../../generated/browser/${name}`, import.meta.url), 'utf8');
  return { status: 200, type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`, body };
}

const DAY_SECONDS = 24 * 3600;

function color(queryText: string): HttpResponse {
  const value = new URLSearchParams(queryText).get('is') ?? '';
  if (!/^[0-9a-fA-F]{6}$/.test(value)) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no such color.');
  const headers = { 'Cache-Control': `public, max-age=${DAY_SECONDS}` };
  return { status: 200, type: 'text/css; charset=utf-8', headers, body: colorSheet(`#${value}`) };
}

/**
 * The logo of an application. It is sent from here so that browsers send no request to another server. An SVG image cannot run
 * scripts.
 */
async function logo({ imageAt }: Parts, url: string | null): Promise<HttpResponse> {
  const image = url === null ? null : await imageAt(url);
  if (!image) throw new ServiceError('SERVICE_NOT_FOUND', 'The application has no logo.');
  const headers = {
    'Cache-Control': 'private, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  return { status: 200, type: image.type, headers, body: image.bytes };
}
