import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from '../mcp/end-customer-scope.ts';
import { isUuid } from '../sql/parameter.ts';
import { LIFETIME } from './agent-tokens.ts';

/** An agent that a user has authorized. */
export interface AgentAuthorization {
  readonly id: string;
  /** The id of a client of the application, or the address of the agent's metadata. */
  readonly clientId: string;
  readonly clientName: string;
  /** The personal access token with which the user authorized it. */
  readonly tokenId: string;
  readonly createdAt: string;
  /** When the agent last got an access token. */
  readonly refreshedAt: string;
  readonly expiresAt: string;
}

const COLUMNS = `a.id, a."clientId", a."clientName", a."tokenId", a."createdAt",
                 a."expiresAt" - ${LIFETIME} as "refreshedAt", a."expiresAt"`;
/** Codes that were not redeemed are not authorizations yet. */
const OF_USER = `u.id = t."userId" and t.id = a."tokenId" and u."endCustomerId" = $1 and u.id = $2
                 and a."redeemedAt" is not null and a."expiresAt" > now()`;

/** The agents that a user has authorized, oldest first. */
export async function listAgentAuthorizations(scope: EndCustomerScope, userId: string): Promise<AgentAuthorization[]> {
  const { rows } = await asOwner<AgentAuthorization>(
    storeOfCustomer(scope),
    `select ${COLUMNS}
       from unified.agent_authorizations a, unified.personal_access_tokens t, unified.mcp_users u
      where ${OF_USER} order by a.id`,
    [scope.endCustomerId, userId],
  );
  return rows;
}

/** Ends an authorization of a user and returns it as it was. Null when the user does not have it. */
export async function endAuthorizationOfUser(
  scope: EndCustomerScope,
  userId: string,
  id: string,
): Promise<AgentAuthorization | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<AgentAuthorization>(
    storeOfCustomer(scope),
    `delete from unified.agent_authorizations a using unified.personal_access_tokens t, unified.mcp_users u
      where ${OF_USER} and a.id = $3 returning ${COLUMNS}`,
    [scope.endCustomerId, userId, id],
  );
  return rows[0] ?? null;
}
