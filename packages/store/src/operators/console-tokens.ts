import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import type { TokenScope } from '../identity/connection-tokens.ts';
import { issueConnectionToken } from '../identity/connection-tokens.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import type { OperatorRole } from './operators.ts';

const PREFIX = 'sot_';
const FORM = /^sot_[A-Za-z0-9_-]{43}$/;
const LIFETIME = `interval '10 minutes'`;

/** A token of a session. Its value is returned once; only its hash is stored. */
export interface ConsoleToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** Who holds a token of the console for the Management API. */
export interface ConsoleTokenHolder {
  readonly applicationId: string;
  readonly expiresAt: string;
  readonly operator: { readonly id: string; readonly role: OperatorRole; readonly sessionId: string };
}

/**
 * Issues a token for the Management API of an application in a session, and removes those of the session that have expired.
 * Null if there is no such application.
 */
export async function issueManagementToken(
  store: Store,
  sessionId: string,
  applicationId: string,
): Promise<ConsoleToken | null> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<Omit<ConsoleToken, 'token'>>(
    store,
    `with expired as (delete from unified.console_tokens where "sessionId" = $3 and "expiresAt" < now())
     insert into unified.console_tokens (id, hash, "sessionId", "applicationId", "expiresAt")
     select $1, $2, s.id, a.id, least(now() + ${LIFETIME}, s."expiresAt")
       from unified.console_sessions s, unified.applications a where s.id = $3 and a.id = $4
     returning id, "expiresAt"`,
    [newId(), tokenHash(token), sessionId, applicationId],
  );
  return rows[0] ? { ...rows[0], token } : null;
}

/** The holder of a token for the Management API, with the role that the operator has now. Null if it is unknown or has ended. */
export async function consoleTokenHolder(store: Store, token: string): Promise<ConsoleTokenHolder | null> {
  if (!FORM.test(token)) return null;
  const { rows } = await asOwner<ConsoleTokenHolder>(
    store,
    `select t."applicationId", t."expiresAt",
            json_build_object('id', o.id, 'role', o.role, 'sessionId', s.id) as operator
       from unified.console_tokens t join unified.console_sessions s on s.id = t."sessionId"
       join unified.operators o on o.id = s."operatorId" where t.hash = $1 and o."isActive"`,
    [tokenHash(token)],
  );
  return rows[0] ?? null;
}

/** Issues a token for the data of a connection in a session. Null if there is no such connection, or it is deleted. */
export async function issueSessionToken(
  store: Store,
  sessionId: string,
  { connectionId, scopes }: { readonly connectionId: string; readonly scopes: readonly TokenScope[] },
): Promise<(ConsoleToken & { readonly applicationId: string }) | null> {
  const { rows } = await asOwner<{ applicationId: string; expiresAt: string }>(
    store,
    `with expired as (delete from unified.connection_tokens where "sessionId" = $1 and "expiresAt" < now())
     select c."applicationId", least(now() + ${LIFETIME}, s."expiresAt") as "expiresAt"
       from unified.console_sessions s, unified.connections c
      where s.id = $1 and c.id = $2 and c."deletedAt" is null`,
    [sessionId, connectionId],
  );
  const [found] = rows;
  if (!found) return null;
  const { applicationId, expiresAt } = found;
  const { id, token } = await issueConnectionToken(store, {
    connectionId,
    scopes,
    expiresAt,
    sessionId,
    name: 'Console',
  });
  return { id, token, expiresAt, applicationId };
}

/** Ends all tokens of the sessions of an operator. */
export async function endTokensOfOperator(store: Store, operatorId: string): Promise<void> {
  const sessions = 'select id from unified.console_sessions where "operatorId" = $1';
  await asOwner(store, `delete from unified.console_tokens where "sessionId" in (${sessions})`, [operatorId]);
  await asOwner(store, `delete from unified.connection_tokens where "sessionId" in (${sessions})`, [operatorId]);
}
