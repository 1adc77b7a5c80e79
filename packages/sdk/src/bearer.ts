/** A connection token, or a function that gives one: called before the first request, and again after a 401. */
export type Token = string | (() => string | Promise<string>);

/** Keeps the token between requests and renews it once for all requests that it was refused for. */
export interface Bearer {
  current(): Promise<string>;
  /** A token to use in place of the refused one; undefined when there is no other to be had. */
  renewed(refused: string): Promise<string | undefined>;
}

export function bearer(token: Token): Bearer {
  if (typeof token === 'string') {
    return { current: async () => token, renewed: async () => undefined };
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
      // Another request may have asked while this one looked.
      return kept === undefined || kept === known ? ask() : kept;
    },
  };
}
