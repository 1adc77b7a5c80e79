/** Milliseconds above which a statement is slow. */
const SLOW_MS = 20;
/** Milliseconds that each further statement may add to a round trip before one of them may have been slow. */
const FURTHER_MS = 3;
/** Number of quick runs after a slow one, until a statement counts as quick again. */
const PROOF = 10;
/**
 * Number of statements that are remembered, with about 110 bytes each; the oldest ones are forgotten. If fewer were remembered than
 * there are connections, whose lists are requested in turn, each list would be forgotten before it is requested again.
 */
const REMEMBERED = 50_000;

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
   * one. If only one of them can have been slow, such as a statement of 145 ms among seven of 1 ms, the next run of each shows
   * which.
   */
  note(keys: readonly string[], ms: number): void {
    const proof = proofAfter(keys.length, ms);
    for (const key of keys) {
      const needed = this.#needed.get(key);
      const next = Math.max(proof, (needed ?? 0) - 1);
      if (next === needed) continue;
      this.#needed.set(key, next);
      if (this.#needed.size > REMEMBERED) this.#forgetOldest();
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#needed.keys();
    if (oldest !== undefined) this.#needed.delete(oldest);
  }
}

/** Number of quick runs that each of these statements needs after they took this long together. */
function proofAfter(statements: number, ms: number): number {
  if (ms > SLOW_MS * statements) return PROOF;
  return ms > SLOW_MS + FURTHER_MS * (statements - 1) ? 1 : 0;
}
