import type { Engine } from '@unified/engine';
import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { HttpResponse } from '../http-response.ts';
import { beginAuthorization } from './begin-authorization.ts';
import type { Browsers } from './browser.ts';
import { type BrowserSession, sessionOfBrowser } from './browser-session.ts';
import type { Form, PageRequest } from './page-request.ts';
import { type Message, messageResponse, redirect } from './page-responses.ts';
import type { RunningChecks } from './running-checks.ts';
import { sessionAction } from './session-actions.ts';
import { logoOf, sessionFrame } from './session-frame.ts';
import { currentPage, progressPart } from './session-pages.ts';
import type { Frame } from './views/layout.ts';

/** The pages on which end users connect their systems, and authorize an application to use them. */
export interface AuthorizationPages {
  /** Responds to an authorization request: creates a session and redirects to its page, or refuses the request. */
  begin(request: PageRequest): Promise<HttpResponse>;
  /** The page of a session in its current state. */
  show(id: string, request: PageRequest): Promise<HttpResponse>;
  /** The part of that page that changes during a check. */
  progress(id: string, request: PageRequest): Promise<HttpResponse>;
  /** Carries out an action of a form, then redirects to the page of the session, or back to the application. */
  act(id: string, action: string, request: PageRequest, form: Form): Promise<HttpResponse>;
  /** The logo of the application of a session. */
  logoUrl(id: string, request: PageRequest): Promise<string | null>;
  /** A page with a message, for requests that have no session. */
  message(request: PageRequest, status: number, kind: Message): HttpResponse;
}

interface Parts {
  readonly store: Store;
  readonly engine: Engine;
  readonly browsers: Browsers;
  readonly checks: RunningChecks;
  readonly publicUrl: string;
  /** Path of the pages as browsers see it. */
  readonly root: string;
  readonly logger: Logger;
}

type Work = (session: BrowserSession, frame: Frame) => HttpResponse | Promise<HttpResponse>;

export function createAuthorizationPages(parts: Parts): AuthorizationPages {
  const { engine, browsers, root } = parts;
  const message: AuthorizationPages['message'] = (request, status, kind) =>
    messageResponse(root, request, status, kind);

  /** Does the work with a session of the browser; responds with a message if there is none. */
  async function withSession(id: string, request: PageRequest, work: Work): Promise<HttpResponse> {
    const secret = browsers.secretOf(request.headers);
    const session = await sessionOfBrowser(parts, id, secret);
    if (session === 'foreign' || secret === undefined) return message(request, 403, 'foreign');
    if (session === 'ended') return message(request, 410, 'ended');
    const at = { path: `${root}/${id}`, token: browsers.formToken(secret, id) };
    return work(session, sessionFrame(session, request, root, at));
  }

  return {
    message,
    begin: (request) => beginAuthorization(parts, request),
    show: (id, request) =>
      withSession(id, request, (session, frame) => {
        const search = new URLSearchParams(request.queryText).get('search') ?? '';
        return currentPage(engine, session, frame, search);
      }),
    progress: (id, request) => withSession(id, request, progressPart),
    act: (id, action, request, form) =>
      withSession(id, request, async (session, frame) => {
        if (!browsers.isOwn(request.headers, form.token, frame.session.token)) return message(request, 403, 'forged');
        const act = sessionAction(action);
        if (!act) return message(request, 404, 'missing');
        const outcome = await act(parts, { session, frame, form, request });
        return outcome === 'current' ? redirect(frame.session.path) : outcome;
      }),
    async logoUrl(id, request) {
      const session = await sessionOfBrowser(parts, id, browsers.secretOf(request.headers));
      return typeof session === 'string' ? null : logoOf(session);
    },
  };
}
