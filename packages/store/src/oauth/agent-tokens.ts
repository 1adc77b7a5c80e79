import type pg from 'pg';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { type McpTokenHolder, mcpUserByTokenId } from '../mcp/personal-access-tokens.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { matchesChallenge } from './code-challenge.ts';

/** A code as an agent sends it. */
export interface SentAgentCode {
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  /** `code_verifier` of RFC 7636. */
  readonly verifier: string;
}

/** What an agent gets tokens for. */
export interface AgentGrant {
  readonly authorizationId: string;
  readonly clientId: string;
  readonly user: McpTokenHolder;
  /** It is returned once; only its hash is stored. */
  readonly refreshToken: string;
}

const PREFIX = 'mrt_';
/** SQL of the time within which an agent must refresh. */
export const LIFETIME = `interval '31 days'`;

interface Row {
  readonly id: string;
  readonly tokenId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

/**
 * Exchanges the code of an agent once. A second use ends the authorization: one of the two was not that of the agent. Null if
 * the code is unknown, was used or has expired, or the client, redirect URI or verifier is another one.
 */
export function redeemAgentCode(store: Store, sent: SentAgentCode): Promise<AgentGrant | null> {
  const hash = tokenHash(sent.code);
  return exchanged(store, sent.clientId, async (client) => {
    const { rows } = await client.query<Row>(
      `select id, "tokenId", "redirectUri", challenge, "redeemedAt" is not null as "isUsed",
              "codeExpiresAt" <= now() as "isExpired"
         from unified.agent_authorizations where code = $1 and "clientId" = $2 for update`,
      [hash, sent.clientId],
    );
    const [row] = rows;
    if (row?.isUsed) await endAuthorization(client, row.id);
    if (!row || row.isUsed || row.isExpired || row.redirectUri !== sent.redirectUri) return null;
    if (!matchesChallenge(row.challenge, sent.verifier)) return null;
    await client.query('update unified.agent_authorizations set "redeemedAt" = now() where id = $1', [row.id]);
    return row;
  });
}

/**
 * Exchanges a refresh token of an agent for a new one. A token that was used before ends the authorization: either it or its
 * replacement was stolen. Null if it is unknown, was used, or has expired.
 */
export function refreshAgentGrant(
  store: Store,
  { clientId, refreshToken }: { readonly clientId: string; readonly refreshToken: string },
): Promise<AgentGrant | null> {
  const hash = tokenHash(refreshToken);
  return exchanged(store, clientId, async (client) => {
    const { rows } = await client.query<Row>(
      `select a.id, a."tokenId", t."usedAt" is not null as "isUsed", a."expiresAt" <= now() as "isExpired"
         from unified.agent_refresh_tokens t join unified.agent_authorizations a on a.id = t."authorizationId"
        where t.hash = $1 and a."clientId" = $2 for update`,
      [hash, clientId],
    );
    const [row] = rows;
    if (row?.isUsed) await endAuthorization(client, row.id);
    if (!row || row.isUsed || row.isExpired) return null;
    await client.query('update unified.agent_refresh_tokens set "usedAt" = now() where hash = $1', [hash]);
    return row;
  });
}

/** Uses up a code or refresh token, and issues the next refresh token of its authorization. */
async function exchanged(
  store: Store,
  clientId: string,
  use: (client: pg.ClientBase) => Promise<Pick<Row, 'id' | 'tokenId'> | null>,
): Promise<AgentGrant | null> {
  const refreshToken = randomToken(PREFIX);
  const used = await inOwnerTransaction(store, async (client) => {
    const row = await use(client);
    if (!row) return null;
    await client.query('insert into unified.agent_refresh_tokens (hash, "authorizationId") values ($1, $2)', [
      ...[tokenHash(refreshToken), row.id],
    ]);
    await client.query(`update unified.agent_authorizations set "expiresAt" = now() + ${LIFETIME} where id = $1`, [
      row.id,
    ]);
    return row;
  });
  const user = used && (await mcpUserByTokenId(store, used.tokenId));
  return used && user && { authorizationId: used.id, clientId, user, refreshToken };
}

/** The user who has granted an authorization. Null if it has ended, or the user is not active. */
export async function mcpUserByAuthorization(store: Store, id: string): Promise<McpTokenHolder | null> {
  const { rows } = await asOwner<Pick<Row, 'tokenId'>>(
    store,
    'select "tokenId" from unified.agent_authorizations where id = $1 and "redeemedAt" is not null',
    [id],
  );
  const [row] = rows;
  return row ? mcpUserByTokenId(store, row.tokenId) : null;
}

/** Ends an authorization of a client, by its id or by a refresh token of it. Has no effect if the client has no such one. */
export async function revokeAgentAuthorization(
  store: Store,
  clientId: string,
  by: { readonly id: string } | { readonly refreshToken: string },
): Promise<void> {
  const [where, value] =
    'id' in by
      ? ['id = $2', by.id]
      : [
          'id = (select "authorizationId" from unified.agent_refresh_tokens where hash = $2)',
          tokenHash(by.refreshToken),
        ];
  await asOwner(store, `delete from unified.agent_authorizations where "clientId" = $1 and ${where}`, [
    clientId,
    value,
  ]);
}

/** Ends the authorizations of agents that use a client of an application. Returns their number. */
export async function endAuthorizationsOfClient(store: Store, clientId: string): Promise<number> {
  const { rowCount } = await asOwner(
    store,
    'delete from unified.agent_authorizations where "clientId" = $1 and "redeemedAt" is not null and "expiresAt" > now()',
    [clientId],
  );
  return rowCount ?? 0;
}

/** Whether a text has the form of a refresh token of an agent. */
export function isAgentRefreshToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

async function endAuthorization(client: pg.ClientBase, id: string): Promise<void> {
  await client.query('delete from unified.agent_authorizations where id = $1', [id]);
}
