import type { HttpResponse } from '../http/response-collector.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { cookiesIn, secretsInCookies } from '../session-cookies.ts';
import { SystemError } from '../system-error.ts';

/** Headers that a service requires of changes: a token, and the cookies of the session that it belongs to. */
export type CsrfHeaders = Readonly<Record<string, string>>;

/** The CSRF token of a user. It is requested when the service refuses a change without it; concurrent changes share one. */
export class CsrfToken {
  readonly #fetch: () => Promise<HttpResponse>;
  readonly #secretIssued: SecretIssued;
  #headers: CsrfHeaders = {};
  #requested: Promise<CsrfHeaders> | undefined;

  /** `fetch` requests the address of the service with `X-CSRF-Token: Fetch`, and returns a response with a success status. */
  constructor(fetch: () => Promise<HttpResponse>, secretIssued: SecretIssued) {
    this.#fetch = fetch;
    this.#secretIssued = secretIssued;
  }

  /** Headers to send with the latest token; none before the first one. */
  inUse(): CsrfHeaders {
    const { 'x-csrf-token': token, cookie } = this.#headers;
    // Other secrets are issued in the meantime, and only the latest are hidden.
    for (const secret of [token ?? [], secretsInCookies(cookie)].flat()) this.#secretIssued(secret);
    return this.#headers;
  }

  /** Headers of a token other than the `refused` one, which another change may have requested already. */
  async renewed(refused: CsrfHeaders): Promise<CsrfHeaders> {
    if (this.#headers !== refused) return this.inUse();
    this.#requested ??= this.#request().finally(() => {
      this.#requested = undefined;
    });
    this.#headers = await this.#requested;
    return this.inUse();
  }

  async #request(): Promise<CsrfHeaders> {
    const response = await this.#fetch();
    const token = response.headers['x-csrf-token'];
    if (typeof token !== 'string')
      throw new SystemError('forbidden', 'The service requires a CSRF token and returns none');
    const cookie = cookiesIn(response.headers);
    return { 'x-csrf-token': token, ...(cookie !== undefined && { cookie }) };
  }
}
