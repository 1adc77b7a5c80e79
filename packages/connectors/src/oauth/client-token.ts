import type { HttpClient } from '../http/http-client.ts';
import { RefusalPause } from '../refusal-pause.ts';
import { SystemError } from '../system-error.ts';
import { type IssuedToken, isIssued, type RefusedToken, requestToken, type TokenClient } from './request-token.ts';

/** A client that requests tokens in its own name (RFC 6749, section 4.4). */
export interface ClientCredentials extends TokenClient {
  readonly scope?: string | undefined;
  /** Further parameters of the request, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The settings to check if the client is refused, in words. */
  readonly settings: string;
}

/**
 * An access token that a client requests when it is needed. Concurrent calls share one request. It is not stored: after a
 * restart, the client requests another one.
 */
export class ClientToken {
  readonly #credentials: ClientCredentials;
  readonly #http: HttpClient;
  readonly #pause = new RefusalPause();
  #token: IssuedToken | undefined;
  #requested: Promise<IssuedToken> | undefined;

  constructor(credentials: ClientCredentials, http: HttpClient) {
    this.#credentials = credentials;
    this.#http = http;
  }

  /** The access token to send. @throws {SystemError} `unauthorized` if the client is refused */
  async current(): Promise<string> {
    this.#pause.check();
    if (this.#token && this.#token.expiresAt > Date.now()) return this.#token.accessToken;
    this.#requested ??= this.#request().finally(() => {
      this.#requested = undefined;
    });
    this.#token = await this.#requested;
    return this.#token.accessToken;
  }

  /** Whether a call that was refused with this access token can be repeated with a new one. */
  renews(accessToken: string): boolean {
    if (this.#token?.accessToken === accessToken) this.#token = undefined;
    return true;
  }

  async #request(): Promise<IssuedToken> {
    const { scope, parameters } = this.#credentials;
    const form = { ...parameters, grant_type: 'client_credentials', ...(scope && { scope }) };
    const response = await requestToken(this.#http, this.#credentials, form);
    if (isIssued(response)) return response;
    throw this.#refuse(response);
  }

  #refuse({ status, reason }: RefusedToken): SystemError {
    const { tokenUrl, settings } = this.#credentials;
    const said = reason === '' ? `with HTTP status ${status} and no reason` : `(HTTP status ${status}): ${reason}`;
    const remedy = `Check ${settings}`;
    const refused = (address: string) => `${address} refuses the client ${said.replace(/\.$/, '')}. ${remedy}`;
    const error = new SystemError('unauthorized', refused(`The token address ${tokenUrl.origin}${tokenUrl.pathname}`), {
      clientWords: refused('The token address'),
      explanation: { remedy: `${remedy}.` },
      cause: reason,
    });
    return this.#pause.begin(error);
  }
}
