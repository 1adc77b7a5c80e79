import { addressOf } from '@unified/contract';
import { type Engine, type Proof, type SettingField, settingFields, settingsOfForm, unproven } from '@unified/engine';
import {
  countAuthorizationCheck,
  endAuthorizationSession,
  issueAuthorizationCode,
  openAuthorizationSession,
  recordAudit,
  type Store,
  saveAuthorization,
} from '@unified/store';
import type { Logger } from 'pino';
import { contentPolicy } from '../content-policy.ts';
import type { HttpResponse } from '../http-response.ts';
import {
  type AuthorizationError,
  type ReadAuthorization,
  readAuthorizationRequest,
  redirectAddress,
} from './authorization-request.ts';
import type { Browsers, Headers } from './browser.ts';
import { catalogs, type Language, languageOf, preferredLanguage } from './language.ts';
import { type Content, type Opened, openSession, type Settings, type Unusable } from './open-session.ts';
import type { RunningChecks } from './running-checks.ts';
import { allowPage } from './views/allow-page.ts';
import { checkList, checkPage } from './views/check-page.ts';
import { choosePage } from './views/choose-page.ts';
import { type Appearance, type Frame, messagePage } from './views/layout.ts';
import { signInPage } from './views/sign-in-page.ts';

/** A request for a page. */
export interface PageRequest {
  readonly headers: Headers;
  /** The text after the `?`. */
  readonly queryText: string;
}

/** A form that was sent. Fields without a value are absent. */
export type Form = Readonly<Record<string, string>>;

/** The pages on which end users connect their systems, and authorize an application to use them. */
export interface AuthorizationPages {
  /** Responds to an authorization request: opens a session and redirects to its page, or refuses the request. */
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

/** Messages that can be shown without a session. */
export type Message = 'limited' | 'broken' | 'missing' | 'forged' | Unusable;

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

export function createAuthorizationPages(parts: Parts): AuthorizationPages {
  const { store, engine, browsers, checks, publicUrl, root } = parts;
  const pathOf = (id: string) => `${root}/${id}`;

  function message({ headers }: PageRequest, status: number, kind: Message): HttpResponse {
    const language = preferredLanguage(headers['accept-language'] as string | undefined);
    const texts = catalogs[language];
    const titles = {
      ...{ limited: texts.limitedTitle, broken: texts.brokenTitle, missing: texts.missingTitle },
      ...{ forged: texts.brokenTitle, foreign: texts.endedTitle, ended: texts.endedTitle },
    };
    const leads = { ...texts, missing: texts.ended };
    return page(messagePage({ language, root }, { title: titles[kind], lead: leads[kind] }), status);
  }

  async function withSession(
    id: string,
    request: PageRequest,
    work: (opened: Opened, frame: Frame) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const secret = browsers.secretOf(request.headers);
    const opened = await openSession(parts, id, secret);
    if (opened === 'foreign' || secret === undefined) return message(request, 403, 'foreign');
    if (opened === 'ended') return message(request, 410, 'ended');
    const session = { path: pathOf(id), token: browsers.formToken(secret, id) };
    return work(opened, {
      language: languageIn(opened.content, request),
      root,
      session,
      appearance: appearanceOf(opened),
    });
  }

  async function pageOf(opened: Opened, frame: Frame, queryText: string): Promise<HttpResponse> {
    const { content, proof, connections, stored } = opened;
    const platform = content.platform === undefined ? undefined : connections.platform(content.platform);
    if (!platform) {
      const search = new URLSearchParams(queryText).get('search') ?? '';
      return sessionPage(opened, choosePage(frame, engine.platforms(), search.slice(0, 100)));
    }
    if (proof?.phase === 'accepted' && content.settings) return consentPage(opened, frame);
    if (proof) {
      const check = { system: platform.name, proof, isInterrupted: isInterrupted(proof, stored.idleSeconds) };
      return sessionPage(opened, checkPage(frame, check));
    }
    return signIn(opened, frame);
  }

  function signIn(opened: Opened, frame: Frame, found: Partial<Entered> = {}): HttpResponse {
    const { content, connections } = opened;
    const platform = connections.platform(content.platform ?? '');
    if (!platform) return redirect(frame.session.path);
    const { request } = content;
    const fields = settingFields(platform);
    const status = found.wrong || found.error ? 422 : 200;
    const form = {
      ...{ system: platform.name, fields, values: found.values ?? content.settings ?? {} },
      ...{ wrong: found.wrong ?? new Set<string>(), error: found.error },
      isRepeated: content.settings !== undefined || (found.hasSecret ?? false),
      isRenewal: request.connectionId !== undefined,
      canGoBack: request.connectionId === undefined && request.platform === undefined,
    };
    return sessionPage(opened, signInPage(frame, form), status);
  }

  async function consentPage(opened: Opened, frame: Frame, isUnconfirmed = false): Promise<HttpResponse> {
    const { content, proof, connections } = opened;
    const platform = connections.platform(content.platform ?? '');
    if (!platform || !proof) return redirect(frame.session.path);
    const consent = {
      ...{ platform, previews: proof.previews, isUnconfirmed },
      isRenewal: content.request.connectionId !== undefined,
      isTwin: await isTwin(opened),
    };
    return sessionPage(opened, allowPage(frame, consent), isUnconfirmed ? 422 : 200);
  }

  async function isTwin({ content, connections }: Opened): Promise<boolean> {
    const { request, platform = '', settings = {} } = content;
    if (request.connectionId !== undefined) return false;
    return (await connections.connectionsTo(platform, settings)).length > 0;
  }

  /** The actions of forms. */
  const actions: Readonly<Record<string, (opened: Opened, frame: Frame, form: Form) => Promise<HttpResponse>>> = {
    async language(opened, frame, form) {
      return changed(opened, frame, { language: languageOf(form.language) });
    },
    async platform(opened, frame, { platform }) {
      const { request } = opened.content;
      const isFixed = request.platform !== undefined || request.connectionId !== undefined;
      if (isFixed || !opened.connections.offered(platform ?? '')) return redirect(frame.session.path);
      return changed(opened, frame, { platform, settings: undefined });
    },
    async choose(opened, frame) {
      const { request } = opened.content;
      if (request.platform !== undefined || request.connectionId !== undefined) return redirect(frame.session.path);
      return changed(opened, frame, { platform: undefined, settings: undefined });
    },
    edit: (opened, frame) => changed(opened, frame, {}),
    async settings(opened, frame, form) {
      const platform = opened.connections.platform(opened.content.platform ?? '');
      if (!platform) return redirect(frame.session.path);
      const settings = settingsOfForm(platform, form);
      const wrong = opened.connections.problems(platform, settings).map(({ setting }) => setting.split('.')[0] ?? '');
      const values = withoutSecrets(settingFields(platform), settings);
      const hasSecret = Object.keys(values).length < Object.keys(settings).length;
      if (wrong.length > 0) return signIn(opened, frame, { values, hasSecret, wrong: new Set(wrong) });
      const texts = catalogs[frame.language];
      // Before the comparison, so that the address of the connection cannot be guessed either.
      if (!(await countAuthorizationCheck(store, opened.stored.id)))
        return signIn(opened, frame, { values, hasSecret, error: texts.tooMany });
      if (await isOtherSystem(opened, settings))
        return signIn(opened, frame, { values, hasSecret, error: texts.otherSystem });
      const content = { ...opened.content, settings };
      await saveAuthorization(store, opened.stored.id, JSON.stringify(content));
      return check({ ...opened, content }, frame);
    },
    async check(opened, frame) {
      const isCounted = await countAuthorizationCheck(store, opened.stored.id);
      return isCounted ? check(opened, frame) : notChecked(opened, frame, catalogs[frame.language].tooMany);
    },
    async allow(opened, frame, form) {
      const { proof } = opened;
      if (proof?.phase !== 'accepted') return redirect(frame.session.path);
      if (form.twice !== 'yes' && (await isTwin(opened))) return consentPage(opened, frame, true);
      if (!(await endAuthorizationSession(store, opened.stored.id))) return redirect(frame.session.path);
      return allowed(opened);
    },
    async cancel(opened, frame) {
      if (!(await endAuthorizationSession(store, opened.stored.id))) return redirect(frame.session.path);
      return returned(opened, 'access_denied', 'The end user cancelled the authorization.');
    },
  };

  async function check(opened: Opened, frame: Frame): Promise<HttpResponse> {
    const { platform: id = '', settings } = opened.content;
    const platform = opened.connections.platform(id);
    if (!platform || !settings) return redirect(frame.session.path);
    const isStarted = await checks.start(opened, unproven(platform));
    return isStarted ? redirect(frame.session.path) : notChecked(opened, frame, catalogs[frame.language].broken);
  }

  /** The form with what was entered, and why it cannot be checked. */
  function notChecked(opened: Opened, frame: Frame, error: string): HttpResponse {
    const platform = opened.connections.platform(opened.content.platform ?? '');
    if (!platform) return redirect(frame.session.path);
    return signIn(opened, frame, {
      values: withoutSecrets(settingFields(platform), opened.content.settings ?? {}),
      error,
    });
  }

  /** Stores a change of a session; a check of the earlier content no longer counts. */
  async function changed(opened: Opened, frame: Frame, change: Partial<Content>): Promise<HttpResponse> {
    const keepsCheck = Object.keys(change).join() === 'language';
    const content = JSON.stringify({ ...opened.content, ...change });
    await saveAuthorization(store, opened.stored.id, content, { keepsCheck });
    return redirect(frame.session.path);
  }

  async function isOtherSystem({ content, connections }: Opened, settings: Settings): Promise<boolean> {
    const { connectionId } = content.request;
    if (connectionId === undefined) return false;
    const same = await connections.connectionsTo(content.platform ?? '', settings);
    return !same.some(({ id }) => id === connectionId);
  }

  /** The end user has allowed the use of a system: stores the connection and issues a code for it. */
  async function allowed(opened: Opened): Promise<HttpResponse> {
    const { content, client, connections } = opened;
    const { request, platform = '', settings = {} } = content;
    try {
      const connection = await connections.accept({ platform, settings, connectionId: request.connectionId });
      const target = { actor: client.id, target: connection.id };
      await recordAudit(store.application(client.applicationId), { ...target, action: 'connection.authorize' });
      const code = await issueAuthorizationCode(store, {
        ...{ clientId: client.id, connectionId: connection.id },
        ...{ redirectUri: request.redirectUri, challenge: request.challenge },
      });
      return redirect(redirectAddress(request.redirectUri, { code, state: request.state }, publicUrl));
    } catch (err) {
      parts.logger.error({ err, session: opened.stored.id }, 'authorization failed');
      return returned(opened, 'server_error', 'The connection could not be stored. Start again.');
    }
  }

  function returned({ content }: Opened, error: AuthorizationError, description: string): HttpResponse {
    const { redirectUri, state } = content.request;
    const parameters = { error, error_description: description, state };
    return redirect(redirectAddress(redirectUri, parameters, publicUrl));
  }

  return {
    message,
    async begin(request) {
      const read = await readAuthorizationRequest(store, request.queryText, publicUrl);
      if (read.kind === 'refused') return refusedPage(request, read.reason);
      if (read.kind === 'error') return redirect(errorAddress(read), 302);
      const begun = await firstContent(read);
      if (typeof begun === 'string') {
        const { redirectUri, state } = read.request;
        const error = { kind: 'error', error: 'invalid_request', description: begun, redirectUri, state } as const;
        return redirect(errorAddress(error), 302);
      }
      const known = browsers.secretOf(request.headers);
      const made = known === undefined ? browsers.newSecret() : undefined;
      const browser = known ?? made?.secret ?? '';
      const content = JSON.stringify(begun);
      const id = await openAuthorizationSession(store, { clientId: read.client.id, browser, content });
      // The public path is added to the addresses of all operations.
      return redirect(`${addressOf('authorize')}/${id}`, 302, made && { 'Set-Cookie': made.cookie });
    },
    show: (id, request) => withSession(id, request, (opened, frame) => pageOf(opened, frame, request.queryText)),
    progress: (id, request) =>
      withSession(id, request, async ({ proof, stored }, { language }) => {
        if (proof === null) return { status: 204 };
        return page(checkList(language, { proof, isInterrupted: isInterrupted(proof, stored.idleSeconds) }).text);
      }),
    act: (id, action, request, form) =>
      withSession(id, request, async (opened, frame) => {
        if (!browsers.isOwn(request.headers, form.token, frame.session.token)) return message(request, 403, 'forged');
        const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
        return act ? act(opened, frame, form) : message(request, 404, 'missing');
      }),
    async logoUrl(id, request) {
      const opened = await openSession(parts, id, browsers.secretOf(request.headers));
      return typeof opened === 'string' ? null : logoOf(opened);
    },
  };

  /** The content of a new session; a text: why there is none. */
  async function firstContent({
    client,
    request,
  }: Extract<ReadAuthorization, { kind: 'valid' }>): Promise<Content | string> {
    const connections = engine.authorizedConnectionsOf(store.application(client.applicationId));
    const { connectionId, platform } = request;
    if (connectionId === undefined) {
      if (platform !== undefined && !connections.offered(platform)) return 'There is no such platform.';
      return { request, platform };
    }
    const connection = await connections.connection(connectionId);
    if (!connection) return 'There is no such connection.';
    if (platform !== undefined && platform !== connection.platform) return 'The connection is to another platform.';
    return { request, platform: connection.platform };
  }

  function errorAddress({ error, description, redirectUri, state }: Extract<ReadAuthorization, { kind: 'error' }>) {
    return redirectAddress(redirectUri, { error, error_description: description, state }, publicUrl);
  }

  function refusedPage({ headers, queryText }: PageRequest, reason: 'client' | 'redirect'): HttpResponse {
    const wanted = new URLSearchParams(queryText).get('locale') ?? undefined;
    const language = languageOf(wanted) ?? preferredLanguage(headers['accept-language'] as string | undefined);
    const texts = catalogs[language];
    const detail = reason === 'client' ? texts.unknownClient : texts.unknownRedirect;
    return page(messagePage({ language, root }, { title: texts.refusedTitle, lead: texts.refusedLead, detail }), 400);
  }
}

/** Seconds without progress after which a check counts as interrupted: more than a whole check may take. */
const INTERRUPTED_SECONDS = 150;

/** Whether nothing has happened for so long that the process of the check must have ended. */
function isInterrupted({ phase }: Proof, idleSeconds: number): boolean {
  return phase !== 'accepted' && phase !== 'refused' && idleSeconds > INTERRUPTED_SECONDS;
}

/** What was entered in the form of a system, without secrets, whether there were some, and what is wrong with it. */
interface Entered {
  readonly values: Readonly<Record<string, unknown>>;
  readonly hasSecret: boolean;
  readonly wrong: ReadonlySet<string>;
  readonly error: string;
}

function withoutSecrets(fields: readonly SettingField[], settings: Settings): Readonly<Record<string, unknown>> {
  const secrets = new Set(fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.has(name)));
}

function languageIn({ language, request }: Content, { headers }: PageRequest): Language {
  return language ?? languageOf(request.locale) ?? preferredLanguage(headers['accept-language'] as string | undefined);
}

function appearanceOf(opened: Opened): Appearance {
  const { name, whitelabel } = opened.client;
  return {
    name: whitelabel?.productName ?? name,
    hasLogo: logoOf(opened) !== null,
    color: whitelabel?.primaryColor ?? null,
    supportUrl: whitelabel?.supportUrl ?? null,
    termsUrl: whitelabel?.termsUrl ?? null,
  };
}

function logoOf({ client }: Opened): string | null {
  return client.whitelabel?.logoUrl ?? client.logoUrl;
}

const TYPE = 'text/html; charset=utf-8';

/** A page from which the browser may go nowhere but to this server and, at the end, to the application. */
function sessionPage({ content }: Opened, text: string, status = 200): HttpResponse {
  return page(text, status, new URL(content.request.redirectUri).origin);
}

function page(text: string, status = 200, formTarget = ''): HttpResponse {
  return { status, type: TYPE, headers: pageHeaders(formTarget), body: text };
}

function redirect(address: string, status = 303, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, headers: { ...pageHeaders(''), ...headers, Location: address } };
}

/** `formTarget` is an origin that forms may lead to besides this server: browsers check redirects as well. */
function pageHeaders(formTarget: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentPolicy(`'self' ${formTarget}`.trim()),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
}
