import type { IncomingHttpHeaders } from 'node:http';

/** Minimum length of a value that can be the id of a session. Others, such as a language, also occur in other texts. */
const SHORTEST_ID = 16;

/** The `Cookie` header with the cookies that a response sets; undefined if it sets none. */
export function cookiesIn(headers: IncomingHttpHeaders): string | undefined {
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1).join('').trim());
  return cookies.length === 0 ? undefined : cookies.join('; ');
}

/** The secrets in a `Cookie` header: the values that can be the id of a session, and the other cookies with their names. */
export function secretsInCookies(cookie: string | undefined): string[] {
  if (cookie === undefined) return [];
  return cookie.split('; ').map((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1);
    return value.length >= SHORTEST_ID ? value : pair;
  });
}
