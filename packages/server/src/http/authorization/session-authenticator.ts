import { ServiceError } from '@unified/contract';
import type { OpenConsoleSession } from '@unified/store';
import type { SessionCookie } from '../../console/session-cookie.ts';
import type { Authenticator, ConsolePrincipal } from './authenticate.ts';

/**
 * Authenticates sessions of the console by their cookie. A session is looked up with each request, so that it ends immediately.
 * Rejects with `SERVICE_UNAUTHORIZED` if there is none.
 */
export function consoleSessionAuthenticator(
  cookie: SessionCookie,
  sessionBySecret: (secret: string) => Promise<OpenConsoleSession | null>,
): Authenticator<ConsolePrincipal> {
  return async (headers) => {
    const secret = cookie.secretOf(headers);
    const found = secret === undefined ? null : await sessionBySecret(secret);
    if (found) return { credential: 'consoleSession', ...found };
    const message = secret === undefined ? 'There is no session.' : 'The session has ended.';
    throw new ServiceError('SERVICE_UNAUTHORIZED', `${message} Sign in to the console.`);
  };
}
