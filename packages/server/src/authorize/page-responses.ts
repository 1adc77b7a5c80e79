import { contentPolicy } from '../content-policy.ts';
import type { HttpResponse } from '../http-response.ts';
import { type AuthorizationRequest, redirectAddress } from './authorization-request.ts';
import type { BrowserSession, Unusable } from './browser-session.ts';
import type { Catalog } from './catalog/en.ts';
import { isEmbedded } from './embed-request.ts';
import { catalogs, languageOf, preferredLanguage } from './language.ts';
import type { PageRequest } from './page-request.ts';
import type { AuthorizationError, RequestFault } from './request-faults.ts';
import { isSetup } from './setup-request.ts';
import { messagePage } from './views/layout.ts';

/** Messages that can be shown without a session. */
export type Message = 'limited' | 'broken' | 'missing' | 'forged' | 'unframed' | Unusable;

interface MessageTexts {
  readonly title: string;
  readonly lead: string;
}

function messageTexts(texts: Catalog): Readonly<Record<Message, MessageTexts>> {
  return {
    limited: { title: texts.limitedTitle, lead: texts.limited },
    broken: { title: texts.brokenTitle, lead: texts.broken },
    missing: { title: texts.missingTitle, lead: texts.ended },
    forged: { title: texts.brokenTitle, lead: texts.forged },
    unframed: { title: texts.unframedTitle, lead: texts.unframed },
    foreign: { title: texts.endedTitle, lead: texts.foreign },
    ended: { title: texts.endedTitle, lead: texts.ended },
  };
}

/** A page with a message, for requests that have no session. `root` is the path of the pages. */
export function messageResponse(root: string, request: PageRequest, status: number, kind: Message): HttpResponse {
  const language = preferredLanguage(request);
  return page(messagePage({ language, root }, messageTexts(catalogs[language])[kind]), status);
}

/** The page for a request whose client or redirect URI is wrong, or another part, if its redirect URI cannot be used. */
export function refusedPage(
  root: string,
  request: PageRequest,
  reason: 'client' | 'redirect' | RequestFault,
): HttpResponse {
  const wanted = new URLSearchParams(request.queryText).get('locale') ?? undefined;
  const language = languageOf(wanted) ?? preferredLanguage(request);
  const texts = catalogs[language];
  const known = { client: texts.unknownClient, redirect: texts.unknownRedirect };
  const detail = typeof reason === 'string' ? known[reason] : texts.invalidRequest(reason.description);
  return page(messagePage({ language, root }, { title: texts.refusedTitle, lead: texts.refusedLead, detail }), 400);
}

/** A page from which the browser can go only to this server and, at the end, to the application. */
export function sessionPage({ content }: BrowserSession, text: string, status = 200): HttpResponse {
  const { request } = content;
  if (isEmbedded(request)) return page(text, status, { embedder: request.origin });
  if (isSetup(request)) return page(text, status);
  return page(text, status, { formTarget: formTargetOf(request.redirectUri) });
}

/** What a policy calls the target of a redirect: its origin, or the protocol of a program, such as `cursor:`. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}

/** Origins besides this server that a page may interact with. */
interface Reach {
  /** Where its forms may lead besides this server. */
  readonly formTarget?: string | undefined;
  /** Origin whose pages can embed it, if any. */
  readonly embedder?: string | undefined;
}

/** A page, or a part of one. */
export function page(text: string, status = 200, reach: Reach = {}): HttpResponse {
  return { status, type: 'text/html; charset=utf-8', headers: pageHeaders(reach), body: text };
}

export function redirect(address: string, status = 303, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, headers: { ...pageHeaders({}), ...headers, Location: address } };
}

/** The redirect that returns an error of a session to the application. */
export function returnedError(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  publicUrl: string,
  error: AuthorizationError,
  description: string,
): HttpResponse {
  return redirect(redirectAddress(redirectUri, { error, error_description: description, state }, publicUrl));
}

/** Browsers apply `form-action` also to the redirects that follow a form. */
function pageHeaders({ formTarget = '', embedder }: Reach): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentPolicy(`'self' ${formTarget}`.trim(), embedder),
    // This header cannot name an origin.
    ...(embedder === undefined && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
}
