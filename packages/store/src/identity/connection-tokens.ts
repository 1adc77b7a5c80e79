import { v7 as newId } from 'uuid';
import type { ScopeOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import type { ConnectionStatus } from './connections.ts';

const PREFIX = 'sct_';
const FORM = /^sct_[A-Za-z0-9_-]{43}$/;
/** The form of a token, for messages. */
export const CONNECTION_TOKEN_FORM = '"sct_" followed by 43 letters, digits, "-" or "_"';

/** Entities that a token gives access to, each with the fields; without `fields`, all. */
export type TokenAccess = readonly { readonly entity: string; readonly fields?: readonly string[] }[];

/** The connection that a token belongs to, and what of it the token gives access to. */
export interface TokenHolder extends ScopeOf {
  readonly tokenId: string;
  readonly platform: string;
  readonly status: ConnectionStatus;
  /** RFC 3339; null: does not expire. */
  readonly expiresAt: string | null;
  /** Null: everything. */
  readonly access: TokenAccess | null;
}

export interface NewToken {
  readonly connectionId: string;
  readonly name?: string;
  /** RFC 3339; absent: does not expire. */
  readonly expiresAt?: string;
  /** Absent: everything. */
  readonly access?: TokenAccess;
}

const HOLDER = `
  select t.id as "tokenId", c.id as "connectionId", c."applicationId", c.platform, c.status, t."expiresAt", t.access
    from unified.connection_tokens t join unified.connections c on c.id = t."connectionId"
   where t.hash = $1`;

/** Issues a token for one connection. It is returned once; only its hash is stored. */
export async function issueConnectionToken(store: Store, given: NewToken): Promise<{ id: string; token: string }> {
  const id = newId();
  const token = randomToken(PREFIX);
  await asOwner(
    store,
    `insert into unified.connection_tokens (id, "connectionId", hash, name, "expiresAt", access)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      given.connectionId,
      tokenHash(token),
      given.name ?? '',
      given.expiresAt ?? null,
      given.access ? JSON.stringify(given.access) : null,
    ],
  );
  return { id, token };
}

/**
 * Returns the connection of a token, or null when it is malformed or unknown. It may have expired, and the connection
 * may be inactive: see `expiresAt` and `status`.
 */
export async function connectionByToken(store: Store, token: string): Promise<TokenHolder | null> {
  if (!FORM.test(token)) return null;
  const query = { name: 'holder_of_token', text: HOLDER, values: [tokenHash(token)] };
  const { rows } = await asOwner<TokenHolder>(store, query);
  return rows[0] ?? null;
}

/** Revokes a token. Returns whether there was one. */
export async function revokeConnectionToken(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(store, 'delete from unified.connection_tokens where id = $1', [id]);
  return rowCount === 1;
}

/** Revokes all tokens of a connection but one. Returns their number. */
export async function revokeOtherTokens(store: Store, connectionId: string, kept: string): Promise<number> {
  const { rowCount } = await asOwner(
    store,
    'delete from unified.connection_tokens where "connectionId" = $1 and id <> $2',
    [connectionId, kept],
  );
  return rowCount ?? 0;
}
