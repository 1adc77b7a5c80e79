import { asSentence } from '../as-sentence.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { RefusalPause } from '../refusal-pause.ts';
import { SystemError } from '../system-error.ts';
import {
  bearer,
  type IssuedToken,
  isIssued,
  type RefusedToken,
  requestToken,
  type TokenClient,
} from './request-token.ts';

/** A client that requests tokens in its own name (RFC 6749, section 4.4). */
export interface ClientCredentials extends TokenClient {
  readonly scope?: string | undefined;
  /** Further parameters of the request, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The settings to check if the client is refused, in words. */
  readonly checked: string;
}

/** Minimum time between two tokens that are requested because the one before is refused. */
const RENEWED_AFTER_MS = 60_000;

/**
 * An access token that a client requests when it is needed. Concurrent calls share one request. It is not stored: after a
 * restart, the client requests another one.
 */
export class ClientToken {
  readonly #credentials: ClientCredentials;
  readonly #http: HttpClient;
  readonly #secretIssued: SecretIssued;
  readonly #pause = new RefusalPause();
  #token: IssuedToken | undefined;
  /** Until when a token is kept although it is refused, in milliseconds since 1970. */
  #keptUntil = 0;
  #requested: Promise<IssuedToken> | undefined;

  constructor(credentials: ClientCredentials, http: HttpClient, secretIssued: SecretIssued) {
    this.#credentials = credentials;
    this.#http = http;
    this.#secretIssued = secretIssued;
  }

  /** The authorization header to send. @throws {SystemError} `unauthorized` if the client is refused */
  async header(): Promise<string> {
    this.#pause.check();
    if (this.#token && this.#token.expiresAt > Date.now()) return this.#headerWith(this.#token);
    this.#requested ??= this.#request().finally(() => {
      this.#requested = undefined;
    });
    this.#token = await this.#requested;
    return this.#headerWith(this.#token);
  }

  #headerWith({ accessToken }: IssuedToken): string {
    // Other secrets are issued in the meantime, and only the latest are hidden.
    this.#secretIssued(accessToken);
    return bearer(accessToken);
  }

  /**
   * Whether a call that was refused with this header can be repeated with a new one. A new token may be refused because another
   * process has requested one, so the first refusal within a minute counts, whatever the age of the token.
   */
  renews(header: string): boolean {
    if (!this.#token || bearer(this.#token.accessToken) !== header) return true;
    if (Date.now() < this.#keptUntil) return false;
    this.#keptUntil = Date.now() + RENEWED_AFTER_MS;
    this.#token = undefined;
    return true;
  }

  async #request(): Promise<IssuedToken> {
    const { scope, parameters } = this.#credentials;
    const form = { ...parameters, grant_type: 'client_credentials', ...(scope && { scope }) };
    const response = await requestToken(this.#http, this.#credentials, form);
    if (!isIssued(response)) throw this.#refuse(response);
    this.#secretIssued(response.accessToken);
    return response;
  }

  #refuse({ status, reason }: RefusedToken): SystemError {
    const { tokenUrl, checked } = this.#credentials;
    const said = reason === '' ? `with HTTP status ${status} and no reason` : `(HTTP status ${status}): ${reason}`;
    const remedy = `Check ${checked}`;
    const refused = (address: string) => `${asSentence(`${address} refuses the client ${said}`)} ${remedy}`;
    const error = new SystemError('unauthorized', refused(`The token address ${tokenUrl.origin}${tokenUrl.pathname}`), {
      clientWords: refused('The token address'),
      explanation: { remedy: `${remedy}.` },
      cause: reason,
    });
    return this.#pause.begin(error);
  }
}
