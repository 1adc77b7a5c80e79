/** Milliseconds above which a statement is slow. */
const SLOW_MS = 20;
/** Number of quick runs after a slow one, until a statement counts as quick again. */
const PROOF = 10;
/** Number of statements that are remembered; the oldest ones are forgotten. */
const REMEMBERED = 10_000;

/** Which statements are quick, each for one connection. */
export class Paces {
  /** Number of quick runs that a statement still needs. */
  readonly #needed = new Map<string, number>();

  /** Whether its recent runs were all quick. False if it is unknown. */
  isQuick(key: string): boolean {
    return this.#needed.get(key) === 0;
  }

  /**
   * Remembers how long statements took, which were sent together. If they were slow on average, each of them may have been the slow
   * one.
   */
  note(keys: readonly string[], ms: number): void {
    for (const key of keys) {
      const needed = this.#needed.get(key);
      const next = ms > SLOW_MS * keys.length ? PROOF : Math.max(0, (needed ?? 0) - 1);
      if (next === needed) continue;
      this.#needed.set(key, next);
      const [oldest] = this.#needed.keys();
      if (this.#needed.size > REMEMBERED && oldest !== undefined) this.#needed.delete(oldest);
    }
  }
}
