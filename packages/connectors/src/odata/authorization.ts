import type { HttpClient } from '../http/http-client.ts';
import { retryAfterSeconds, systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError } from '../system-error.ts';
import { isObject } from './entity-row.ts';
import type { Credentials } from './settings.ts';

/** After refused credentials, further attempts could only lock the user out. */
const PAUSE_AFTER_REFUSAL_MS = 60_000;
/** A token is renewed this long before it expires, so that it does not expire in transit. */
const RENEWED_BEFORE_MS = 60_000;

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

  async #request({ tokenUrl, clientId, clientSecret, scope }: Credentials & { kind: 'client' }): Promise<Token> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
    const sent = Date.now();
    const response = await this.#http
      .send({
        method: 'POST',
        url: tokenUrl,
        headers: {
          accept: 'application/json',
          authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: form.toString(),
      })
      // A token that is not used expires.
      .catch((error: unknown) => Promise.reject(systemErrorOf(error, { changes: false })));
    const { status, headers, body } = response;
    if (status === 429 || status >= 500) {
      const retryAfter = retryAfterSeconds(headers['retry-after']) ?? 10;
      const words = `The token address returned HTTP status ${status}`;
      throw new SystemError(status === 429 ? 'throttled' : 'unavailable', words, { retryAfter });
    }
    const granted = status === 200 ? parsedOrNull(body) : null;
    if (!isObject(granted) || typeof granted.access_token !== 'string') {
      const words = `The token address refuses the client id and secret (HTTP ${status})`;
      throw new SystemError('unauthorized', words, { cause: reasonIn(response) });
    }
    const seconds = Number(granted.expires_in ?? 3600);
    const lifetime = Number.isFinite(seconds) ? Math.max(seconds * 1000 - RENEWED_BEFORE_MS, 1000) : 1000;
    return { header: `Bearer ${granted.access_token}`, expiresAt: sent + lifetime };
  }
}

/** The reason in a refusal (RFC 6749, section 5.2). The rest of a response can contain a token, which must not be logged. */
function reasonIn({ status, body }: HttpResponse): string {
  const refusal = status >= 400 ? parsedOrNull(body) : null;
  if (!isObject(refusal)) return '';
  const { error, error_description: description } = refusal;
  return [error, description]
    .filter((each) => typeof each === 'string')
    .join(': ')
    .slice(0, 200);
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function parsedOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
