import type { Request } from '@unified/contract';
import type { Engine } from '@unified/engine';
import {
  type AuthenticatedClient,
  clientBySecret,
  type Granted,
  type GrantRefusal,
  type IssuedTokens,
  refreshTokens,
  revokeRefreshToken,
  revokeTokenFamily,
  type Store,
  startTokenFamily,
} from '@unified/store';
import { type AccessTokens, isSigned } from './access-tokens.ts';
import { clientCredentials } from './client-credentials.ts';
import { invalidClient, invalidRequest, invalidScope, OAuthFault } from './oauth-fault.ts';

export type TokenRequest = Request<'issueToken'>['body'];
export type RevocationRequest = Request<'revokeToken'>['body'];

/** A pair of tokens as both token endpoints return it. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970 at which the access token expires. */
  readonly expiresAt: number;
  readonly scope: Scope;
}

/** Each grant has one scope: the Management API for the client itself, or the data of a connection. */
export type Scope = 'management' | 'data';
export const SCOPES: readonly Scope[] = ['management', 'data'];

/** Issues and revokes tokens. */
export interface TokenGrants {
  /** Throws `OAuthFault`. */
  grant(request: TokenRequest, authorization: string | undefined): Promise<TokenPair>;
  /** Throws `OAuthFault` only for missing or wrong credentials of the client. */
  revoke(request: RevocationRequest, authorization: string | undefined): Promise<void>;
}

interface Parts {
  readonly store: Store;
  readonly engine: Pick<Engine, 'authorizedConnectionsOf'>;
  readonly accessTokens: AccessTokens;
}

type Issue = (parts: Parts, client: AuthenticatedClient, request: TokenRequest) => Promise<IssuedTokens>;

const GRANTS: Readonly<Record<string, Issue>> = {
  client_credentials: forClient,
  authorization_code: forCode,
  refresh_token: forRefreshToken,
};
/** Values of `grant_type`. */
export const GRANT_TYPES: readonly string[] = Object.keys(GRANTS);

export function createTokenGrants(parts: Parts): TokenGrants {
  const { store, accessTokens } = parts;
  const authenticated = async (sent: TokenRequest | RevocationRequest, authorization: string | undefined) => {
    const { clientId, secret } = clientCredentials(authorization, sent);
    const client = await clientBySecret(store, clientId, secret);
    if (!client) throw invalidClient();
    return client;
  };
  return {
    async grant(request, authorization) {
      const issue = Object.hasOwn(GRANTS, request.grant_type) ? GRANTS[request.grant_type] : undefined;
      if (!issue) throw unsupported(request.grant_type);
      const client = await authenticated(request, authorization);
      const issued = await issue(parts, client, request);
      const { token, expiresAt } = await accessTokens.sign(issued);
      return { accessToken: token, refreshToken: issued.refreshToken, expiresAt, scope: issued.scope as Scope };
    },
    async revoke(request, authorization) {
      const { clientId } = await authenticated(request, authorization);
      const { token } = request;
      if (!isSigned(token)) return revokeRefreshToken(store, clientId, token);
      const familyId = await accessTokens.familyOf(token);
      if (familyId !== null) await revokeTokenFamily(store, clientId, familyId);
    },
  };
}

function forClient({ store }: Parts, client: AuthenticatedClient, request: TokenRequest): Promise<IssuedTokens> {
  const { clientId, secretId } = client;
  const scope = requestedScope(request, 'management');
  return startTokenFamily(store, { clientId, secretId, connectionId: null, scope });
}

async function forCode(
  { store, engine }: Parts,
  { clientId, applicationId }: AuthenticatedClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = request;
  if (!code || !redirectUri) throw invalidRequest('Send code and redirect_uri with the grant authorization_code.');
  const scope = requestedScope(request, 'data');
  const connections = engine.authorizedConnectionsOf(store.application(applicationId));
  const granted = await connections.redeem({ clientId, code, redirectUri, verifier }, scope);
  return issuedOr(granted, () => {
    const message =
      'The code does not exist, has expired, was used before, or belongs to another client, redirect URI or code_verifier. Start the authorization again.';
    return new OAuthFault('invalid_grant', 'SERVICE_INVALID_GRANT', message);
  });
}

async function forRefreshToken(
  { store }: Parts,
  { clientId, secretId }: AuthenticatedClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { refresh_token: refreshToken, scope = '' } = request;
  if (!refreshToken) throw invalidRequest('Send refresh_token with the grant refresh_token.');
  const wanted = scope === '' ? undefined : scope;
  const granted = await refreshTokens(store, { clientId, secretId, refreshToken, scope: wanted });
  return issuedOr(granted, (refused) => refusedRefresh(refused, scope));
}

function refusedRefresh(refused: GrantRefusal, scope: string): OAuthFault {
  if (refused === 'scope') return invalidScope(scope);
  if (refused === 'expired') {
    const message = 'The refresh token has expired. Start again with client credentials or an authorization.';
    return new OAuthFault('invalid_grant', 'SERVICE_TOKEN_EXPIRED', message);
  }
  const message = 'The refresh token is unknown, was used before or was revoked. Use the latest one, or start again.';
  return new OAuthFault('invalid_grant', 'SERVICE_UNAUTHORIZED', message);
}

function issuedOr(granted: Granted, refusal: (refused: GrantRefusal) => OAuthFault): IssuedTokens {
  if ('refused' in granted) throw refusal(granted.refused);
  return granted;
}

/** The scope of a grant. Throws `invalid_scope` if another one is requested. */
function requestedScope({ scope }: TokenRequest, granted: Scope): Scope {
  if (!scope || scope === granted) return granted;
  throw invalidScope(scope);
}

function unsupported(grantType: string): OAuthFault {
  const message = `There is no grant_type "${grantType.slice(0, 80)}". Use one of ${GRANT_TYPES.join(', ')}.`;
  return new OAuthFault('unsupported_grant_type', 'SERVICE_INVALID_GRANT', message);
}
