import type { AuthorizedConnections, CheckProgress, Engine, Settings } from '@unified/engine';
import {
  type AuthorizationSession,
  type AuthorizingClient,
  authorizationSession,
  authorizingClient,
  embedSettings,
  formsOfConnection,
  type SettingsForm,
  type Store,
  setupLinkById,
} from '@unified/store';
import { framingOrigin } from '../embedding.ts';
import type { FormValues } from '../forms/connection-forms.ts';
import type { FormSchema } from '../forms/form-values.ts';
import { type EmbedRequest, isEmbedded } from './embed-request.ts';
import type { Language } from './language.ts';
import { isSetup, type SessionRequest } from './setup-request.ts';

/** What a session stores, encrypted. */
export interface Content {
  readonly request: SessionRequest;
  /** The language that the end user chose. */
  readonly language?: Language | undefined;
  readonly platform?: string | undefined;
  readonly settings?: Settings | undefined;
}

/** A session of a browser, with everything that its pages need. */
export interface BrowserSession {
  readonly stored: AuthorizationSession;
  readonly client: AuthorizingClient;
  readonly content: Content;
  /** The last state of the check; null if none was started. */
  readonly progress: CheckProgress | null;
  readonly connections: AuthorizedConnections;
  readonly forms: ConnectionForms;
}

/** The settings forms that an end user fills in when giving consent, and the values that were saved before. */
export interface ConnectionForms {
  /** Empty unless the page is embedded and renews a connection that has forms. */
  readonly all: readonly SettingsForm<FormSchema>[];
  readonly saved: FormValues;
}

/** Why a session cannot be used: it belongs to another browser or does not exist, or it has ended. */
export type Unusable = 'foreign' | 'ended';

/** The session with this id, if it belongs to this browser and is open. */
export async function sessionOfBrowser(
  { store, engine }: { readonly store: Store; readonly engine: Engine },
  id: string,
  browser: string | undefined,
): Promise<BrowserSession | Unusable> {
  const stored = browser === undefined ? null : await authorizationSession(store, id, browser);
  if (!stored) return 'foreign';
  const client = stored.isOpen ? await authorizingClient(store, stored.clientId) : null;
  if (!client) return 'ended';
  const content = JSON.parse(stored.content) as Content;
  // The application may have removed the address in the meantime.
  if (!isRegistered(client, content.request, store.publicUrl) || !(await isOpenSetup(store, content.request)))
    return 'ended';
  const progress = stored.progress === null ? null : (JSON.parse(stored.progress) as CheckProgress);
  const connections = engine.authorizedConnectionsOf(store.application(client.applicationId));
  const forms = await formsOf(store, client, content);
  return { stored, client, content, progress, connections, forms };
}

async function formsOf(store: Store, client: AuthorizingClient, { request }: Content): Promise<ConnectionForms> {
  if (!isEmbedded(request) || request.connectionId === undefined) return { all: [], saved: {} };
  const application = store.application(client.applicationId);
  const all = await formsOfConnection<FormSchema>(application, request.connectionId);
  if (all.length === 0) return { all, saved: {} };
  return { all, saved: (await embedSettings(application, request.connectionId))?.values ?? {} };
}

/** Whether the setup link of a request can still be used; true for other requests. */
async function isOpenSetup(store: Store, request: SessionRequest): Promise<boolean> {
  return !isSetup(request) || ((await setupLinkById(store, request.setupLinkId))?.isOpen ?? false);
}

/**
 * Whether a client has the redirect URI of a request or, for embedded pages, one with the origin that embeds them. The console, at
 * the origin of this server, needs none.
 */
export function isRegistered(
  { redirectUris }: AuthorizingClient,
  request: SessionRequest | Pick<EmbedRequest, 'origin'>,
  publicUrl: string,
): boolean {
  if ('setupLinkId' in request) return true;
  if ('origin' in request && request.origin === new URL(publicUrl).origin) return true;
  if ('origin' in request) return redirectUris.some((uri) => framingOrigin(uri) === request.origin);
  return redirectUris.includes(request.redirectUri);
}
