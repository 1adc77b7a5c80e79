import type { Platform } from '@unified/connectors';
import { type CheckProgress, type Engine, type SettingField, type Settings, settingFields } from '@unified/engine';
import { type EnteredValues, initialValues, sectionsOf } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession } from './browser-session.ts';
import { offers } from './embed-request.ts';
import { platformIn, settingIn } from './language.ts';
import { page, sessionPage } from './page-responses.ts';
import { allowPage } from './views/allow-page.ts';
import { checkList, checkPage } from './views/check-page.ts';
import { choosePage } from './views/choose-page.ts';
import type { Frame } from './views/layout.ts';
import { signInPage } from './views/sign-in-page.ts';

/** The page of a session in its current state. `search` filters the list of systems. */
export async function currentPage(
  engine: Engine,
  session: BrowserSession,
  frame: Frame,
  search: string,
): Promise<HttpResponse> {
  const { content, progress, stored } = session;
  const platform = platformOf(session);
  if (!platform) {
    const offered = engine.platforms().filter(({ id }) => offers(content.request, id));
    const choices = offered.map((each) => platformIn(frame.language, each));
    return sessionPage(session, choosePage(frame, choices, search.slice(0, 100)));
  }
  if (progress?.phase === 'accepted' && content.settings) return consentPage(session, frame, { platform, progress });
  if (progress) {
    const { name: system } = platformIn(frame.language, platform);
    const check = { system, progress, isInterrupted: isInterrupted(progress, stored.idleSeconds) };
    return sessionPage(session, checkPage(frame, check));
  }
  return settingsPage(session, frame, platform);
}

/** The platform that the end user has chosen; undefined if there is none, or it can no longer be used. */
export function platformOf({ content, connections }: BrowserSession): Platform | undefined {
  return content.platform === undefined ? undefined : connections.platform(content.platform);
}

/** The part of the page that changes during a check. */
export function progressPart({ progress, stored }: BrowserSession, { language }: Frame): HttpResponse {
  if (progress === null) return { status: 204 };
  return page(checkList(language, { progress, isInterrupted: isInterrupted(progress, stored.idleSeconds) }).text);
}

/** What was entered in the form of a system, and why it cannot be checked. */
export interface Entered {
  readonly settings: Settings;
  /** Names of the settings with an error. */
  readonly wrong?: ReadonlySet<string>;
  /** An error that does not belong to a single setting. */
  readonly error?: string;
}

/** The form in which the end user enters the settings of a system: the stored ones, or those that were just entered. */
export function settingsPage(
  session: BrowserSession,
  frame: Frame,
  platform: Platform,
  entered?: Entered,
): HttpResponse {
  const { content } = session;
  const { request } = content;
  const fields = settingFields(platform).map((field) => settingIn(frame.language, platform.id, field));
  const settings = entered?.settings ?? content.settings ?? {};
  const values = withoutSecrets(fields, settings);
  const form = {
    ...{
      system: platformIn(frame.language, platform).name,
      fields,
      values,
      wrong: entered?.wrong ?? new Set<string>(),
      error: entered?.error,
    },
    isRepeated: content.settings !== undefined || Object.keys(values).length < Object.keys(settings).length,
    isRenewal: request.connectionId !== undefined,
    canGoBack: request.connectionId === undefined && request.platform === undefined,
  };
  return sessionPage(session, signInPage(frame, form), entered ? 422 : 200);
}

/** A system that was checked, and why the end user sees the page again. */
interface Checked {
  readonly platform: Platform;
  readonly progress: CheckProgress;
  /** Whether a second connection to the system was not confirmed. */
  readonly isUnconfirmed?: boolean;
  /** What was entered in the settings forms, if it has errors. */
  readonly entered?: EnteredValues;
}

/** The page on which the end user allows the use of a system that was checked. */
export async function consentPage(
  session: BrowserSession,
  frame: Frame,
  { platform, progress, isUnconfirmed = false, entered }: Checked,
): Promise<HttpResponse> {
  const { content, stored } = session;
  const consent = {
    ...{
      platform: platformIn(frame.language, platform),
      checkId: stored.checkId ?? '',
      previews: progress.previews,
      isUnconfirmed,
    },
    isRenewal: content.request.connectionId !== undefined,
    isConnectedAlready: await isConnectedAlready(session),
    sections: sectionsOf(session.forms.all),
    entered: entered ?? { values: initialValues(session.forms.all, session.forms.saved), wrong: new Set<string>() },
  };
  return sessionPage(session, allowPage(frame, consent), isUnconfirmed || entered ? 422 : 200);
}

/** Whether the application already has a connection to the system of a session, and would get a second one. */
export async function isConnectedAlready({ content, connections }: BrowserSession): Promise<boolean> {
  const { request, platform = '', settings = {} } = content;
  if (request.connectionId !== undefined) return false;
  return (await connections.connectionsTo(platform, settings)).length > 0;
}

/** Seconds without progress after which a check is considered interrupted: more than a whole check may take. */
const INTERRUPTED_SECONDS = 150;

/** Whether there has been no progress for so long that the process of the check must have ended. */
function isInterrupted({ phase }: CheckProgress, idleSeconds: number): boolean {
  return phase !== 'accepted' && phase !== 'refused' && idleSeconds > INTERRUPTED_SECONDS;
}

function withoutSecrets(fields: readonly SettingField[], settings: Settings): Readonly<Record<string, unknown>> {
  const secrets = new Set(fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.has(name)));
}
