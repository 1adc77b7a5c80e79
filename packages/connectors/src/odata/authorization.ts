import type { HttpClient } from '../http/http-client.ts';
import { basic, isIssued, requestToken } from '../oauth/request-token.ts';
import { SystemError } from '../system-error.ts';
import { type Credentials, credentialSettings } from './settings.ts';

/** After refused credentials, further attempts could only lock the user out. */
const PAUSE_AFTER_REFUSAL_MS = 60_000;

interface Token {
  readonly header: string;
  readonly expiresAt: number;
}

/** The `Authorization` header of requests. Tokens are requested when needed; concurrent requests share one. */
export class Authorization {
  readonly #credentials: Credentials;
  readonly #http: HttpClient;
  #token: Token | undefined;
  #requested: Promise<Token> | undefined;
  #refused: { readonly error: SystemError; readonly until: number } | undefined;

  constructor(credentials: Credentials, http: HttpClient) {
    this.#credentials = credentials;
    this.#http = http;
  }

  /** The header to send; undefined without credentials. @throws {SystemError} if there is no token */
  async header(): Promise<string | undefined> {
    if (this.#refused && Date.now() < this.#refused.until) throw this.#refused.error;
    const { kind } = this.#credentials;
    if (kind === 'none') return undefined;
    if (kind === 'bearer') return `Bearer ${this.#credentials.token}`;
    if (kind === 'basic') return basic(this.#credentials.user, this.#credentials.password);
    if (this.#token && this.#token.expiresAt > Date.now()) return this.#token.header;
    this.#requested ??= this.#request(this.#credentials).finally(() => {
      this.#requested = undefined;
    });
    this.#token = await this.#requested;
    return this.#token.header;
  }

  /** Whether a request that was refused with this header can be repeated with a new one. */
  renews(refused: string | undefined): boolean {
    if (this.#credentials.kind !== 'client') return false;
    if (this.#token?.header === refused) this.#token = undefined;
    return true;
  }

  /** Remembers that the service does not accept the credentials. */
  refuse(error: SystemError): SystemError {
    if (this.#credentials.kind === 'basic') {
      this.#refused = { error, until: Date.now() + PAUSE_AFTER_REFUSAL_MS };
    }
    return error;
  }

  async #request({ scope, ...client }: Credentials & { kind: 'client' }): Promise<Token> {
    const form = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
    const answer = await requestToken(this.#http, client, form);
    if (isIssued(answer)) return { header: `Bearer ${answer.accessToken}`, expiresAt: answer.expiresAt };
    const words = `The token address refuses the client (HTTP ${answer.status}): check ${credentialSettings(this.#credentials)}`;
    throw new SystemError('unauthorized', words, { cause: answer.reason });
  }
}
