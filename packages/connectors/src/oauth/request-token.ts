import { checkedToken } from '../checked-token.ts';
import { cutText } from '../cut-text.ts';
import type { HttpClient } from '../http/http-client.ts';
import { retryAfterSeconds, systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError } from '../system-error.ts';

/** A client of an authorization server. */
export interface TokenClient {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where a request contains the client id and secret; defaults to `header`, which every server must support. */
  readonly sentIn?: 'header' | 'form' | undefined;
}

/** A token that was issued. */
export interface IssuedToken {
  readonly accessToken: string;
  /** Replaces the refresh token that was sent; absent if that one stays valid. */
  readonly refreshToken?: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** When it should be renewed, in milliseconds since 1970: before it expires, so that it does not expire in transit. */
  readonly expiresAt: number;
}

/** Why no token was issued. */
export interface RefusedToken {
  readonly status: number;
  /** Error code of RFC 6749, section 5.2; empty if there is none. */
  readonly error: string;
  /** The code and its description. The rest of a response can contain a token, which must not be logged. */
  readonly reason: string;
}

const RENEWED_BEFORE_MS = 60_000;

const NEW_MS = 60_000;

/** Whatever the connection allows for other calls: others wait for a token, and tokens are renewed one at a time. */
const TIMEOUT_MS = 30_000;

/** Maximum size of a response in bytes. */
const LARGEST_TOKEN_RESPONSE = 256 * 1024;

/** Lifetime of a token whose lifetime is not stated, in seconds. */
const USUAL_LIFETIME = 3600;

/** Maximum lifetime of a token, in seconds: a year. */
const LONGEST_LIFETIME = 31_536_000;

/** Statuses of RFC 6749, section 5.2; some servers use 403. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/**
 * Requests a token (RFC 6749) and returns it, or why it was refused.
 *
 * @throws {SystemError} `unavailable` or `throttled` if it was not decided; `invalid` if the address does not respond as a token
 *   address does
 */
export async function requestToken(
  http: HttpClient,
  { tokenUrl, clientId, clientSecret, sentIn = 'header' }: TokenClient,
  form: Readonly<Record<string, string>>,
): Promise<IssuedToken | RefusedToken> {
  const sent = Date.now();
  const isInForm = sentIn === 'form';
  const client = isInForm ? { client_id: clientId, client_secret: clientSecret } : {};
  const response = await http
    .send({
      method: 'POST',
      url: tokenUrl,
      headers: {
        accept: 'application/json',
        ...(!isInForm && { authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)) }),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ ...form, ...client }).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: LARGEST_TOKEN_RESPONSE,
    })
    // A token that is not used expires.
    .catch((error: unknown) => Promise.reject(systemErrorOf(error, { changes: false })));
  return tokenIn(response, sent);
}

/** The token in a response to a request that was sent at a time, or why it was refused. */
function tokenIn({ status, headers, body }: HttpResponse, sent: number): IssuedToken | RefusedToken {
  if (status === 408 || status === 429 || status >= 500) {
    const retryAfter = retryAfterSeconds(headers['retry-after']) ?? 10;
    const words = `The token address returned HTTP status ${status}`;
    throw new SystemError(status === 429 ? 'throttled' : 'unavailable', words, { retryAfter });
  }
  const content = parsed(body);
  if (REFUSALS.has(status)) return refusal(status, content);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = content;
  if (status !== 200 || !isToken(accessToken))
    throw new SystemError(
      'invalid',
      `The token address returned HTTP status ${status} without a token. Check the address`,
    );
  return {
    accessToken: checkedToken(accessToken),
    ...(isToken(refreshToken) && { refreshToken: checkedToken(refreshToken) }),
    issuedAt: sent,
    expiresAt: sent + usedMs(lifetimeIn(seconds)),
  };
}

/** Whether a token was issued. */
export function isIssued(response: IssuedToken | RefusedToken): response is IssuedToken {
  return 'accessToken' in response;
}

/**
 * Whether a token was issued less than a minute ago. If it is refused, the reason is another one, such as a wrong audience, and the
 * next token would be refused as well.
 */
export function isNew({ issuedAt }: IssuedToken): boolean {
  return Date.now() - issuedAt < NEW_MS;
}

/** A `Bearer` authorization header. */
export function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** A `Basic` authorization header. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** The seconds in `expires_in`, which some servers send as a text. */
function lifetimeIn(stated: unknown): number {
  const seconds = typeof stated === 'string' && /^\d{1,15}$/.test(stated) ? Number(stated) : stated;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return USUAL_LIFETIME;
  return Math.min(seconds, LONGEST_LIFETIME);
}

function usedMs(seconds: number): number {
  return Math.max(seconds * 1000 - RENEWED_BEFORE_MS, seconds * 500);
}

function refusal(status: number, { error, error_description: description }: Record<string, unknown>): RefusedToken {
  const texts = [error, description].filter((each) => typeof each === 'string');
  return { status, error: typeof error === 'string' ? error : '', reason: cutText(texts.join(': '), 200) };
}

/** A text that a header can contain. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
