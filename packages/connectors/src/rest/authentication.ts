import type { IncomingHttpHeaders } from 'node:http';
import type { HttpClient } from '../http/http-client.ts';
import { RefreshedToken } from '../oauth/refreshed-token.ts';
import type { TokenStore } from '../oauth/token-store.ts';
import { SystemError } from '../system-error.ts';
import { filled } from './call-url.ts';
import { valueAt } from './json-body.ts';
import type { Authentication, PlatformOptions, SecretHeader, SessionLogin } from './options.ts';
import type { RestSettings } from './settings.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers that authenticate a call, if they need no login. */
export function secretHeaders({ header, basic, bearer }: Authentication, settings: RestSettings): Headers {
  const { user, password, token, apiKey, apiSecret } = settings;
  if (header?.value !== undefined) {
    return headerWith(header, filled(header.value, { user, password, token, apiKey, apiSecret }, String));
  }
  if (header) return headerWith(header, token);
  if (basic) return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return bearer ? { authorization: `Bearer ${token}` } : {};
}

/** The access token of a system that is called with one that is renewed; undefined for other systems. */
export function refreshedToken(
  {
    name,
    options,
    settings,
  }: { readonly name: string; readonly options: PlatformOptions; readonly settings: RestSettings },
  http: HttpClient,
  tokens: TokenStore,
): RefreshedToken | undefined {
  const { refreshToken } = options.authentication;
  if (!refreshToken) return undefined;
  const tokenUrl = new URL(settings.tokenUrl || refreshToken.tokenUrl);
  return new RefreshedToken(name, { ...settings, tokenUrl }, http, tokens);
}

/** Headers for the calls of a session, from the response to its login. @throws {SystemError} `invalid` if it has none */
export function sessionHeaders({ token, header }: SessionLogin, headers: IncomingHttpHeaders, body: unknown): Headers {
  if (header) {
    const value = valueAt(body, token);
    if (typeof value === 'string' && value !== '') return headerWith(header, value);
    throw new SystemError('invalid', `The response to the login has no token at "${token}"`);
  }
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1).join(''));
  if (cookies.length === 0) throw new SystemError('invalid', 'The response to the login sets no cookie');
  return { cookie: cookies.join('; ') };
}

function headerWith({ name, prefix = '' }: SecretHeader, value: string): Headers {
  return { [name.toLowerCase()]: `${prefix}${value}` };
}
