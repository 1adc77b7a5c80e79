import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction, lockNamed, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';
import { insertAuthorizationSession, sealedContentOf } from './authorization-sessions.ts';

/** An authorization page that an application opens in a frame, for one of its end customers. */
export interface NewEmbedSession {
  /** Client of the application. */
  readonly clientId: string;
  readonly endCustomerId: string;
  /** The only origin whose pages can embed it. */
  readonly origin: string;
  /** Ids of the platforms that are offered; all if absent. */
  readonly platforms?: readonly string[] | undefined;
  /** The connection whose access is renewed; if absent, a new one is created. */
  readonly connectionId?: string | undefined;
}

/** The token opens the session once; only its hash is stored. */
export interface CreatedEmbedSession {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** A session without its token. */
export interface EmbedSession extends Omit<NewEmbedSession, 'platforms' | 'connectionId'> {
  readonly id: string;
  readonly applicationId: string;
  readonly platforms: readonly string[] | null;
  readonly connectionId: string | null;
  /** Whether it was neither opened nor ended, and has not expired. */
  readonly isNew: boolean;
  /** Whether the application has closed its embedded pages, with a message to end users. */
  readonly isClosed: boolean;
  readonly reason: string | null;
}

const PREFIX = 'ses_';

/**
 * Creates a session, which can be opened for an hour. Null when the application does not have the connection, or it belongs to
 * another end customer. Sessions that expired a day ago are removed.
 */
export async function createEmbedSession(
  scope: ApplicationScope,
  given: NewEmbedSession,
): Promise<CreatedEmbedSession | null> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<{ id: string; expiresAt: string }>(
    storeOf(scope),
    `with outdated as (
       delete from unified.embed_sessions where "expiresAt" < now() - interval '1 day')
     insert into unified.embed_sessions
       (id, "clientId", "endCustomerId", origin, platforms, "connectionId", token, "expiresAt")
     select $3, c.id, $4, $5, $6, $7, $8, now() + interval '1 hour' from unified.clients c
      where c."applicationId" = $1 and c.id = $2 and ($7::uuid is null or exists (
        select from unified.connections n
         where n.id = $7 and n."applicationId" = $1 and n."deletedAt" is null
           and coalesce(n."endCustomerId", $4) = $4))
     returning id, "expiresAt"`,
    [
      ...[scope.applicationId, given.clientId, newId(), given.endCustomerId, given.origin],
      ...[given.platforms ?? null, given.connectionId ?? null, tokenHash(token)],
    ],
  );
  const [made] = rows;
  return made ? { ...made, token } : null;
}

/**
 * Makes other transactions that create sessions of the application wait until this one ends. Call it with the scope of a
 * transaction.
 */
export async function lockEmbedSessions(scope: ApplicationScope): Promise<void> {
  await lockNamed(storeOf(scope), `unified embed sessions ${scope.applicationId}`);
}

/** How many sessions an application has created within the last hour, and the seconds until the oldest of them is an hour old. */
export async function recentEmbedSessions(
  scope: ApplicationScope,
): Promise<{ readonly count: number; readonly seconds: number }> {
  const { rows } = await asOwner<{ count: number; seconds: number }>(
    storeOf(scope),
    `select count(*)::int as count,
            coalesce(ceil(extract(epoch from min(e."createdAt") + interval '1 hour' - now())), 0)::int as seconds
       from unified.embed_sessions e join unified.clients c on c.id = e."clientId"
      where c."applicationId" = $1 and e."createdAt" > now() - interval '1 hour'`,
    [scope.applicationId],
  );
  return rows[0] ?? { count: 0, seconds: 0 };
}

/**
 * Maximum number of attempts to open one session: enough for a page that is reloaded. There is no reason to try other tokens.
 */
const MOST_ATTEMPTS = 10;

/** Whether a session can still be opened. */
const IS_NEW = `("openedAt" is null and "endedAt" is null and "expiresAt" > now())`;

/** A session, or null, including for an id that is not a UUID. Sessions are known for a day after they have expired. */
export async function embedSession(store: Store, id: string): Promise<EmbedSession | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<EmbedSession>(
    store,
    `select e.id, e."clientId", c."applicationId", e."endCustomerId", e.origin, e.platforms, e."connectionId",
            ${IS_NEW} as "isNew",
            a."embedIsClosed" as "isClosed", a."embedReason" as reason
       from unified.embed_sessions e
       join unified.clients c on c.id = e."clientId"
       join unified.applications a on a.id = c."applicationId"
      where e.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The token of a session, and the authorization that begins with it. */
export interface OpeningSession {
  readonly id: string;
  readonly token: string;
  /** The secret that identifies the page from then on. */
  readonly browser: string;
  readonly content: string;
}

/**
 * Uses up the token of a session and begins its authorization, which has the same id and lasts an hour. Returns whether the
 * token was valid. It is not if it is wrong, was used before or has expired, or if the application has closed its embedded
 * pages. After 10 wrong tokens, the session can no longer be opened.
 */
export async function openEmbedSession(
  store: Store,
  { id, token, browser, content }: OpeningSession,
): Promise<boolean> {
  const sealedContent = await sealedContentOf(store, id, content);
  return inOwnerTransaction(store, async (client) => {
    // The same order as in `setEmbedSwitch`: a session is either refused here or ended there.
    const { rows } = await client.query<{ isClosed: boolean }>(
      `select a."embedIsClosed" as "isClosed" from unified.applications a
        where a.id = (select c."applicationId" from unified.embed_sessions e
                        join unified.clients c on c.id = e."clientId" where e.id = $1)
          for share`,
      [id],
    );
    if (rows[0]?.isClosed !== false) return false;
    const { rows: opened } = await client.query<{ clientId: string }>(
      `update unified.embed_sessions set "openedAt" = now()
        where id = $1 and token = $2 and ${IS_NEW} and attempts < ${MOST_ATTEMPTS}
       returning "clientId"`,
      [id, tokenHash(token)],
    );
    const [session] = opened;
    if (!session) {
      await client.query(`update unified.embed_sessions set attempts = attempts + 1 where id = $1 and ${IS_NEW}`, [id]);
      return false;
    }
    await insertAuthorizationSession(client, { id, clientId: session.clientId, browser, sealedContent });
    return true;
  });
}

/** Whether the embedded pages of an application are closed. */
interface EmbedSwitch {
  readonly isClosed: boolean;
  /** Message to end users. */
  readonly reason: string | null;
}

/**
 * Closes the embedded pages of an application, which ends its sessions, or allows new sessions. Returns the time of the change.
 */
export function setEmbedSwitch(scope: ApplicationScope, { isClosed, reason }: EmbedSwitch): Promise<string> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    const { rows } = await client.query<{ changedAt: string }>(
      `update unified.applications
          set "embedIsClosed" = $2, "embedReason" = $3, "embedChangedAt" = now()
        where id = $1 returning "embedChangedAt" as "changedAt"`,
      [scope.applicationId, isClosed, reason],
    );
    const [changed] = rows;
    if (!changed) throw new Error('The application does not exist.');
    if (isClosed) await endSessions(client, scope);
    return changed.changedAt;
  });
}

/** Ends the sessions of an application that renew the access to a connection, including those that were not opened yet. */
export function endEmbedSessionsOf(scope: ApplicationScope, connectionId: string): Promise<void> {
  return inOwnerTransaction(storeOf(scope), (client) => endSessions(client, scope, connectionId));
}

async function endSessions(
  client: pg.ClientBase,
  { applicationId }: ApplicationScope,
  connectionId?: string,
): Promise<void> {
  await client.query(
    `with ended as (
       update unified.embed_sessions e set "endedAt" = now() from unified.clients c
        where c.id = e."clientId" and c."applicationId" = $1 and e."endedAt" is null
          and ($2::uuid is null or e."connectionId" = $2)
       returning e.id)
     update unified.authorization_sessions s
        set "endedAt" = now(), content = '', progress = null, "checkId" = null
       from ended where s.id = ended.id and s."endedAt" is null`,
    [applicationId, connectionId ?? null],
  );
}
