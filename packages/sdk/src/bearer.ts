/** A connection token, or a function that returns one. It is called before the first request, and again after a 401. */
export type Token = string | (() => string | Promise<string>);

/** Caches the token, and renews it once for all requests for which it was refused. */
export interface Bearer {
  current(): Promise<string>;
  /** A token to use instead of the refused one; undefined if there is no other. */
  renewed(refused: string): Promise<string | undefined>;
}

/** @throws {TypeError} If there is no token, for example when a setting is missing. */
export function bearer(token: Token | Bearer): Bearer {
  if (typeof token === 'object' && token !== null) return token;
  if (typeof token === 'string' && token !== '') {
    return { current: async () => token, renewed: async () => undefined };
  }
  if (typeof token !== 'function') {
    const remedy = 'Set it to the token of a connection, or to a function that returns one.';
    throw new TypeError(`token is ${token === '' ? 'empty' : token}. ${remedy}`);
  }
  let kept: Promise<string> | undefined;
  const ask = (): Promise<string> => {
    const asked = (async () => token())();
    kept = asked;
    asked.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked;
  };
  return {
    current: () => kept ?? ask(),
    renewed: async (refused) => {
      const known = kept ?? ask();
      const now = await known;
      if (now !== refused) return now;
      // Another request may have renewed it in the meantime.
      return kept === undefined || kept === known ? ask() : kept;
    },
  };
}
