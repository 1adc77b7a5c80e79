import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import type { ConnectionStatus } from '../identity/connections.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { fixedStatement } from '../sql/statement.ts';

/** What a pair of tokens is issued for. */
export interface TokenGrant {
  readonly clientId: string;
  /** Connection that the access token gives access to; null means the Management API. */
  readonly connectionId: string | null;
  /** Scopes, separated by spaces. */
  readonly scope: string;
}

/** A grant, and the secret with which the client authenticated; absent: an operator issues the tokens. */
export interface AuthenticatedGrant extends TokenGrant {
  readonly secretId?: string | null;
}

/** A new pair: the refresh token, and the ids that the access token contains. */
export interface IssuedTokens extends TokenGrant {
  /** Identifies all pairs that result from one grant by refreshing. */
  readonly familyId: string;
  /** The access token that is valid in the family; a refresh replaces it. */
  readonly tokenId: string;
  /** It is returned once; only its hash is stored. */
  readonly refreshToken: string;
}

/**
 * Why no tokens were issued: the code or refresh token is unknown, was used before, has expired or was revoked, or does not have
 * the requested scope.
 */
export type GrantRefusal = 'unknown' | 'used' | 'expired' | 'revoked' | 'scope';

/** The result of a grant. */
export type Granted = IssuedTokens | { readonly refused: GrantRefusal };

const PREFIX = 'srt_';
const LIFETIME = `interval '31 days'`;

const INSERT_FAMILY = fixedStatement(`
  with ended as (
    delete from unified.token_families where "clientId" = $2 and "expiresAt" < now() - interval '1 day'),
  family as (
    insert into unified.token_families (id, "clientId", "connectionId", scope, "tokenId", "secretId", "expiresAt")
    values ($1, $2, $3, $4, $5, $6, now() + ${LIFETIME}) returning id)
  insert into unified.refresh_tokens (hash, "familyId", "expiresAt") select $7, id, now() + ${LIFETIME} from family`);

/** Issues the first pair of a family. */
export async function startTokenFamily(store: Store, grant: AuthenticatedGrant): Promise<IssuedTokens> {
  const issued = pairOf(grant, newId());
  await asOwner(store, insertionOf(issued, grant));
  return issued;
}

/** The same within a transaction. */
export async function insertFamily(client: pg.ClientBase, grant: AuthenticatedGrant): Promise<IssuedTokens> {
  const issued = pairOf(grant, newId());
  await client.query(insertionOf(issued, grant));
  return issued;
}

/** Stores a family with its first pair, and removes the families of the client that ended more than a day ago. */
function insertionOf(issued: IssuedTokens, { secretId = null }: AuthenticatedGrant): pg.QueryConfig {
  const { familyId, clientId, connectionId, scope, tokenId, refreshToken } = issued;
  const values = [familyId, clientId, connectionId, scope, tokenId, secretId, tokenHash(refreshToken)];
  return { ...INSERT_FAMILY, values };
}

/** A refresh token as the client sends it. */
export interface SentRefresh {
  readonly clientId: string;
  /** The secret with which the client authenticated. */
  readonly secretId: string;
  readonly refreshToken: string;
  /** The requested scope; defaults to the scope of the family. */
  readonly scope?: string | undefined;
}

interface RefreshRow extends TokenGrant {
  readonly familyId: string;
  readonly isRevoked: boolean;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

const REFRESHED = `
  select f.id as "familyId", f."clientId", f."connectionId", f.scope, f."revokedAt" is not null as "isRevoked",
         t."usedAt" is not null as "isUsed", t."expiresAt" <= now() as "isExpired"
    from unified.refresh_tokens t join unified.token_families f on f.id = t."familyId"
   where t.hash = $1 and f."clientId" = $2 for update`;

/**
 * Exchanges a refresh token of a client for a new pair, which replaces the previous one. A token that was used before revokes
 * the family: either it or its replacement was stolen. Of several concurrent calls, the first succeeds. A call for a scope
 * other than that of the family has no effect.
 */
export function refreshTokens(store: Store, sent: SentRefresh): Promise<Granted> {
  const { clientId, secretId, refreshToken, scope: wanted } = sent;
  const hash = tokenHash(refreshToken);
  return inOwnerTransaction(store, async (client): Promise<Granted> => {
    const { rows } = await client.query<RefreshRow>(REFRESHED, [hash, clientId]);
    const [row] = rows;
    if (!row) return { refused: 'unknown' };
    if (row.isRevoked) return { refused: 'revoked' };
    if (row.isUsed) {
      await revoke(client, row.familyId);
      return { refused: 'used' };
    }
    if (row.isExpired) return { refused: 'expired' };
    const { connectionId, scope, familyId } = row;
    if (wanted !== undefined && wanted !== scope) return { refused: 'scope' };
    const issued = pairOf({ clientId, connectionId, scope }, familyId);
    await client.query('update unified.refresh_tokens set "usedAt" = now() where hash = $1', [hash]);
    await client.query(
      `update unified.token_families set "tokenId" = $2, "secretId" = $3, "expiresAt" = now() + ${LIFETIME} where id = $1`,
      [familyId, issued.tokenId, secretId],
    );
    await insertRefreshToken(client, issued);
    return issued;
  });
}

function pairOf({ clientId, connectionId, scope }: TokenGrant, familyId: string): IssuedTokens {
  return { clientId, connectionId, scope, familyId, tokenId: newId(), refreshToken: randomToken(PREFIX) };
}

async function insertRefreshToken(client: pg.ClientBase, { familyId, refreshToken }: IssuedTokens): Promise<void> {
  await client.query(
    `insert into unified.refresh_tokens (hash, "familyId", "expiresAt") values ($1, $2, now() + ${LIFETIME})`,
    [tokenHash(refreshToken), familyId],
  );
}

/** Revokes a family within a transaction. */
export async function revoke(client: pg.ClientBase, familyId: string): Promise<void> {
  await client.query('update unified.token_families set "revokedAt" = now() where id = $1 and "revokedAt" is null', [
    familyId,
  ]);
}

/** Revokes a family of a client, and with it its access token. Has no effect if the client has no such family. */
export async function revokeTokenFamily(store: Store, clientId: string, familyId: string): Promise<void> {
  await asOwner(
    store,
    'update unified.token_families set "revokedAt" = now() where id = $1 and "clientId" = $2 and "revokedAt" is null',
    [familyId, clientId],
  );
}

/** Revokes all families of a client. Returns how many were valid. */
export async function revokeClientTokens(store: Store, clientId: string): Promise<number> {
  const { rowCount } = await asOwner(
    store,
    `update unified.token_families set "revokedAt" = now()
      where "clientId" = $1 and "revokedAt" is null and "expiresAt" > now()`,
    [clientId],
  );
  return rowCount ?? 0;
}

/** Revokes the family of a refresh token of a client. Has no effect if the client has no such token. */
export async function revokeRefreshToken(store: Store, clientId: string, refreshToken: string): Promise<void> {
  await asOwner(
    store,
    `update unified.token_families f set "revokedAt" = now() from unified.refresh_tokens t
      where t."familyId" = f.id and t.hash = $1 and f."clientId" = $2 and f."revokedAt" is null`,
    [tokenHash(refreshToken), clientId],
  );
}

/** The connection that a family gives access to. */
interface FamilyConnection {
  readonly id: string;
  readonly platform: string;
  readonly mappingVersion: number;
  readonly status: ConnectionStatus;
}

/** Who holds the access token of a family. */
export interface FamilyHolder {
  readonly clientId: string;
  readonly applicationId: string;
  readonly connection: FamilyConnection | null;
}

/** The holder of an access token, or null when it was replaced by a refresh, or its family was revoked or removed. */
export async function familyHolder(store: Store, familyId: string, tokenId: string): Promise<FamilyHolder | null> {
  const { rows } = await asOwner<FamilyHolder>(store, {
    name: 'holder_of_family',
    text: `select c.id as "clientId", c."applicationId",
                  case when n.id is not null
                    then json_build_object('id', n.id, 'platform', n.platform, 'mappingVersion', n."mappingVersion", 'status', n.status) end as connection
             from unified.token_families f join unified.clients c on c.id = f."clientId"
             left join unified.connections n on n.id = f."connectionId"
            where f.id = $1 and f."tokenId" = $2 and f."revokedAt" is null
              and (f."connectionId" is null or n."deletedAt" is null)`,
    values: [familyId, tokenId],
  });
  return rows[0] ?? null;
}
