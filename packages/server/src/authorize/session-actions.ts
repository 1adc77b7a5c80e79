import { ServiceError } from '@unified/contract';
import { initialProgress, settingsOfForm } from '@unified/engine';
import { countAuthorizationCheck, endAuthorizationSession, type Store, saveAuthorization } from '@unified/store';
import type { Logger } from 'pino';
import { enteredValues } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import { type AuthorizationRequest, redirectAddress } from './authorization-request.ts';
import type { BrowserSession, Content, Settings } from './browser-session.ts';
import { isEmbedded, offers } from './embed-request.ts';
import { connectEmbedded } from './embedded-connection.ts';
import { cancelledPage, failedPage } from './embedded-messages.ts';
import { catalogs, type Language, languageOf } from './language.ts';
import type { Form, PageRequest } from './page-request.ts';
import { redirect, returnedError } from './page-responses.ts';
import type { RunningChecks } from './running-checks.ts';
import { consentPage, isConnectedAlready, settingsPage } from './session-pages.ts';
import type { Frame } from './views/layout.ts';

/** Services that the actions of sessions use. */
export interface ActionParts {
  readonly store: Store;
  readonly checks: RunningChecks;
  readonly publicUrl: string;
  readonly logger: Logger;
}

/** A form of a session, which was sent by one of its pages. */
interface Sent {
  readonly session: BrowserSession;
  readonly frame: Frame;
  readonly form: Form;
  readonly request: PageRequest;
}

/** Carries out the action of a form. Returns a redirect to the page of the session or to the application, or a page with an error. */
type Action = (parts: ActionParts, sent: Sent) => Promise<HttpResponse>;

/** The action with this name, which is the last segment of the address of a form; undefined if there is none. */
export function sessionAction(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  language: async (parts, sent) => {
    await setLanguage(parts, sent.session, languageOf(sent.form.language));
    return current(sent);
  },
  platform: choosePlatform,
  choose: forgetPlatform,
  edit: async (parts, sent) => {
    await setContent(parts, sent.session, {});
    return current(sent);
  },
  settings: enterSettings,
  check: repeatCheck,
  allow,
  cancel,
};

/** The redirect to the page of the session in its current state. */
function current({ frame }: Sent): HttpResponse {
  return redirect(frame.session.path);
}

/** Stores the language that the end user chose. */
async function setLanguage(
  { store }: ActionParts,
  { stored, content }: BrowserSession,
  language: Language | undefined,
) {
  await saveAuthorization(store, stored, JSON.stringify({ ...content, language }), { keepsCheck: true });
}

/**
 * Stores a change of what will be connected, so that an earlier check no longer counts. Returns the changed session, or null
 * if another tab has changed or ended it in the meantime.
 */
async function setContent(
  { store }: ActionParts,
  session: BrowserSession,
  change: Partial<Pick<Content, 'platform' | 'settings'>>,
): Promise<BrowserSession | null> {
  const content = { ...session.content, ...change };
  const stored = await saveAuthorization(store, session.stored, JSON.stringify(content));
  return stored && { ...session, stored, content, progress: null };
}

async function choosePlatform(parts: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, form } = sent;
  const { platform = '' } = form;
  const isOffered = offers(session.content.request, platform) && session.connections.offered(platform);
  if (!isPlatformFixed(session) && isOffered) await setContent(parts, session, { platform, settings: undefined });
  return current(sent);
}

async function forgetPlatform(parts: ActionParts, sent: Sent): Promise<HttpResponse> {
  if (!isPlatformFixed(sent.session))
    await setContent(parts, sent.session, { platform: undefined, settings: undefined });
  return current(sent);
}

function isPlatformFixed({ content: { request } }: BrowserSession): boolean {
  return request.platform !== undefined || request.connectionId !== undefined;
}

/** Stores the settings that were entered, and starts their check. */
async function enterSettings(parts: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, frame, form } = sent;
  const platform = session.connections.platform(session.content.platform ?? '');
  if (!platform) return current(sent);
  const settings = settingsOfForm(platform, form);
  const problems = session.connections.problems(platform, settings);
  const wrong = new Set(problems.map(({ setting }) => setting.split('.')[0] ?? ''));
  if (wrong.size > 0) return settingsPage(session, frame, { settings, wrong });
  const texts = catalogs[frame.language];
  // Before the comparison, so that the address of the connection cannot be guessed either.
  if (!(await countAuthorizationCheck(parts.store, session.stored.id)))
    return settingsPage(session, frame, { settings, error: texts.tooMany });
  if (await isOtherSystem(session, settings))
    return settingsPage(session, frame, { settings, error: texts.otherSystem });
  const changed = await setContent(parts, session, { settings });
  return changed ? startCheck(parts, { ...sent, session: changed }) : current(sent);
}

/** Whether a connection is renewed, and these settings lead to a system other than its own. */
async function isOtherSystem({ content, connections }: BrowserSession, settings: Settings): Promise<boolean> {
  const { connectionId } = content.request;
  if (connectionId === undefined) return false;
  return !(await connections.isSystemOf(connectionId, settings));
}

async function repeatCheck(parts: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, frame } = sent;
  if (await countAuthorizationCheck(parts.store, session.stored.id)) return startCheck(parts, sent);
  return settingsPage(session, frame, enteredWith(session, catalogs[frame.language].tooMany));
}

async function startCheck({ checks }: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, frame } = sent;
  const { platform: id = '', settings } = session.content;
  const platform = session.connections.platform(id);
  if (!platform || !settings) return current(sent);
  if (await checks.start(session, initialProgress(platform))) return current(sent);
  return settingsPage(session, frame, enteredWith(session, catalogs[frame.language].broken));
}

function enteredWith({ content }: BrowserSession, error: string) {
  return { settings: content.settings ?? {}, error };
}

/** The end user allows the use of the system that was checked: ends the session, and returns a code to the application. */
async function allow(parts: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, frame, form } = sent;
  if (session.progress?.phase !== 'accepted') return current(sent);
  // Another tab has checked a system that this page does not show.
  if (form.check !== undefined && form.check !== session.stored.checkId) return current(sent);
  if (form.connectAgain !== 'yes' && (await isConnectedAlready(session)))
    return consentPage(session, frame, { isUnconfirmed: true });
  const entered = enteredValues(session.forms.all, form);
  if (entered.wrong.size > 0) return consentPage(session, frame, { entered });
  if (!(await endAuthorizationSession(parts.store, session.stored))) return current(sent);
  const { request } = session.content;
  try {
    if (isEmbedded(request))
      return await connectEmbedded(parts.store, session, frame, {
        ...{ request, values: entered.values, sentBy: sent.request },
      });
    return await returnedCode(parts, sent, request);
  } catch (err) {
    if (err instanceof ServiceError && err.code === 'SERVICE_RATE_LIMITED' && !isEmbedded(request))
      return returnedError(request, parts.publicUrl, 'temporarily_unavailable', err.message);
    parts.logger.error({ err, session: session.stored.id }, 'authorization failed');
    if (isEmbedded(request)) return failedPage(frame);
    return returnedError(request, parts.publicUrl, 'server_error', 'The authorization failed. Start again.');
  }
}

/** Issues a code for the system. The connection is stored when the application redeems it. */
async function returnedCode(
  { publicUrl }: ActionParts,
  { session: { content, client, connections }, request: sent }: Sent,
  request: AuthorizationRequest,
): Promise<HttpResponse> {
  const { platform = '', settings = {} } = content;
  const { redirectUri, challenge, connectionId, state } = request;
  const system = { platform, settings, connectionId };
  const sentBy = { requestId: sent.requestId, address: sent.address };
  const code = await connections.authorize(system, { clientId: client.id, redirectUri, challenge }, sentBy);
  return redirect(redirectAddress(redirectUri, { code, state }, publicUrl));
}

async function cancel({ store, publicUrl }: ActionParts, sent: Sent): Promise<HttpResponse> {
  const { session, frame } = sent;
  const { request } = session.content;
  if (!(await endAuthorizationSession(store, session.stored))) return current(sent);
  if (isEmbedded(request)) return cancelledPage(frame);
  return returnedError(request, publicUrl, 'access_denied', 'The end user cancelled the authorization.');
}
