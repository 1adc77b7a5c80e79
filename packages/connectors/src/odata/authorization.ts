import type { HttpClient } from '../http/http-client.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { ClientToken } from '../oauth/client-token.ts';
import { basic, bearer } from '../oauth/request-token.ts';
import { RefusalPause } from '../refusal-pause.ts';
import type { SystemError } from '../system-error.ts';
import { type Credentials, credentialSettings } from './settings.ts';

/** The `Authorization` header of requests. Tokens are requested when needed; concurrent requests share one. */
export class Authorization {
  readonly #credentials: Credentials;
  readonly #token: ClientToken | undefined;
  readonly #pause = new RefusalPause();

  constructor(credentials: Credentials, http: HttpClient, secretIssued: SecretIssued) {
    this.#credentials = credentials;
    if (credentials.kind === 'client')
      this.#token = new ClientToken({ ...credentials, checked: credentialSettings(credentials) }, http, secretIssued);
  }

  /** The header to send; undefined without credentials. @throws {SystemError} if there is no token */
  async header(): Promise<string | undefined> {
    this.#pause.check();
    const { kind } = this.#credentials;
    if (kind === 'none') return undefined;
    if (kind === 'bearer') return bearer(this.#credentials.token);
    if (kind === 'basic') return basic(this.#credentials.user, this.#credentials.password);
    return this.#token?.header();
  }

  /** Whether a request that was refused with this header can be repeated with a new one. */
  renews(refused: string | undefined): boolean {
    return refused !== undefined && (this.#token?.renews(refused) ?? false);
  }

  /** Remembers that the service does not accept the credentials. */
  refuse(error: SystemError): SystemError {
    return this.#credentials.kind === 'basic' ? this.#pause.begin(error) : error;
  }
}
