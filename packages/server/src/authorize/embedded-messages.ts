import type { EmbedSession } from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import { catalogs, preferredLanguage } from './language.ts';
import type { PageRequest } from './page-request.ts';
import { page } from './page-responses.ts';
import { type Frame, messagePage, type ParentMessage } from './views/layout.ts';
import { openingPage } from './views/opening-page.ts';

/**
 * The page that ends an embedded session: its dialog closes, and the application is notified of the connection that was
 * created.
 */
export function connectedPage(frame: Frame, connectionId: string): HttpResponse {
  const texts = catalogs[frame.language];
  const lead = texts.connected(frame.appearance.name);
  return lastPage(frame, { title: texts.connectedTitle, lead }, { event: 'success', connectionId });
}

/** The same for an end user who has cancelled. */
export function cancelledPage(frame: Frame): HttpResponse {
  const texts = catalogs[frame.language];
  return lastPage(frame, { title: texts.endedTitle, lead: texts.ended }, { event: 'exit', reason: 'cancelled' });
}

/** The same for a connection that could not be stored. The end user reads it and closes the dialog. */
export function failedPage(frame: Frame): HttpResponse {
  const texts = catalogs[frame.language];
  return lastPage(frame, { title: texts.brokenTitle, lead: texts.broken }, { event: 'ended' });
}

interface Texts {
  readonly title: string;
  readonly lead: string;
}

function lastPage(frame: Frame, texts: Texts, message: ParentMessage): HttpResponse {
  return page(messagePage({ ...frame, message }, texts), 200, { embedder: frame.embedder });
}

/** The page for a session that cannot be used, with the message of the application if it has closed its embedded pages. */
export function unusablePage(
  root: string,
  request: PageRequest,
  { isClosed, reason, origin }: EmbedSession,
): HttpResponse {
  const language = preferredLanguage(request);
  const texts = catalogs[language];
  const closed = { title: texts.closedTitle, lead: reason ?? texts.closed };
  const shown = isClosed ? closed : { title: texts.endedTitle, lead: texts.ended };
  const framed = { language, root, embedder: origin, message: { event: 'ended' } } as const;
  return page(messagePage(framed, shown), 410, { embedder: origin });
}

/** The first page of a session, which sends the token in its address. */
export function firstPage(
  root: string,
  request: PageRequest,
  session: { readonly path: string; readonly origin: string },
): HttpResponse {
  const { path, origin } = session;
  const language = preferredLanguage(request);
  return page(openingPage({ language, root, embedder: origin }, path), 200, { embedder: origin });
}
