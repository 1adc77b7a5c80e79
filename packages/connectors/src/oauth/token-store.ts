/**
 * Keeps the tokens that an authorization server replaces, so that they outlast the driver that received them. A `grant` identifies
 * the credentials that were entered for a connection: a hash, which contains no secret.
 */
export interface TokenStore {
  /**
   * Calls `renew` with the text that is kept for a grant, null if there is none, and keeps the text that it returns before the
   * promise resolves. Of everyone who shares the store, one at a time does this for a grant. If `renew` throws, nothing changes.
   */
  renew(grant: string, renew: (kept: string | null) => Promise<string>): Promise<string>;
}

/** Keeps tokens as long as the process runs. */
export function memoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    renew(grant, renew) {
      const turn = (turns.get(grant) ?? Promise.resolve()).then(async () => {
        const text = await renew(kept.get(grant) ?? null);
        kept.set(grant, text);
        return text;
      });
      turns.set(
        grant,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}
