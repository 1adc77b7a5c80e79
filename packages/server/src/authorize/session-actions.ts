import { initialProgress, type Settings, settingsOfForm } from '@unified/engine';
import { countAuthorizationCheck, endAuthorizationSession, saveAuthorization } from '@unified/store';
import type { Logger } from 'pino';
import { enteredValues } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession, Content } from './browser-session.ts';
import { offers } from './embed-request.ts';
import { catalogs, languageOf } from './language.ts';
import type { RunningChecks } from './running-checks.ts';
import { type EndingParts, endingOf, type SentForm } from './session-endings.ts';
import { consentPage, isConnectedAlready, platformOf, settingsPage } from './session-pages.ts';
import { settingsIn } from './views/form-field.ts';

/** Services that the actions of sessions use. */
export interface ActionParts extends EndingParts {
  readonly checks: RunningChecks;
  readonly logger: Logger;
}

/** What a browser is shown after an action: the page of the session in its current state, or a specific response. */
type Outcome = 'current' | HttpResponse;

/** Carries out the action of a form. */
type Action = (parts: ActionParts, sent: SentForm) => Promise<Outcome>;

/** The action with this name, which is the last segment of the address of a form; undefined if there is none. */
export function sessionAction(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  language: setLanguage,
  platform: choosePlatform,
  choose: forgetPlatform,
  edit: forgetCheck,
  settings: enterSettings,
  check: repeatCheck,
  allow,
  cancel,
};

/** Stores the language that the end user chose. */
async function setLanguage({ store }: ActionParts, { session, form }: SentForm): Promise<Outcome> {
  const language = languageOf(form.language);
  await saveAuthorization(store, session.stored, JSON.stringify({ ...session.content, language }), {
    keepsCheck: true,
  });
  return 'current';
}

/** Returns to the settings of a system that was checked. */
async function forgetCheck(parts: ActionParts, { session }: SentForm): Promise<Outcome> {
  await setContent(parts, session, {});
  return 'current';
}

/**
 * Stores a change to what will be connected, so that an earlier check no longer counts. Returns the changed session, or null if
 * another tab has changed or ended it in the meantime.
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

async function choosePlatform(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  const { session, form } = sent;
  const { platform = '' } = form;
  const isOffered = offers(session.content.request, platform) && session.connections.offered(platform);
  if (!isPlatformFixed(session) && isOffered) await setContent(parts, session, { platform, settings: undefined });
  return 'current';
}

async function forgetPlatform(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  if (!isPlatformFixed(sent.session))
    await setContent(parts, sent.session, { platform: undefined, settings: undefined });
  return 'current';
}

function isPlatformFixed({ content: { request } }: BrowserSession): boolean {
  return request.platform !== undefined || request.connectionId !== undefined;
}

/** Stores the settings that were entered, and starts their check. */
async function enterSettings(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  const { session, frame, form } = sent;
  const platform = platformOf(session);
  if (!platform) return 'current';
  const settings = settingsOfForm(platform, settingsIn(form));
  const problems = session.connections.problems(platform, settings);
  const wrong = new Set(problems.map(({ setting }) => setting.split('.')[0] ?? ''));
  if (wrong.size > 0) return settingsPage(session, frame, platform, { settings, wrong });
  const texts = catalogs[frame.language];
  // Done before the comparison, so that the address of the connection cannot be guessed either.
  if (!(await countAuthorizationCheck(parts.store, session.stored.id)))
    return settingsPage(session, frame, platform, { settings, error: texts.tooMany });
  if (await isOtherSystem(session, settings))
    return settingsPage(session, frame, platform, { settings, error: texts.otherSystem });
  const changed = await setContent(parts, session, { settings });
  return changed ? startCheck(parts, { ...sent, session: changed }) : 'current';
}

/** Whether a connection is being renewed, but these settings lead to another system. */
async function isOtherSystem({ content, connections }: BrowserSession, settings: Settings): Promise<boolean> {
  const { connectionId } = content.request;
  if (connectionId === undefined) return false;
  return !(await connections.isSystemOf(connectionId, settings));
}

async function repeatCheck(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  const { session, frame } = sent;
  const platform = platformOf(session);
  if (!platform) return 'current';
  if (await countAuthorizationCheck(parts.store, session.stored.id)) return startCheck(parts, sent);
  return settingsPage(session, frame, platform, enteredWith(session, catalogs[frame.language].tooMany));
}

async function startCheck({ checks }: ActionParts, sent: SentForm): Promise<Outcome> {
  const { session, frame } = sent;
  const platform = platformOf(session);
  if (!platform || !session.content.settings) return 'current';
  if (await checks.start(session, initialProgress(platform))) return 'current';
  return settingsPage(session, frame, platform, enteredWith(session, catalogs[frame.language].broken));
}

function enteredWith({ content }: BrowserSession, error: string) {
  return { settings: content.settings ?? {}, error };
}

/** The end user allows the use of the system that was checked. This ends the session. */
async function allow(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  const { session, frame, form } = sent;
  const { progress, stored, forms } = session;
  const platform = platformOf(session);
  if (!platform || progress?.phase !== 'accepted') return 'current';
  // Another tab has checked a system that this page does not show.
  if (form.check !== undefined && form.check !== stored.checkId) return 'current';
  const allowDuplicate = form.connectAgain === 'yes';
  if (!allowDuplicate && (await isConnectedAlready(session)))
    return consentPage(session, frame, { platform, progress, isUnconfirmed: true });
  const entered = enteredValues(forms.all, settingsIn(form));
  if (entered.wrong.size > 0) return consentPage(session, frame, { platform, progress, entered });
  if (!(await endAuthorizationSession(parts.store, stored))) return 'current';
  const ending = endingOf(parts, sent);
  try {
    return await ending.allow({ values: entered.values, allowDuplicate });
  } catch (err) {
    parts.logger.error({ err, session: stored.id }, 'authorization failed');
    return ending.failed();
  }
}

async function cancel(parts: ActionParts, sent: SentForm): Promise<Outcome> {
  if (!(await endAuthorizationSession(parts.store, sent.session.stored))) return 'current';
  return endingOf(parts, sent).cancelled();
}
