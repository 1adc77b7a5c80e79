import { dataPrefix } from '@unified/contract';
import { type AuthorizingClient, authorizingClient, isUuid, type Store } from '@unified/store';

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

/** Values of `error` in RFC 6749, section 4.1.2.1, and RFC 8707. */
export type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error';

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

/** Maximum length of `state`; clients store signed data in it. */
const LONGEST_STATE = 2_000;
const CHALLENGE = /^[\w-]{43}$/;
const SCOPE = 'data';

/**
 * Reads a request from the text after the `?`. Parameters without a value are treated as absent, and unknown ones are ignored.
 */
export async function readAuthorizationRequest(
  store: Store,
  queryText: string,
  publicUrl: string,
): Promise<ReadAuthorization> {
  const sent = new Parameters(queryText);
  const clientId = sent.single('client_id');
  const client = clientId === undefined ? null : await authorizingClient(store, clientId);
  if (!client) return { kind: 'refused', reason: 'client' };
  const redirectUri = sent.single('redirect_uri');
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri))
    return { kind: 'refused', reason: 'redirect' };
  const state = sent.single('state');
  const fault = faultOf(sent, publicUrl);
  if (fault)
    return { kind: 'error', ...fault, redirectUri, state: (state ?? '').length > LONGEST_STATE ? undefined : state };
  const request = {
    ...{ redirectUri, state, challenge: sent.single('code_challenge') },
    ...{ platform: sent.single('platform'), connectionId: sent.single('connection'), locale: sent.single('locale') },
  };
  return { kind: 'valid', client, request };
}

type Fault = Pick<Extract<ReadAuthorization, { kind: 'error' }>, 'error' | 'description'>;

function faultOf(sent: Parameters, publicUrl: string): Fault | undefined {
  const { repeated } = sent;
  if (repeated !== undefined) return fault('invalid_request', `Send ${repeated} once.`);
  const responseType = sent.single('response_type');
  if (responseType === undefined) return fault('invalid_request', 'Send response_type=code.');
  if (responseType !== 'code') return fault('unsupported_response_type', 'response_type must be code.');
  if ((sent.single('state') ?? '').length > LONGEST_STATE)
    return fault('invalid_request', `state must have at most ${LONGEST_STATE} characters.`);
  const challenge = sent.single('code_challenge');
  const method = sent.single('code_challenge_method');
  if ((challenge ?? method) !== undefined && method !== 'S256')
    return fault('invalid_request', 'code_challenge_method must be S256.');
  if (method !== undefined && !CHALLENGE.test(challenge ?? ''))
    return fault('invalid_request', 'code_challenge must be the base64url form of a SHA-256 hash.');
  if ((sent.single('scope') ?? SCOPE) !== SCOPE) return fault('invalid_scope', `scope must be ${SCOPE}.`);
  const connection = sent.single('connection');
  if (connection !== undefined && !isUuid(connection)) return fault('invalid_request', 'connection must be a UUID.');
  const api = publicUrl + dataPrefix;
  if ((sent.single('resource') ?? api) !== api) return fault('invalid_target', `resource must be ${api}.`);
  return undefined;
}

function fault(error: AuthorizationError, description: string): Fault {
  return { error, description };
}

/** The parameters of a query. */
class Parameters {
  readonly #values = new Map<string, string[]>();

  constructor(queryText: string) {
    for (const [name, value] of new URLSearchParams(queryText))
      if (value !== '') this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  /** The value of a parameter; undefined if it is absent or repeated. */
  single(name: string): string | undefined {
    const values = this.#values.get(name) ?? [];
    return values.length === 1 ? values[0] : undefined;
  }

  /** The name of a repeated parameter, if there is one. */
  get repeated(): string | undefined {
    return KNOWN.find((name) => (this.#values.get(name) ?? []).length > 1);
  }
}

const KNOWN = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method'],
  ...['scope', 'resource', 'platform', 'connection', 'locale'],
];

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
