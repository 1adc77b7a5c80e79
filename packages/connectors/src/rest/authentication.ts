import type { IncomingHttpHeaders } from 'node:http';
import { checkedToken } from '../checked-token.ts';
import type { HttpClient } from '../http/http-client.ts';
import { ClientToken } from '../oauth/client-token.ts';
import { RefreshedToken, type TokenHost } from '../oauth/refreshed-token.ts';
import { basic, bearer } from '../oauth/request-token.ts';
import { cookiesIn, secretsInCookies } from '../session-cookies.ts';
import { SystemError } from '../system-error.ts';
import { filled, urlOf } from './call-url.ts';
import { valueAt } from './json-body.ts';
import {
  type Authentication,
  type PlatformOptions,
  type SecretHeader,
  type SessionLogin,
  tokenIssuer,
} from './options.ts';
import { type RestSettings, withSettings } from './settings.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers that authenticate a call, if they need no login. */
export function secretHeaders(authentication: Authentication, settings: RestSettings): Headers {
  const { header } = authentication;
  const { user, password, token, apiKey, apiSecret } = settings;
  if (header?.value !== undefined) {
    return headerWith(header, filled(header.value, { user, password, token, apiKey, apiSecret }, String));
  }
  if (header) return headerWith(header, token);
  if (authentication.basic) return { authorization: basic(user, password) };
  return authentication.bearer ? { authorization: bearer(token) } : {};
}

/** An access token that is renewed when it expires or is refused. */
export type RenewedToken = Pick<RefreshedToken, 'header' | 'renews'>;

/** A connection to a system, as far as its access token depends on it. */
interface TokenConnection {
  readonly name: string;
  readonly options: PlatformOptions;
  readonly settings: RestSettings;
  readonly tokenUrl: URL;
}

/** Where a system issues the access tokens with which it is called; undefined for other systems. @throws {SystemError} */
export function tokenAddress({ authentication }: PlatformOptions, settings: RestSettings): URL | undefined {
  const issuer = tokenIssuer(authentication);
  if (!issuer) return undefined;
  const address = settings.tokenUrl || issuer.tokenUrl;
  if (address === undefined) throw new SystemError('rejected', 'The setting "tokenUrl" is missing');
  return address.startsWith('/') ? urlOf(settings.base, address) : new URL(address);
}

/** The access token of a system that issues tokens at an address. */
export function renewedToken(
  { name, options, settings, tokenUrl }: TokenConnection,
  http: HttpClient,
  host: TokenHost,
): RenewedToken {
  const { clientCredentials } = options.authentication;
  if (!clientCredentials) return new RefreshedToken(name, { ...settings, tokenUrl }, http, host);
  const { sentIn, parameters } = clientCredentials;
  const scope = settings.scope || clientCredentials.scope;
  const { clientId, clientSecret } = settings;
  const checked = 'the settings "clientId" and "clientSecret", the address and the scope';
  const client = { clientId, clientSecret, tokenUrl, sentIn, scope, checked };
  return new ClientToken({ ...client, parameters: withSettings(parameters, settings) }, http, host.secretIssued);
}

/** Headers for the calls of a session, from the response to its login. @throws {SystemError} `invalid` if it has none */
export function sessionHeaders({ token, header }: SessionLogin, headers: IncomingHttpHeaders, body: unknown): Headers {
  if (header) {
    const value = valueAt(body, token);
    if (typeof value === 'string' && value !== '') return headerWith(header, checkedToken(value));
    throw new SystemError('invalid', `The response to the login has no token at "${token}"`);
  }
  const cookie = cookiesIn(headers);
  if (cookie === undefined) throw new SystemError('invalid', 'The response to the login sets no cookie');
  return { cookie };
}

/** The secrets in the headers of a session. */
export function sessionSecrets({ header }: SessionLogin, headers: Headers): string[] {
  const [value = ''] = Object.values(headers);
  return header ? [value.slice(header.prefix?.length)] : secretsInCookies(value);
}

function headerWith({ name, prefix = '' }: SecretHeader, value: string): Headers {
  return { [name.toLowerCase()]: `${prefix}${value}` };
}
