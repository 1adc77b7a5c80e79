import { hash } from 'node:crypto';
import type { HttpClient } from '../http/http-client.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { RefusalPause } from '../refusal-pause.ts';
import { SystemError } from '../system-error.ts';
import {
  bearer,
  type IssuedToken,
  isIssued,
  isNew,
  type RefusedToken,
  requestToken,
  type TokenClient,
} from './request-token.ts';
import type { TokenStore } from './token-store.ts';

/** What the caller of a driver does for its tokens. */
export interface TokenHost {
  readonly tokens: TokenStore;
  readonly secretIssued: SecretIssued;
}

/** A client, and the refresh token that a person has obtained for it. */
export interface RefreshCredentials extends TokenClient {
  readonly refreshToken: string;
}

/** The tokens that are in use now. */
interface CurrentTokens extends IssuedToken {
  readonly refreshToken: string;
  /** Hash of the client secret with which they were requested. */
  readonly issuedTo: string;
}

/**
 * An access token that is renewed with a refresh token, which the server may replace each time (RFC 6749, section 6). The tokens
 * are in a store that all processes share, so that each refresh token is used once, and its successor is kept before it is needed.
 */
export class RefreshedToken {
  /** Display name of the system, for messages. */
  readonly #name: string;
  readonly #credentials: RefreshCredentials;
  readonly #http: HttpClient;
  readonly #tokens: TokenStore;
  readonly #secretIssued: SecretIssued;
  readonly #grant: string;
  readonly #client: string;
  readonly #pause = new RefusalPause();
  #current: CurrentTokens | undefined;
  #renewing: Promise<CurrentTokens> | undefined;
  /** An authorization header that the system no longer accepts. */
  #rejected: string | undefined;
  /** Tokens that were received in exchange for a refresh token but may not have been kept, because the store failed. */
  #unsaved: { readonly sent: string; readonly received: CurrentTokens } | undefined;

  constructor(name: string, credentials: RefreshCredentials, http: HttpClient, { tokens, secretIssued }: TokenHost) {
    this.#name = name;
    this.#credentials = credentials;
    this.#http = http;
    this.#tokens = tokens;
    this.#secretIssued = secretIssued;
    this.#grant = grantOf(credentials);
    this.#client = hashOf([credentials.clientSecret]);
  }

  /** The authorization header to send. @throws {SystemError} `unauthorized` if a person must sign in again */
  async header(): Promise<string> {
    this.#pause.check();
    if (this.#current && this.#isUsable(this.#current)) return bearer(this.#current.accessToken);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return bearer((await this.#renewing).accessToken);
  }

  /** Whether a call that was refused with this header can be repeated with a new one. */
  renews(header: string): boolean {
    if (this.#current && bearer(this.#current.accessToken) === header && isNew(this.#current)) return false;
    this.#rejected = header;
    return true;
  }

  #isUsable({ expiresAt, accessToken }: CurrentTokens): boolean {
    return expiresAt > Date.now() && bearer(accessToken) !== this.#rejected;
  }

  async #renew(): Promise<CurrentTokens> {
    const text = await this.#tokens
      .renew(this.#grant, async (kept) => JSON.stringify(await this.#following(this.#noted(parsed(kept)))))
      .catch((error: unknown) => {
        if (error instanceof SystemError) throw error;
        throw new SystemError('unavailable', 'The tokens of the connection could not be renewed or stored. Try again', {
          cause: error,
        });
      });
    this.#unsaved = undefined;
    this.#current = JSON.parse(text) as CurrentTokens;
    return this.#current;
  }

  /** The tokens that follow those that are kept: the same, if another process has renewed them in the meantime. */
  async #following(kept: CurrentTokens | null): Promise<CurrentTokens> {
    const sent = kept?.refreshToken ?? this.#credentials.refreshToken;
    const latest: CurrentTokens | null = this.#unsaved?.sent === sent ? this.#unsaved.received : kept;
    // A wrong secret is noticed, although a token that another one has received is still valid.
    if (latest && latest.issuedTo === this.#client && this.#isUsable(latest)) return latest;
    const refreshToken = latest?.refreshToken ?? sent;
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await requestToken(this.#http, this.#credentials, form);
    if (!isIssued(response)) throw this.#refuse(response);
    const received = this.#noted({ refreshToken, ...response, issuedTo: this.#client });
    this.#unsaved = { sent, received };
    return received;
  }

  #noted<T extends CurrentTokens | null>(tokens: T): T {
    if (tokens) for (const secret of [tokens.refreshToken, tokens.accessToken]) this.#secretIssued(secret);
    return tokens;
  }

  #refuse({ status, error, reason }: RefusedToken): SystemError {
    const explanation =
      error === 'invalid_grant'
        ? {
            problem: `${this.#name} no longer accepts the refresh token of the connection.`,
            remedy: `Sign in to ${this.#name} again, and enter the new refresh token.`,
          }
        : {
            problem: `${this.#name} refuses the client id and secret (HTTP ${status}).`,
            remedy: 'Enter the client id and secret of the app to which the refresh token was issued.',
          };
    const words = `${explanation.problem} ${explanation.remedy}`;
    const refused = new SystemError('unauthorized', words, { explanation, cause: reason });
    return this.#pause.begin(refused);
  }
}

/**
 * Identifies the refresh token that was entered: a new one begins a new series of tokens. A client that only changes its secret
 * continues with its tokens.
 */
function grantOf({ tokenUrl, clientId, refreshToken }: RefreshCredentials): string {
  return hashOf([tokenUrl.href, clientId, refreshToken]);
}

function hashOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url');
}

function parsed(kept: string | null): CurrentTokens | null {
  return kept === null ? null : JSON.parse(kept);
}
