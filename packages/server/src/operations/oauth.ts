import { addressOf, type Request, type Response } from '@unified/contract';
import { MCP_SCOPE, mcpResource } from '../oauth/access-tokens.ts';
import type { AgentTokens } from '../oauth/agent-grants.ts';
import { GRANT_TYPES, SCOPES, type TokenPair } from '../oauth/token-grants.ts';
import { RefusedPage } from '../refused-page.ts';
import type { OAuthContext } from './context.ts';

/** Every response has `Cache-Control: no-store`; responses with tokens also need this header (RFC 6749, section 5.1). */
const NOT_CACHED = { Pragma: 'no-cache' } as const;

/** Issues a pair of tokens; `expires_in` is in seconds. Errors have the format of RFC 6749. */
export async function issueToken({ body }: Request<'issueToken'>, context: OAuthContext) {
  const forAgent = await context.agentGrants.grant(body, context.authorization);
  if (forAgent) return { status: 200, headers: NOT_CACHED, body: agentBody(forAgent) } as const;
  const pair = await context.grants.grant(body, context.authorization);
  const expires_in = Math.round((pair.expiresAt - Date.now()) / 1000);
  return { status: 200, headers: NOT_CACHED, body: { ...pairBody(pair), expires_in, scope: pair.scope } } as const;
}

/** The same; `expires_in` is a Unix timestamp, and errors have the format of the data API. */
export async function linkToken({ body }: Request<'linkToken'>, context: OAuthContext) {
  const pair = await context.grants.grant(body, context.authorization);
  return { status: 200, headers: NOT_CACHED, body: { ...pairBody(pair), expires_in: pair.expiresAt / 1000 } } as const;
}

/** The body for an agent. With client credentials, there is no refresh token (RFC 6749, section 4.4.3). */
function agentBody({ token, expiresAt, refreshToken }: AgentTokens) {
  const expires_in = Math.max(0, Math.round((expiresAt - Date.now()) / 1000));
  const expires_at = new Date(expiresAt).toISOString();
  const issued = { access_token: token, token_type: 'bearer', expires_at, expires_in, scope: MCP_SCOPE } as const;
  return refreshToken === undefined ? issued : { ...issued, refresh_token: refreshToken };
}

function pairBody({ accessToken, refreshToken, expiresAt }: TokenPair) {
  const expires_at = new Date(expiresAt).toISOString();
  return { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_at } as const;
}

/** Redirects to the page of a new authorization, or to the client with an error. Throws `RefusedPage`. */
export async function authorize(_request: unknown, context: OAuthContext): Promise<Response<'authorize'>> {
  const begun = await context.beginAuthorization();
  if (begun.status !== 302) throw new RefusedPage(begun);
  return { status: 302, headers: begun.headers ?? {} };
}

/** Revokes the family of a token. Returns 200 even if there is nothing to revoke. */
export async function revokeToken({ body }: Request<'revokeToken'>, context: OAuthContext) {
  const { grants, agentGrants, authorization } = context;
  if (!(await agentGrants.revoke(body, authorization))) await grants.revoke(body, authorization);
  return { status: 200, body: {} } as const;
}

/** The public keys of access tokens. */
export async function getJwks(_request: unknown, { accessTokens }: OAuthContext) {
  return { status: 200, body: { keys: await accessTokens.publishedKeys() } } as const;
}

/** Where tokens for this address are issued (RFC 9728). */
export async function getProtectedResourceMetadata(_request: unknown, { publicUrl }: OAuthContext) {
  const body = {
    resource: mcpResource(publicUrl),
    authorization_servers: [publicUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: [MCP_SCOPE],
    resource_name: 'Unified Business-Data API',
    resource_documentation: `${publicUrl}/docs/agents-and-mcp`,
  };
  return { status: 200, body } as const;
}

/** `none` is for agents, which have no secret. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/** The metadata of the authorization server (RFC 8414). */
export async function getAuthorizationServerMetadata(
  _request: unknown,
  { publicUrl }: OAuthContext,
): Promise<Response<'getAuthorizationServerMetadata'>> {
  return {
    status: 200,
    body: {
      issuer: publicUrl,
      authorization_endpoint: publicUrl + addressOf('authorize'),
      token_endpoint: publicUrl + addressOf('issueToken'),
      revocation_endpoint: publicUrl + addressOf('revokeToken'),
      jwks_uri: publicUrl + addressOf('getJwks'),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [...GRANT_TYPES],
      scopes_supported: [...SCOPES, MCP_SCOPE],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    },
  };
}
