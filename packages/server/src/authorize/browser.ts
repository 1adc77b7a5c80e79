import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Headers of a request, as Node returns them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What the authorization pages store in a browser, and how they recognize requests from their own pages. */
export interface Browsers {
  /** The secret of the browser; undefined if it has none. */
  secretOf(headers: Headers): string | undefined;
  /** A new secret, and the header that stores it. */
  newSecret(): { readonly secret: string; readonly cookie: string };
  /** The value that forms of a session contain. */
  formToken(secret: string, sessionId: string): string;
  /** Whether a request was sent by a page of this server, or by a browser that does not report where it comes from. */
  isOwnPage(headers: Headers): boolean;
  /** Whether a request with this value was sent by a page of the session in this browser. */
  isOwn(headers: Headers, sent: string | undefined, expected: string): boolean;
}

const SECRET = /^[\w-]{43}$/;

/**
 * The browsers of a service at this address. Over HTTPS, the cookie can neither be set by other hosts nor be sent without
 * encryption (`__Host-`). It is sent when the end user arrives from the site of the application, but not with forms of other
 * sites (`SameSite=Lax`).
 */
export function createBrowsers(publicUrl: string): Browsers {
  const { protocol, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const isOwnPage = (headers: Headers) => {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    // Without `Sec-Fetch-Site`, browsers send the origin, or "null" because the pages have no referrer.
    const from = headers.origin;
    return from === undefined || from === 'null' || from === origin;
  };
  const name = isSecure ? '__Host-authorization' : 'authorization';
  return {
    secretOf({ cookie = '' }) {
      const pairs = String(cookie).split(';');
      const values = pairs.flatMap((pair) => {
        const [key = '', value = ''] = pair.trim().split('=', 2);
        return key === name && SECRET.test(value) ? value : [];
      });
      return values.length === 1 ? values[0] : undefined;
    },
    newSecret() {
      const secret = randomBytes(32).toString('base64url');
      return { secret, cookie: `${name}=${secret}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}` };
    },
    formToken: (secret, sessionId) => hash('sha256', `form ${secret} ${sessionId}`, 'base64url'),
    isOwnPage,
    isOwn(headers, sent, expected) {
      if (!isOwnPage(headers)) return false;
      const [given, wanted] = [Buffer.from(sent ?? ''), Buffer.from(expected)];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}
