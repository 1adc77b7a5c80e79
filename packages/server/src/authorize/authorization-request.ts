import { dataPrefix } from '@unified/contract';
import { type AuthorizingClient, authorizingClient, isUuid, type Store } from '@unified/store';
import { type AuthorizationError, commonFault, fault, type RequestFault, returnedState } from './request-faults.ts';
import { RequestParameters } from './request-parameters.ts';

/** What an end user is asked to connect. */
export interface ConnectRequest {
  /** The only platform that the end user can choose. */
  readonly platform?: string | undefined;
  /** The connection whose access is renewed. */
  readonly connectionId?: string | undefined;
  readonly locale?: string | undefined;
}

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest extends ConnectRequest {
  /** As it was sent, which is identical to the registered one. */
  readonly redirectUri: string;
  readonly state?: string | undefined;
  /** `code_challenge` of RFC 7636, method S256. */
  readonly challenge?: string | undefined;
}

/**
 * The result of reading a request. If the client or the redirect URI is wrong, the end user is not redirected, because the
 * address may belong to an attacker. Any other error is returned to the client at its redirect URI.
 */
export type ReadAuthorization =
  | { readonly kind: 'valid'; readonly client: AuthorizingClient; readonly request: AuthorizationRequest }
  | { readonly kind: 'refused'; readonly reason: 'client' | 'redirect' }
  | {
      readonly kind: 'error';
      readonly error: AuthorizationError;
      readonly description: string;
      readonly redirectUri: string;
      readonly state: string | undefined;
    };

const SCOPE = 'data';

/**
 * Reads a request from the text after the `?`. Parameters without a value are treated as absent, and unknown ones are ignored.
 */
export async function readAuthorizationRequest(
  store: Store,
  queryText: string,
  publicUrl: string,
): Promise<ReadAuthorization> {
  const sent = new RequestParameters(queryText);
  const clientId = sent.single('client_id');
  const client = clientId === undefined ? null : await authorizingClient(store, clientId);
  if (!client) return { kind: 'refused', reason: 'client' };
  const redirectUri = sent.single('redirect_uri');
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri))
    return { kind: 'refused', reason: 'redirect' };
  const wrong = commonFault(sent) ?? ownFault(sent, publicUrl);
  if (wrong) return { kind: 'error', ...wrong, redirectUri, state: returnedState(sent) };
  const request = {
    ...{ redirectUri, state: sent.single('state'), challenge: sent.single('code_challenge') },
    ...{ platform: sent.single('platform'), connectionId: sent.single('connection'), locale: sent.single('locale') },
  };
  return { kind: 'valid', client, request };
}

/** The first fault of what only the authorization of end users has. */
function ownFault(sent: RequestParameters, publicUrl: string): RequestFault | undefined {
  if ((sent.single('scope') ?? SCOPE) !== SCOPE) return fault('invalid_scope', `scope must be ${SCOPE}.`);
  const connection = sent.single('connection');
  if (connection !== undefined && !isUuid(connection)) return fault('invalid_request', 'connection must be a UUID.');
  const api = publicUrl + dataPrefix;
  if ((sent.single('resource') ?? api) !== api) return fault('invalid_target', `resource must be ${api}.`);
  return undefined;
}

/**
 * The address of the response: the redirect URI with these parameters, and `iss` (RFC 9207). It contains only ASCII, so that no
 * value can add a header.
 */
export function redirectAddress(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  issuer: string,
): string {
  const given = Object.entries({ ...parameters, iss: issuer }).filter((each): each is [string, string] => !!each[1]);
  const { href } = new URL(redirectUri);
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
