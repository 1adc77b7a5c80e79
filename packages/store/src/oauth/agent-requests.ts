import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import type { McpTokenHolder } from '../mcp/personal-access-tokens.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';

/** What an agent requests of a user, in the browser of that user. */
export interface AgentRequest {
  /** The id of a client of the application, or the address of the agent's metadata. */
  readonly clientId: string;
  readonly clientName: string;
  /** Where the user returns to, as it was sent. */
  readonly redirectUri: string;
  /** `code_challenge` of RFC 7636, method S256. */
  readonly challenge: string;
  /** Null if none was sent. */
  readonly state: string | null;
}

/** A request that was not decided. */
export interface OpenAgentRequest extends AgentRequest {
  readonly id: string;
}

const CODE_PREFIX = 'mac_';

/**
 * Stores a request, which a user can decide within an hour, in the browser with this secret. Requests and authorizations that
 * expired a day ago are removed. Returns its id, which is not a secret.
 */
export async function createAgentRequest(
  store: Store,
  { clientId, clientName, redirectUri, challenge, state, browser }: AgentRequest & { readonly browser: string },
): Promise<string> {
  const id = newId();
  await asOwner(
    store,
    `with outdated as (
       delete from unified.agent_authorizations where "expiresAt" < now() - interval '1 day')
     insert into unified.agent_authorizations (id, "clientId", "clientName", "redirectUri", challenge, state, browser, "expiresAt")
     values ($1, $2, $3, $4, $5, $6, $7, now() + interval '1 hour')`,
    [id, clientId, clientName, redirectUri, challenge, state, tokenHash(browser)],
  );
  return id;
}

const IS_OPEN = `code is null and "expiresAt" > now()`;

/** A request of this browser that was not decided and has not expired, or null. */
export async function openAgentRequest(store: Store, id: string, browser: string): Promise<OpenAgentRequest | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<OpenAgentRequest>(
    store,
    `select id, "clientId", "clientName", "redirectUri", challenge, state
       from unified.agent_authorizations where id = $1 and browser = $2 and ${IS_OPEN}`,
    [id, tokenHash(browser)],
  );
  return rows[0] ?? null;
}

/**
 * Grants a request with the personal access token of a user. Returns the code for it, which can be redeemed once within 5
 * minutes; only its hash is stored. Null if the request was decided or has expired.
 */
export async function grantAgentRequest(
  store: Store,
  id: string,
  { tokenId }: Pick<McpTokenHolder, 'tokenId'>,
): Promise<string | null> {
  const code = randomToken(CODE_PREFIX);
  const { rowCount } = await asOwner(
    store,
    `update unified.agent_authorizations set "tokenId" = $2, code = $3, "codeExpiresAt" = now() + interval '5 minutes'
      where id = $1 and ${IS_OPEN}`,
    [id, tokenId, tokenHash(code)],
  );
  return rowCount === 1 ? code : null;
}

/** Removes a request that its user refused. Returns false if it was decided or has expired. */
export async function refuseAgentRequest(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(store, `delete from unified.agent_authorizations where id = $1 and ${IS_OPEN}`, [
    id,
  ]);
  return rowCount === 1;
}

/** Whether a text has the form of a code for an agent. */
export function isAgentCode(text: string): boolean {
  return text.startsWith(CODE_PREFIX);
}
