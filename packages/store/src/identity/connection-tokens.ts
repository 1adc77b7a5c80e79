import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import type { ScopeOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { inBatches, type LookUp } from '../sql/in-batches.ts';
import { isUuid } from '../sql/parameter.ts';
import type { ConnectionStatus } from './connections.ts';

const PREFIX = 'sct_';
const FORM = /^sct_[A-Za-z0-9_-]{43}$/;
/** The form of a token, for messages. */
export const CONNECTION_TOKEN_FORM = '"sct_" followed by 43 letters, digits, "-" or "_"';

/** Entities that a token gives access to, each with the names of its fields; all fields if `fields` is absent. */
export type TokenAccess = readonly { readonly entity: string; readonly fields?: readonly string[] }[];

/** A kind of request that a token allows: reads, all other requests, or calls of the connected system. */
export type TokenScope = 'read' | 'write' | 'passthrough';
/** The scopes of a token that is issued without an explicit scope. Calls of the connected system must be allowed explicitly. */
export const DEFAULT_SCOPES: readonly TokenScope[] = ['read', 'write'];

/** The connection that a token belongs to, and which parts of it the token gives access to. */
export interface TokenHolder extends ScopeOf {
  readonly tokenId: string;
  readonly platform: string;
  readonly mappingVersion: number;
  readonly status: ConnectionStatus;
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
  readonly scopes: readonly TokenScope[];
  /** Null means everything. */
  readonly access: TokenAccess | null;
  /** The session of the console in which it was issued; null or absent for others. */
  readonly sessionId?: string | null;
}

/** A token without its value. */
export interface ConnectionToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
  /** When a request was last sent with it, to the minute; null if never. */
  readonly lastUsedAt: string | null;
  readonly scopes: readonly TokenScope[];
  /** Null means everything. */
  readonly access: TokenAccess | null;
}

export interface NewToken {
  readonly connectionId: string;
  readonly name?: string | undefined;
  /** RFC 3339; if absent, it does not expire. */
  readonly expiresAt?: string | undefined;
  /** Defaults to `DEFAULT_SCOPES`. */
  readonly scopes?: readonly TokenScope[] | undefined;
  /** If absent, it gives access to everything. */
  readonly access?: TokenAccess | undefined;
  /** The session of the console in which it is issued, with which it ends; lists do not contain it. */
  readonly sessionId?: string | undefined;
}

const COLUMNS = ['id', 'name', 'createdAt', 'expiresAt', 'lastUsedAt', 'scopes', 'access']
  .map((name) => `t."${name}"`)
  .join(', ');

const HOLDERS = `
  select t.hash, t.id as "tokenId", c.id as "connectionId", c."applicationId", c.platform, c."mappingVersion", c.status, t."expiresAt", t.scopes,
         t.access, t."sessionId"
    from unified.connection_tokens t join unified.connections c on c.id = t."connectionId"
   where t.hash = any ($1::text[])`;

/** Issues a token for one connection. Its value is returned once; only its hash is stored. */
export async function issueConnectionToken(
  store: Store,
  given: NewToken,
): Promise<ConnectionToken & { readonly token: string }> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<ConnectionToken>(
    store,
    `insert into unified.connection_tokens as t (id, "connectionId", hash, name, "expiresAt", scopes, access, "sessionId")
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [
      ...[newId(), given.connectionId, tokenHash(token), given.name ?? '', given.expiresAt ?? null],
      given.scopes ?? DEFAULT_SCOPES,
      given.access ? JSON.stringify(given.access) : null,
      given.sessionId ?? null,
    ],
  );
  const [issued] = rows;
  if (!issued) throw new Error('The token was not stored.');
  return { ...issued, token };
}

/** Tokens of a connection of the application, oldest first; only those after a given id. */
export async function pageOfConnectionTokens(
  scope: ApplicationScope,
  {
    connectionId,
    after,
    limit,
  }: { readonly connectionId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<ConnectionToken[]> {
  const { rows } = await asOwner<ConnectionToken>(
    storeOf(scope),
    `select ${COLUMNS} from unified.connection_tokens t join unified.connections c on c.id = t."connectionId"
      where c."applicationId" = $1 and c.id = $2 and t."sessionId" is null and ($3::uuid is null or t.id > $3)
      order by t.id limit $4`,
    [scope.applicationId, connectionId, after ?? null, limit],
  );
  return rows;
}

/**
 * Returns the connection of a token, or null when it is malformed or unknown. It may have expired, and the connection
 * may be inactive: see `expiresAt` and `status`.
 */
export async function connectionByToken(store: Store, token: string): Promise<TokenHolder | null> {
  if (!FORM.test(token)) return null;
  const lookUp = lookUps.get(store) ?? inBatches((hashes) => connectionsByTokenHash(store, hashes));
  lookUps.set(store, lookUp);
  return (await lookUp(tokenHash(token))) ?? null;
}

/** With thousands of connections, nearly every request has a token that its process does not remember. */
const lookUps = new WeakMap<Store, LookUp<TokenHolder>>();

/** The connections of tokens, by the SHA-256 hashes of the tokens. */
export async function connectionsByTokenHash(
  store: Store,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, TokenHolder>> {
  const query = { name: 'holders_of_tokens', text: HOLDERS, values: [hashes] };
  const { rows } = await asOwner<TokenHolder & { hash: string }>(store, query);
  return new Map(rows.map(({ hash, ...holder }) => [hash, holder]));
}

/** Revokes a token of a connection, and returns it as it was. Null when the connection does not have it. */
export async function revokeConnectionToken(
  store: Store,
  connectionId: string,
  id: string,
): Promise<ConnectionToken | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<ConnectionToken>(
    store,
    `delete from unified.connection_tokens t where t."connectionId" = $1 and t.id = $2 returning ${COLUMNS}`,
    [connectionId, id],
  );
  return rows[0] ?? null;
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
