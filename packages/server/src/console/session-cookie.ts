import type { IncomingHttpHeaders } from 'node:http';

/** The cookie of sessions of the console, and how the server recognizes requests of the console itself. */
export interface SessionCookie {
  /** The secret of the session; undefined if the browser has none. */
  secretOf(headers: Pick<IncomingHttpHeaders, 'cookie'>): string | undefined;
  /** The header that stores a secret until the browser is closed, or for these seconds. */
  set(secret: string, seconds: number): string;
  /** The header that removes it. */
  readonly removal: string;
  /** Whether a page of this server has sent a request. */
  isSameOrigin(headers: IncomingHttpHeaders): boolean;
}

const SECRET = /^[\w-]{43}$/;

/**
 * The cookie for a service at this address. Over HTTPS, it can neither be set by other hosts nor be sent without encryption
 * (`__Host-`). Browsers do not send it with requests that pages of other sites make (`SameSite=Lax`), except when a person
 * follows a link, so that signing in at another site can return here.
 */
export function createSessionCookie(publicUrl: string, purpose = 'console'): SessionCookie {
  const { protocol, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? `__Host-${purpose}` : purpose;
  const rest = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    secretOf({ cookie = '' }) {
      const values = cookie.split(';').flatMap((pair) => {
        const [key = '', value = ''] = pair.trim().split('=', 2);
        return key === name && SECRET.test(value) ? value : [];
      });
      // Two cookies of the same name: one was set by another host of the same site.
      return values.length === 1 ? values[0] : undefined;
    },
    set: (secret, seconds) => `${name}=${secret}; ${rest}; Max-Age=${seconds}`,
    removal: `${name}=; ${rest}; Max-Age=0`,
    isSameOrigin({ 'sec-fetch-site': site, origin: from }) {
      if (site !== undefined) return site === 'same-origin';
      return from === origin;
    },
  };
}
