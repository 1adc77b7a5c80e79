import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import type { Whitelabel } from '../identity/client-settings.ts';
import { keyRing, openWith, sealSecret } from '../keys/key-ring.ts';
import type { SealedLocation } from '../keys/sealed-columns.ts';
import { tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';

/** A client that requests the authorization of an end user. */
export interface AuthorizingClient {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly whitelabel: Whitelabel | null;
  /** Where end users may be redirected. Compared as text. */
  readonly redirectUris: readonly string[];
}

/** The client with this id, or null, including for an id that is not a UUID. */
export async function authorizingClient(store: Store, id: string): Promise<AuthorizingClient | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<AuthorizingClient>(
    store,
    `select c.id, c."applicationId", c.name, c."logoUrl", s.value as whitelabel,
            array(select uri from unified.redirect_uris where "clientId" = c.id) as "redirectUris"
       from unified.clients c
       left join unified.client_settings s on s."clientId" = c.id and s.name = 'whitelabel'
      where c.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The authorization of one end user, which belongs to one browser. */
export interface AuthorizationSession {
  readonly id: string;
  readonly clientId: string;
  /** The text that the owner of the session stored. Empty if the session has ended. */
  readonly content: string;
  /** The content as it is stored. A change or a check has no effect if other content was stored in the meantime. */
  readonly sealedContent: string;
  /** The check that is in progress or has ended; null if none was started for this content. */
  readonly checkId: string | null;
  /** The last progress that the check stored. */
  readonly progress: string | null;
  /** Seconds since the check last stored its progress. */
  readonly idleSeconds: number;
  readonly isOpen: boolean;
}

/** The browser that a session belongs to, and the content at its beginning. */
export interface NewSession {
  readonly clientId: string;
  /** The secret of the browser; only its hash is stored. */
  readonly browser: string;
  readonly content: string;
}

/** How many systems can be checked in one session: enough for typing errors, but not for guessing passwords. */
const MOST_CHECKS = 20;

/**
 * Creates a session, which ends after an hour. Its content is encrypted. Sessions that expired a day ago are removed. Returns its
 * id, which is not a secret: a session is found only together with the secret of its browser.
 */
export async function createAuthorizationSession(store: Store, given: NewSession): Promise<string> {
  const id = newId();
  await asOwner(
    store,
    `with outdated as (
       delete from unified.authorization_sessions where "expiresAt" < now() - interval '1 day')
     insert into unified.authorization_sessions (id, "clientId", browser, content, "expiresAt")
     values ($1, $2, $3, $4, now() + interval '1 hour')`,
    [id, given.clientId, tokenHash(given.browser), await sealed(store, id, 'content', given.content)],
  );
  return id;
}

interface OpenedSession extends Omit<NewSession, 'content'> {
  readonly id: string;
  readonly sealedContent: string;
}

/** The encrypted content of a session with this id, as it is stored. */
export function sealedContentOf(store: Store, id: string, content: string): Promise<string> {
  return sealed(store, id, 'content', content);
}

/**
 * Creates a session with this id in a transaction. Its content is encrypted beforehand, because that may need another database
 * connection.
 */
export async function insertAuthorizationSession(
  client: pg.ClientBase,
  { id, clientId, browser, sealedContent }: OpenedSession,
): Promise<void> {
  await client.query(
    `insert into unified.authorization_sessions (id, "clientId", browser, content, "expiresAt")
     values ($1, $2, $3, $4, now() + interval '1 hour')`,
    [id, clientId, tokenHash(browser), sealedContent],
  );
}

/** A session of this browser, or null, including for an id that is not a UUID. */
export async function authorizationSession(
  store: Store,
  id: string,
  browser: string,
): Promise<AuthorizationSession | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<Omit<AuthorizationSession, 'content'>>(
    store,
    `select id, "clientId", content as "sealedContent", "checkId", progress,
            coalesce(extract(epoch from now() - "progressAt"), 0)::float8 as "idleSeconds",
            "endedAt" is null and "expiresAt" > now() as "isOpen"
       from unified.authorization_sessions where id = $1 and browser = $2`,
    [id, tokenHash(browser)],
  );
  const [row] = rows;
  if (!row) return null;
  if (!row.isOpen) return { ...row, content: '', progress: null };
  const keys = await keyRing(store);
  const opened = (column: Column, text: string) => openWith(keys, locationOf(id, column), text);
  const progress = row.progress === null ? null : opened('progress', row.progress);
  return { ...row, content: opened('content', row.sealedContent), progress };
}

/**
 * Replaces the content of an open session, if it is still the content that was read. A running check no longer belongs to the
 * session, unless it concerns both contents. Returns the changed session, or null if it has ended, or its content was replaced
 * in the meantime, such as in another tab.
 */
export async function saveAuthorization(
  store: Store,
  session: AuthorizationSession,
  content: string,
  { keepsCheck = false } = {},
): Promise<AuthorizationSession | null> {
  const sealedContent = await sealed(store, session.id, 'content', content);
  const { rowCount } = await asOwner(
    store,
    `update unified.authorization_sessions
        set content = $3, "checkId" = case when $4 then "checkId" end, progress = case when $4 then progress end
      where id = $1 and content = $2 and "endedAt" is null and "expiresAt" > now()`,
    [session.id, session.sealedContent, sealedContent, keepsCheck],
  );
  if (rowCount === 0) return null;
  return { ...session, content, sealedContent, ...(!keepsCheck && { checkId: null, progress: null }) };
}

/** Counts a check of a system before it is made. Returns false when the session has ended or was checked too often. */
export async function countAuthorizationCheck(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `update unified.authorization_sessions set checks = checks + 1
      where id = $1 and "endedAt" is null and "expiresAt" > now() and checks < ${MOST_CHECKS}`,
    [id],
  );
  return rowCount === 1;
}

/**
 * Starts a check of the content of a session that was read. Returns its id, or null if the session has ended or its content was
 * replaced in the meantime.
 */
export async function startAuthorizationCheck(
  store: Store,
  { id, sealedContent }: AuthorizationSession,
  progress: string,
): Promise<string | null> {
  const checkId = newId();
  const { rowCount } = await asOwner(
    store,
    `update unified.authorization_sessions
        set "checkId" = $3, progress = $4, "progressAt" = now()
      where id = $1 and content = $2 and "endedAt" is null and "expiresAt" > now()`,
    [id, sealedContent, checkId, await sealed(store, id, 'progress', progress)],
  );
  return rowCount === 1 ? checkId : null;
}

/** Stores the progress of a check. Returns false when the check no longer belongs to the session. */
export async function saveAuthorizationProgress(
  store: Store,
  { id, checkId }: { readonly id: string; readonly checkId: string },
  progress: string,
): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `update unified.authorization_sessions set progress = $3, "progressAt" = now()
      where id = $1 and "checkId" = $2 and "endedAt" is null`,
    [id, checkId, await sealed(store, id, 'progress', progress)],
  );
  return rowCount === 1;
}

/**
 * Marks a check that failed because of an error of this service as interrupted: it has stored nothing for longer than checks
 * take.
 */
export async function interruptAuthorizationCheck(
  store: Store,
  { id, checkId }: { readonly id: string; readonly checkId: string },
): Promise<void> {
  await asOwner(
    store,
    `update unified.authorization_sessions set "progressAt" = to_timestamp(0) where id = $1 and "checkId" = $2`,
    [id, checkId],
  );
}

/**
 * Ends an open session, once: returns false if it has already ended or expired, or its content was replaced in the meantime.
 * Its credentials are removed.
 */
export async function endAuthorizationSession(
  store: Store,
  { id, sealedContent }: AuthorizationSession,
): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    `update unified.authorization_sessions
        set "endedAt" = now(), content = '', progress = null, "checkId" = null
      where id = $1 and content = $2 and "endedAt" is null and "expiresAt" > now()`,
    [id, sealedContent],
  );
  return rowCount === 1;
}

/** Removes the credentials of sessions that have expired. */
export async function forgetExpiredSessions(store: Store): Promise<void> {
  await asOwner(
    store,
    `update unified.authorization_sessions set content = '', progress = null, "checkId" = null
      where content <> '' and "expiresAt" <= now()`,
  );
}

type Column = 'content' | 'progress';

function sealed(store: Store, row: string, column: Column, text: string): Promise<string> {
  return sealSecret(store, locationOf(row, column), text);
}

function locationOf(row: string, column: Column): SealedLocation {
  return { table: 'authorization_sessions', column, row };
}
