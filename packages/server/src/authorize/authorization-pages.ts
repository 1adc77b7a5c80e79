import type { HttpResponse } from '../http-response.ts';
import { beginAuthorization } from './begin-authorization.ts';
import { sessionOfBrowser } from './browser-session.ts';
import type { PageParts, SessionWork } from './page-parts.ts';
import type { Form, PageRequest } from './page-request.ts';
import { type Message, messageResponse, redirect } from './page-responses.ts';
import { sessionAction } from './session-actions.ts';
import { logoOf, sessionFrame } from './session-frame.ts';
import { currentPage, progressPart } from './session-pages.ts';

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

export function createAuthorizationPages(parts: PageParts): AuthorizationPages {
  const { engine, browsers, root } = parts;
  const message: AuthorizationPages['message'] = (request, status, kind) =>
    messageResponse(root, request, status, kind);

  /** Does the work with a session of the browser. If there is none, responds with a message. */
  async function withSession(id: string, request: PageRequest, work: SessionWork): Promise<HttpResponse> {
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
