import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

const PREFIX = 'pat_';
const FORM = /^pat_[A-Za-z0-9_-]{43}$/;
/** The form of a token, for messages. */
export const PERSONAL_ACCESS_TOKEN_FORM = '"pat_" followed by 43 letters, digits, "-" or "_"';
/** Characters of a token that lists show. */
const HINT = 4;

/** A token of an MCP user, without its value. */
export interface PersonalAccessToken {
  readonly id: string;
  readonly name: string | null;
  /** Its last four characters. */
  readonly hint: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** When a request was last sent with it, to the minute. */
  readonly lastUsedAt: string | null;
}

/** The user that a token belongs to. */
export interface McpTokenHolder {
  readonly applicationId: string;
  readonly endCustomerId: string;
  readonly userId: string;
  readonly tokenId: string;
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
}

const COLUMNS = ['id', 'name', 'hint', 'createdAt', 'expiresAt', 'lastUsedAt'].map((each) => `t."${each}"`).join(', ');

/** Tokens of a user, oldest first. */
export async function listPersonalAccessTokens(
  scope: EndCustomerScope,
  userId: string,
): Promise<PersonalAccessToken[]> {
  const { rows } = await asOwner<PersonalAccessToken>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.personal_access_tokens t join unified.mcp_users u on u.id = t."userId"
      where u."endCustomerId" = $1 and u.id = $2 order by t.id`,
    [scope.endCustomerId, userId],
  );
  return rows;
}

/** Creates a token of a user, which must exist. Its value is returned once; only its hash is stored. */
export async function createPersonalAccessToken(
  scope: EndCustomerScope,
  given: { readonly userId: string; readonly name?: string | undefined; readonly expiresAt?: string | undefined },
): Promise<PersonalAccessToken & { readonly token: string }> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<PersonalAccessToken>(
    storeOfCustomer(scope),
    `insert into unified.personal_access_tokens as t (id, "userId", hash, name, hint, "expiresAt")
     select $1, u.id, $4, $5, $6, $7 from unified.mcp_users u where u."endCustomerId" = $2 and u.id = $3
     returning ${COLUMNS}`,
    [
      ...[newId(), scope.endCustomerId, given.userId, tokenHash(token), given.name ?? null, token.slice(-HINT)],
      given.expiresAt ?? null,
    ],
  );
  const [made] = rows;
  if (!made) throw new Error('The token was not created.');
  return { ...made, token };
}

/** Revokes a token of a user and returns it as it was. Null when the user does not have it. */
export async function revokePersonalAccessToken(
  scope: EndCustomerScope,
  userId: string,
  id: string,
): Promise<PersonalAccessToken | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<PersonalAccessToken>(
    storeOfCustomer(scope),
    `delete from unified.personal_access_tokens t using unified.mcp_users u
      where u.id = t."userId" and u."endCustomerId" = $1 and u.id = $2 and t.id = $3 returning ${COLUMNS}`,
    [scope.endCustomerId, userId, id],
  );
  return rows[0] ?? null;
}

/**
 * Returns the user of a token, or null when it is malformed or unknown, or the user is not active. It may have expired. Records
 * its use, to the minute.
 */
export async function mcpUserByToken(store: Store, token: string): Promise<McpTokenHolder | null> {
  return isPersonalAccessToken(token) ? userBy(store, 't.hash', tokenHash(token)) : null;
}

/** The same by the id of a token, which must be known to be valid. */
export async function mcpUserByTokenId(store: Store, tokenId: string): Promise<McpTokenHolder | null> {
  return isUuid(tokenId) ? userBy(store, 't.id', tokenId) : null;
}

/** Whether a text has the form of a personal access token. */
export function isPersonalAccessToken(text: string): boolean {
  return FORM.test(text);
}

async function userBy(store: Store, column: 't.hash' | 't.id', value: string | Buffer): Promise<McpTokenHolder | null> {
  const { rows } = await asOwner<McpTokenHolder & { readonly isRecent: boolean }>(
    store,
    `select t.id as "tokenId", u.id as "userId", u."endCustomerId", e."applicationId", t."expiresAt",
            coalesce(t."lastUsedAt" > now() - interval '1 minute', false) as "isRecent"
       from unified.personal_access_tokens t join unified.mcp_users u on u.id = t."userId"
       join unified.end_customers e on e.id = u."endCustomerId"
      where ${column} = $1 and u."isActive"`,
    [value],
  );
  const [found] = rows;
  if (!found) return null;
  const { isRecent, ...holder } = found;
  if (!isRecent) await recordUse(store, holder);
  return holder;
}

async function recordUse(store: Store, { tokenId, userId }: McpTokenHolder): Promise<void> {
  await asOwner(
    store,
    `with used as (update unified.personal_access_tokens set "lastUsedAt" = date_trunc('minute', now()) where id = $1)
     update unified.mcp_users set "lastSeenAt" = date_trunc('minute', now()) where id = $2`,
    [tokenId, userId],
  );
}
