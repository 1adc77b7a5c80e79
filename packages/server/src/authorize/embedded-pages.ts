import type { Engine } from '@unified/engine';
import { authorizingClient, type EmbedSession, embedSession, openEmbedSession, type Store } from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import { type Content, isRegistered, sessionOfBrowser } from './browser-session.ts';
import type { EmbedRequest } from './embed-request.ts';
import { firstPage, unusablePage } from './embedded-messages.ts';
import type { PageParts, SessionWork } from './page-parts.ts';
import type { Form, PageRequest } from './page-request.ts';
import { type Message, messageResponse } from './page-responses.ts';
import { sessionAction } from './session-actions.ts';
import { logoOf, sessionFrame } from './session-frame.ts';
import { currentPage, progressPart } from './session-pages.ts';

/**
 * The authorization pages in frames of applications. They use no cookie: each form contains the secret of its session, which
 * the first page received in exchange for the token. This way, opening an address never shows a page of a session, and every
 * such page is the response to a form.
 */
export interface EmbeddedPages {
  /** The page at the address of a session. */
  first(id: string, request: PageRequest): Promise<HttpResponse>;
  /** Uses up the token of a session. Returns the page in its current state. */
  open(id: string, request: PageRequest, form: Form): Promise<HttpResponse>;
  /** The page of a session in its current state, the part of it that changes during a check, or the result of an action. */
  act(id: string, action: string, request: PageRequest, form: Form): Promise<HttpResponse>;
  /** The logo of the application of a session, which is public; null if there is none. */
  logoUrl(id: string): Promise<string | null>;
}

interface Parts extends PageParts {
  /** Path of embedded sessions as browsers see it. `root` is the path of the files of their pages. */
  readonly embedRoot: string;
}

export function createEmbeddedPages(parts: Parts): EmbeddedPages {
  const { store, engine, browsers, root } = parts;
  const message = (request: PageRequest, status: number, kind: Message) => messageResponse(root, request, status, kind);

  /** A session whose origin is still registered for its application, or null. */
  async function known(id: string): Promise<EmbedSession | null> {
    const found = await embedSession(store, id);
    const client = found && (await authorizingClient(store, found.clientId));
    return client && isRegistered(client, found, store.publicUrl) ? found : null;
  }

  async function unusable(id: string, request: PageRequest): Promise<HttpResponse> {
    const found = await known(id);
    return found ? unusablePage(root, request, found) : message(request, 404, 'missing');
  }

  /** Does the work with the session of a form. If it cannot be used, responds with a message. */
  async function withSession(
    id: string,
    request: PageRequest,
    secret: string,
    work: SessionWork,
  ): Promise<HttpResponse> {
    const session = await sessionOfBrowser(parts, id, ofEmbedded(secret));
    if (typeof session === 'string') return unusable(id, request);
    return work(session, sessionFrame(session, request, root, { path: `${parts.embedRoot}/${id}`, token: secret }));
  }

  return {
    async first(id, request) {
      if (!isFrame(request)) return message(request, 403, 'unframed');
      const found = await known(id);
      if (!found) return message(request, 404, 'missing');
      if (!found.isNew || found.isClosed) return unusablePage(root, request, found);
      return firstPage(root, request, { path: `${parts.embedRoot}/${id}`, origin: found.origin });
    },
    async open(id, request, { token = '' }) {
      if (!browsers.isOwnPage(request.headers)) return message(request, 403, 'forged');
      const found = await known(id);
      const content = found && (await firstContent(engine, store, found));
      if (!content) return unusable(id, request);
      const { secret } = browsers.newSecret();
      const opening = { id, token, browser: ofEmbedded(secret), content: JSON.stringify(content) };
      if (!(await openEmbedSession(store, opening))) return unusable(id, request);
      return withSession(id, request, secret, (session, frame) => currentPage(engine, session, frame, ''));
    },
    async act(id, action, request, form) {
      const { token = '', search = '' } = form;
      if (!browsers.isOwnPage(request.headers)) return message(request, 403, 'forged');
      const show: SessionWork = (session, frame) => currentPage(engine, session, frame, search);
      if (action === 'show') return withSession(id, request, token, show);
      if (action === 'progress') return withSession(id, request, token, progressPart);
      const act = sessionAction(action);
      if (!act) return message(request, 404, 'missing');
      return withSession(id, request, token, async (session, frame) => {
        const outcome = await act(parts, { session, frame, form, request });
        return outcome === 'current' ? withSession(id, request, token, show) : outcome;
      });
    },
    async logoUrl(id) {
      const found = await known(id);
      const client = found && (await authorizingClient(store, found.clientId));
      return client && logoOf({ client });
    },
  };
}

/** Keeps the secrets of embedded sessions separate from those of cookies: neither is ever valid in place of the other. */
function ofEmbedded(secret: string): string {
  return `embed ${secret}`;
}

/** Whether a browser requests a document for a frame. Browsers that do not report it are allowed. */
function isFrame({ headers }: PageRequest): boolean {
  const destination = headers['sec-fetch-dest'];
  return destination === undefined || destination === 'iframe' || destination === 'frame';
}

/** The content of a session that is being opened; null if its connection no longer exists. */
async function firstContent(engine: Engine, store: Store, found: EmbedSession): Promise<Content | null> {
  const { origin, endCustomerId, applicationId, connectionId, platforms } = found;
  const [only, ...others] = platforms ?? [];
  const request: EmbedRequest = {
    ...{ origin, endCustomerId, platforms: platforms ?? undefined },
    platform: others.length === 0 ? only : undefined,
  };
  if (connectionId === null) return { request, platform: request.platform };
  const connection = await engine.authorizedConnectionsOf(store.application(applicationId)).connection(connectionId);
  return connection && { request: { ...request, connectionId }, platform: connection.platform };
}
