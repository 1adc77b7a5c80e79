import type { Bearer } from './bearer.ts';

/** An access token. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Milliseconds before its expiry at which a token is no longer used. */
const EARLY_MS = 60_000;

/** Caches an issued token until shortly before it expires. At most one is being issued at a time. */
export function renewingBearer(issue: () => Promise<IssuedToken>, now: () => number = Date.now): Bearer {
  let kept: Promise<IssuedToken> | undefined;
  const renew = (): Promise<IssuedToken> => {
    const issued = issue();
    kept = issued;
    issued.catch(() => {
      if (kept === issued) kept = undefined;
    });
    return issued;
  };
  const usable = async (isUsable: (issued: IssuedToken) => boolean): Promise<string> => {
    const known = kept ?? renew();
    const issued = await known;
    if (isUsable(issued)) return issued.token;
    // Another request may have renewed it in the meantime.
    return (await (kept === undefined || kept === known ? renew() : kept)).token;
  };
  return {
    current: () => usable(({ expiresAt }) => now() < expiresAt - EARLY_MS),
    renewed: (refused) => usable(({ token }) => token !== refused),
  };
}
