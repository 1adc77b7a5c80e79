import { createHash } from 'node:crypto';
import { ServiceError } from '@unified/contract';
import type { AuthorizationResponseError, Configuration, ResponseBodyError } from 'openid-client';

/** How this service is registered with an OpenID Connect provider. */
export interface OpenIdSettings {
  /** Address of the provider, below which it describes itself. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client, which proves itself with PKCE alone. */
  readonly clientSecret?: string | undefined;
  /** What the sign-in page calls the provider. */
  readonly name: string;
  /** Whether email addresses that the provider does not report as verified identify operators as well. */
  readonly trustsEmail: boolean;
}

/** A person, as an OpenID Connect provider identifies one. */
export interface OpenIdIdentity {
  /** Issuer and subject, which never change. */
  readonly subject: string;
  /** Null if the provider reports none, or one that it has not verified. */
  readonly email: string | null;
}

/** An OpenID Connect provider with which operators sign in. */
export interface OpenIdProvider {
  readonly name: string;
  /** The address that asks the provider to identify a person, for an attempt with this secret. Throws `SERVICE_UNAVAILABLE`. */
  addressFor(secret: string): Promise<string>;
  /**
   * The person that the response identifies; it is the query with which the provider returned the browser. Throws
   * `SERVICE_UNAUTHORIZED` if the provider refused, or if the response does not belong to the attempt, and `SERVICE_UNAVAILABLE`.
   */
  identityOf(secret: string, response: string): Promise<OpenIdIdentity>;
}

const SCOPE = 'openid email profile';
/** Seconds that a request to the provider may take. */
const PATIENCE = 10;
/** How long the description of the provider is used before it is read again. */
const DESCRIPTION_MS = 3_600_000;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The page of the console to which the provider returns the browser. Register it as the redirect URI. */
export function openIdRedirectUri(publicUrl: string): string {
  return `${publicUrl}/console/openid`;
}

/** Whether an issuer can be used: over HTTPS, or on this machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || isLocal(url));
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname);
}

/**
 * Signs operators in with the authorization code flow of OpenID Connect, with PKCE. State, nonce and code verifier are derived
 * from the secret of the attempt, which only the browser has, so nothing is stored here.
 */
export function openIdProvider(settings: OpenIdSettings, publicUrl: string): OpenIdProvider {
  const redirectUri = openIdRedirectUri(publicUrl);
  const configuration = describedProvider(settings);
  return {
    name: settings.name,
    async addressFor(secret) {
      // Loaded by the first sign-in, so that the start does not wait for it.
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const { state, nonce, verifier } = proofsOf(secret);
      const url = buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: redirectUri, scope: SCOPE, state, nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
      return url.href;
    },
    async identityOf(secret, response) {
      const provider = await configuration();
      const claims = await claimsIn(provider, new URL(`${redirectUri}?${response}`), proofsOf(secret));
      const { iss, sub, email, email_verified: isVerified } = claims;
      const isTrusted = isVerified === true || settings.trustsEmail;
      return { subject: `${iss} ${sub}`, email: typeof email === 'string' && isTrusted ? email : null };
    },
  };
}

/** Values that prove that a response belongs to an attempt. None of them reveals the secret or another one. */
function proofsOf(secret: string) {
  const derived = (purpose: string) => createHash('sha256').update(`${purpose} ${secret}`).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
}

/** Reads the description of the provider when it is first used, and once per hour. A failure is not cached. */
function describedProvider({ issuer, clientId, clientSecret }: OpenIdSettings): () => Promise<Configuration> {
  let known: { readonly at: number; readonly description: Promise<Configuration> } | undefined;
  const describe = async () => {
    const { allowInsecureRequests, discovery, None } = await import('openid-client');
    const url = new URL(issuer);
    const execute = isLocal(url) ? [allowInsecureRequests] : [];
    const authentication = clientSecret === undefined ? None() : undefined;
    return discovery(url, clientId, clientSecret, authentication, { execute, timeout: PATIENCE }).catch(
      (error: unknown) => {
        throw unreachable(error);
      },
    );
  };
  return () => {
    if (known && Date.now() - known.at < DESCRIPTION_MS) return known.description;
    const description = describe();
    known = { at: Date.now(), description };
    description.catch(() => {
      known = undefined;
    });
    return description;
  };
}

/** What the provider says about the person, from the token and, if the token has no email address, from its user info. */
async function claimsIn(
  provider: Configuration,
  address: URL,
  { state, nonce, verifier }: ReturnType<typeof proofsOf>,
): Promise<Readonly<Record<string, unknown>>> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  try {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(provider, address, checks);
    const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims;
    return { ...(await fetchUserInfo(provider, tokens.access_token, String(claims.sub))), iss: claims.iss };
  } catch (error) {
    throw await refusalOf(error);
  }
}

/** The error of a response that identifies no one. */
async function refusalOf(error: unknown): Promise<ServiceError> {
  const library = await import('openid-client');
  if (error instanceof library.AuthorizationResponseError) return refused(error);
  if (error instanceof library.ResponseBodyError)
    return error.error === 'invalid_grant' ? expiredSignIn(error) : rejected(error);
  const isTimeout = error instanceof library.ClientError && error.code === 'OAUTH_TIMEOUT';
  return error instanceof library.ClientError && !isTimeout ? expiredSignIn(error) : unreachable(error);
}

function refused({ error }: AuthorizationResponseError): ServiceError {
  // Anyone can change the address.
  const code = /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : '';
  return new ServiceError('SERVICE_UNAUTHORIZED', `The provider refused the sign-in${code}. Sign in again.`);
}

/** The response does not belong to an attempt of this browser that is still open. */
export function expiredSignIn(cause?: unknown): ServiceError {
  const message = 'This sign-in was started in another browser, or has expired. Sign in again.';
  return new ServiceError('SERVICE_UNAUTHORIZED', message, { cause });
}

/** The provider does not accept this service as a client. */
function rejected({ error }: ResponseBodyError): ServiceError {
  const message = `The provider refuses this service (${error}). Check OPENID_CLIENT_ID and OPENID_CLIENT_SECRET.`;
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 60 });
}

function unreachable(cause: unknown): ServiceError {
  const message = 'The OpenID Connect provider cannot be reached. Retry, or sign in with a password.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 10, cause });
}
