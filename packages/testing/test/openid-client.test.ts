import { applicationSecret, issueAuthorizationCode } from '@unified/store';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  customFetch,
  discovery,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api as startApi, type TestApi } from '../src/index.ts';

const REDIRECT = 'https://portal.northwind.example/callback';

let api: TestApi;

beforeAll(async () => {
  api = await startApi({ rateLimits: { token: 1_000_000 } });
});
afterAll(() => api.stop());

/** Methods of authentication that the metadata lists. */
const methods = { client_secret_basic: ClientSecretBasic, client_secret_post: ClientSecretPost };

describe.each(Object.entries(methods))('an independent OAuth client with %s', (_, authentication) => {
  /** Discovers the server from its metadata. In tests, the public address is not the address at which servers listen. */
  async function configured(): Promise<Configuration> {
    const clientId = api.connection.applicationId;
    const secret = (await applicationSecret(api.store, clientId)) ?? '';
    const toServer: typeof fetch = (input, init) =>
      fetch(String(input).replace(api.store.publicUrl, api.baseUrl), init as RequestInit);
    return discovery(new URL(api.store.publicUrl), clientId, undefined, authentication(secret), {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
      [customFetch]: toServer as never,
    });
  }

  it('discovers the server, and gets, refreshes and revokes tokens', async () => {
    const client = await configured();
    const first = await clientCredentialsGrant(client);
    expect(first).toMatchObject({ token_type: 'bearer', scope: 'management' });
    const second = await refreshTokenGrant(client, first.refresh_token ?? '');
    expect(second.access_token).not.toBe(first.access_token);
    await tokenRevocation(client, second.refresh_token ?? '');
    await expect(refreshTokenGrant(client, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('redeems an authorization code with PKCE, checks the issuer and reads data', async () => {
    const client = await configured();
    const verifier = randomPKCECodeVerifier();
    const challenge = await calculatePKCECodeChallenge(verifier);
    const parameters = { redirect_uri: REDIRECT, code_challenge: challenge, code_challenge_method: 'S256' };
    expect(buildAuthorizationUrl(client, parameters).href).toContain('/oauth/authorize?');
    const { applicationId: clientId, connectionId } = api.connection;
    const code = await issueAuthorizationCode(api.store, { clientId, connectionId, redirectUri: REDIRECT, challenge });
    const callback = new URL(REDIRECT);
    callback.search = new URLSearchParams({ code, iss: api.store.publicUrl }).toString();
    const { access_token: token } = await authorizationCodeGrant(client, callback, { pkceCodeVerifier: verifier });
    expect((await api.fetch('/v4/vendors', { token })).status).toBe(200);
  });
});
