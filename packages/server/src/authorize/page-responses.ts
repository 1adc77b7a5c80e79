import { contentPolicy } from '../content-policy.ts';
import type { HttpResponse } from '../http-response.ts';
import { type AuthorizationError, redirectAddress } from './authorization-request.ts';
import type { BrowserSession, Unusable } from './browser-session.ts';
import type { Catalog } from './catalog/en.ts';
import { catalogs, languageOf, preferredLanguage } from './language.ts';
import type { PageRequest } from './page-request.ts';
import { messagePage } from './views/layout.ts';

/** Messages that can be shown without a session. */
export type Message = 'limited' | 'broken' | 'missing' | 'forged' | Unusable;

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
    foreign: { title: texts.endedTitle, lead: texts.foreign },
    ended: { title: texts.endedTitle, lead: texts.ended },
  };
}

/** A page with a message, for requests that have no session. `root` is the path of the pages. */
export function messageResponse(root: string, { headers }: PageRequest, status: number, kind: Message): HttpResponse {
  const language = preferredLanguage(headers['accept-language'] as string | undefined);
  return page(messagePage({ language, root }, messageTexts(catalogs[language])[kind]), status);
}

/** The page for a request whose client or redirect URI is wrong. */
export function refusedPage(
  root: string,
  { headers, queryText }: PageRequest,
  reason: 'client' | 'redirect',
): HttpResponse {
  const wanted = new URLSearchParams(queryText).get('locale') ?? undefined;
  const language = languageOf(wanted) ?? preferredLanguage(headers['accept-language'] as string | undefined);
  const texts = catalogs[language];
  const detail = reason === 'client' ? texts.unknownClient : texts.unknownRedirect;
  return page(messagePage({ language, root }, { title: texts.refusedTitle, lead: texts.refusedLead, detail }), 400);
}

/** A page from which the browser may go nowhere but to this server and, at the end, to the application. */
export function sessionPage({ content }: BrowserSession, text: string, status = 200): HttpResponse {
  return page(text, status, new URL(content.request.redirectUri).origin);
}

/** A page, or a part of one. `formTarget` is an origin that forms may lead to besides this server. */
export function page(text: string, status = 200, formTarget = ''): HttpResponse {
  return { status, type: 'text/html; charset=utf-8', headers: pageHeaders(formTarget), body: text };
}

export function redirect(address: string, status = 303, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, headers: { ...pageHeaders(''), ...headers, Location: address } };
}

/** The redirect that returns an error of a session to the application. */
export function returnedError(
  { content }: BrowserSession,
  publicUrl: string,
  error: AuthorizationError,
  description: string,
): HttpResponse {
  const { redirectUri, state } = content.request;
  return redirect(redirectAddress(redirectUri, { error, error_description: description, state }, publicUrl));
}

/** Browsers apply `form-action` to the redirects that follow a form as well. */
function pageHeaders(formTarget: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentPolicy(`'self' ${formTarget}`.trim()),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
}
