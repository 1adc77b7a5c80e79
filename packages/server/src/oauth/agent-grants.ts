import {
  type AgentGrant,
  clientBySecret,
  isAgentCode,
  isAgentRefreshToken,
  isPersonalAccessToken,
  mcpUserByToken,
  redeemAgentCode,
  refreshAgentGrant,
  revokeAgentAuthorization,
  type Store,
} from '@unified/store';
import { type AccessTokens, isSigned, MCP_SCOPE, type SignedToken } from './access-tokens.ts';
import { clientCredentials } from './client-credentials.ts';
import { invalidClient, invalidRequest, invalidScope, OAuthFault } from './oauth-fault.ts';
import type { RevocationRequest, TokenRequest } from './token-grants.ts';

/** A token for the Model Context Protocol. */
export interface AgentTokens extends SignedToken {
  /** Absent if the agent has a personal access token to get the next one. */
  readonly refreshToken?: string;
}

/** Issues and revokes tokens for the Model Context Protocol. */
export interface AgentGrants {
  /**
   * A token if the request has a personal access token as secret, or a code or refresh token of an agent; otherwise null. Throws
   * `OAuthFault`.
   */
  grant(request: TokenRequest, authorization: string | undefined): Promise<AgentTokens | null>;
  /** Ends the authorization of a token of an agent. Returns false for any other token. Throws `OAuthFault`. */
  revoke(request: RevocationRequest, authorization: string | undefined): Promise<boolean>;
}

interface Parts {
  readonly store: Store;
  readonly accessTokens: AccessTokens;
  /** Address of the Model Context Protocol. */
  readonly resource: string;
}

/** Issues tokens for a grant, or returns null if the request is not one of an agent. */
type Issue = (parts: Parts, request: TokenRequest, authorization: string | undefined) => Promise<AgentTokens | null>;

const GRANTS: Readonly<Record<string, Issue>> = {
  client_credentials: forPersonalToken,
  authorization_code: forCode,
  refresh_token: forRefreshToken,
};

export function createAgentGrants(parts: Parts): AgentGrants {
  const { store, accessTokens } = parts;
  return {
    async grant(request, authorization) {
      const issue = Object.hasOwn(GRANTS, request.grant_type) ? GRANTS[request.grant_type] : undefined;
      return issue ? issue(parts, request, authorization) : null;
    },
    async revoke(request, authorization) {
      const { token } = request;
      const id = isSigned(token) ? await accessTokens.authorizationOf(token) : null;
      if (id === null && !isAgentRefreshToken(token)) return false;
      const clientId = await clientOf(store, request, authorization);
      await revokeAgentAuthorization(store, clientId, id === null ? { refreshToken: token } : { id });
      return true;
    },
  };
}

async function forPersonalToken(parts: Parts, request: TokenRequest, authorization: string | undefined) {
  const { clientId, secret } = clientCredentials(authorization, request);
  if (!isPersonalAccessToken(secret)) return null;
  const user = await mcpUserByToken(parts.store, secret);
  if (!user || user.tokenId !== clientId || isPast(user.expiresAt)) throw invalidClient();
  checkTarget(parts, request);
  return parts.accessTokens.signForAgent(user);
}

async function forCode(parts: Parts, request: TokenRequest, authorization: string | undefined) {
  const { code = '', redirect_uri: redirectUri, code_verifier: verifier } = request;
  if (!isAgentCode(code)) return null;
  if (!redirectUri || !verifier)
    throw invalidRequest('Send redirect_uri and code_verifier with the authorization code of an agent.');
  const clientId = await clientOf(parts.store, request, authorization);
  checkTarget(parts, request);
  return signed(parts, await redeemAgentCode(parts.store, { clientId, code, redirectUri, verifier }), () => {
    const message =
      'The code does not exist, has expired, was used before, or belongs to another client, redirect URI or code_verifier. Start the authorization again.';
    return new OAuthFault('invalid_grant', 'SERVICE_INVALID_GRANT', message);
  });
}

async function forRefreshToken(parts: Parts, request: TokenRequest, authorization: string | undefined) {
  const { refresh_token: refreshToken = '' } = request;
  if (!isAgentRefreshToken(refreshToken)) return null;
  const clientId = await clientOf(parts.store, request, authorization);
  checkTarget(parts, request);
  return signed(parts, await refreshAgentGrant(parts.store, { clientId, refreshToken }), () => {
    const message =
      'The refresh token is unknown, was used before, has expired or was revoked. Start the authorization again.';
    return new OAuthFault('invalid_grant', 'SERVICE_UNAUTHORIZED', message);
  });
}

async function signed(
  { accessTokens }: Parts,
  grant: AgentGrant | null,
  refusal: () => OAuthFault,
): Promise<AgentTokens> {
  if (!grant || isPast(grant.user.expiresAt)) throw refusal();
  return { ...(await accessTokens.signForAgent(grant.user, grant)), refreshToken: grant.refreshToken };
}

/**
 * The id of the client of a request. Agents have no secret: their code is protected by the code verifier. A client that sends a
 * secret must send its own.
 */
async function clientOf(
  store: Store,
  sent: TokenRequest | RevocationRequest,
  authorization: string | undefined,
): Promise<string> {
  const { client_id: clientId, client_secret: secret } = sent;
  if (authorization === undefined && !secret) {
    if (!clientId) throw invalidClient();
    return clientId;
  }
  const credentials = clientCredentials(authorization, sent);
  if (!(await clientBySecret(store, credentials.clientId, credentials.secret))) throw invalidClient();
  return credentials.clientId;
}

/** RFC 8707, section 2. */
function checkTarget({ resource }: Parts, { resource: sent, scope = '' }: TokenRequest): void {
  if (sent !== undefined && sent !== resource) {
    const message = `Tokens of agents are for the resource ${resource}. Send this as resource.`;
    throw new OAuthFault('invalid_target', 'SERVICE_INVALID_BODY', message);
  }
  if (scope !== '' && scope !== MCP_SCOPE) throw invalidScope(scope);
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}
