import type { Bearer } from './bearer.ts';
import { type Client, type ClientOptions, createClient } from './client.ts';
import { type IssuedToken, renewingBearer } from './renewing-bearer.ts';
import { responseError } from './response-error.ts';

export type { IssuedToken } from './renewing-bearer.ts';
export { type ClientCode, ServiceError, type ServiceErrorCode } from './service-error.ts';

export interface ManagementClientOptions extends Omit<ClientOptions, 'token'> {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Calls of the Management API by path, such as `client.GET('/clients/{clientId}/secrets')`, and by collection. */
export type ManagementClient = Pick<
  Client,
  | 'GET'
  | 'POST'
  | 'PUT'
  | 'PATCH'
  | 'DELETE'
  | 'audit'
  | 'clients'
  | 'connections'
  | 'endCustomers'
  | 'legacy'
  | 'logs'
  | 'platforms'
  | 'supportRequests'
  | 'systemCalls'
  | 'webhookEndpoints'
>;

/** For requests that contain the credentials instead of a token. */
const NONE: Bearer = { current: async () => '', renewed: async () => undefined };

/**
 * Creates a client of the Management API for an application. It requests an access token with the credentials before the
 * first call, and another one before it expires or after a 401. Concurrent calls share a token. Never use it in a browser: the
 * secret gives access to all connections of the application.
 *
 * @throws {TypeError} If `baseUrl` is not an address, or a credential is empty.
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  // Programs in JavaScript may pass nothing.
  const { clientId, clientSecret, ...others } = { ...options };
  for (const [name, value] of Object.entries({ clientId, clientSecret }))
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is empty. Set it.`);
  const issuer = createClient({ ...others, token: NONE });
  const issue = async (): Promise<IssuedToken> => {
    const { data, error, response } = await issuer.POST('/link/token', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    });
    if (!data) throw responseError(response, error);
    return { token: data.access_token, expiresAt: Date.parse(data.expires_at) };
  };
  return createClient({ ...others, token: renewingBearer(issue) });
}
