/** Looks up the holders of valid tokens, by digest. Others are absent. */
export type Renew<Holder> = (digests: readonly string[]) => Promise<ReadonlyMap<string, Holder>>;

/** Milliseconds for which requests with a revoked token or for a deactivated connection may still be served. */
export const KNOWN_TOKEN_MS = 5_000;
/** Milliseconds after which a holder is looked up again, before it expires. */
const RENEW_AFTER_MS = 4_000;
/** Milliseconds between two renewals: more often, each would look up fewer holders. */
const RENEW_EVERY_MS = 250;
/** Milliseconds until the next renewal after one that failed. */
const RETRY_MS = 1_000;
/** Maximum number of holders that one statement looks up. */
const MOST_TOGETHER = 500;
/**
 * Milliseconds without a request after which a holder is no longer renewed. To look it up with 500 others takes 7 µs; with two
 * others, 150, and alone, 450.
 */
const USED_MS = 60_000;
/** Maximum number of holders. It exceeds the number of connections that one process is planned for. */
const MOST = 50_000;

interface Known<Holder> {
  readonly holder: Holder;
  /** When it was looked up, by the clock of `performance.now`. */
  readonly at: number;
  usedAt: number;
}

/**
 * Holders of tokens that were looked up in the last five seconds. With thousands of connections, most tokens are used less often
 * than that, and nearly every request would have to look up its token. Requests therefore renew the holders that were used
 * recently, many at a time, before they expire. Without requests, nothing is renewed. See decision 130.
 */
export class KnownHolders<Holder> {
  readonly #renew: Renew<Holder> | undefined;
  readonly #now: () => number;
  /** Those that were looked up first come first. */
  readonly #known = new Map<string, Known<Holder>>();
  #nextRenewal = 0;

  constructor(renew?: Renew<Holder>, now = () => performance.now()) {
    this.#renew = renew;
    this.#now = now;
  }

  /** The holder; undefined if it is not known, or was looked up too long ago. */
  get(digest: string): Holder | undefined {
    const now = this.#now();
    if (this.#renew && now >= this.#nextRenewal) {
      this.#nextRenewal = Number.POSITIVE_INFINITY;
      void this.#renewDue(this.#renew);
    }
    const known = this.#known.get(digest);
    if (!known) return undefined;
    known.usedAt = now;
    return now - known.at < KNOWN_TOKEN_MS ? known.holder : undefined;
  }

  /** Adds a holder that has just been looked up. */
  set(digest: string, holder: Holder): void {
    const now = this.#now();
    this.#add(digest, { holder, at: now, usedAt: now });
  }

  delete(digest: string): void {
    this.#known.delete(digest);
  }

  /** Never rejects: holders that cannot be renewed expire, and the requests that look them up report why they cannot. */
  async #renewDue(renew: Renew<Holder>): Promise<void> {
    let pauseMs = RENEW_EVERY_MS;
    try {
      while ((await this.#renewBatch(renew)) === MOST_TOGETHER);
    } catch {
      pauseMs = RETRY_MS;
    }
    this.#nextRenewal = this.#now() + pauseMs;
  }

  /** Returns how many were looked up. */
  async #renewBatch(renew: Renew<Holder>): Promise<number> {
    const at = this.#now();
    const due = this.#takeDue(at);
    if (due.size === 0) return 0;
    const found = await renew([...due.keys()]);
    for (const [digest, known] of due) {
      // A request may have looked it up in the meantime, and its result is newer.
      if (this.#known.get(digest) !== known) continue;
      this.#known.delete(digest);
      const holder = found.get(digest);
      if (holder) this.#add(digest, { holder, at, usedAt: known.usedAt });
    }
    return due.size;
  }

  /** Those that expire soon, or have expired. Forgets those that are no longer used. */
  #takeDue(now: number): Map<string, Known<Holder>> {
    const due = new Map<string, Known<Holder>>();
    for (const [digest, known] of this.#known) {
      if (now - known.at < RENEW_AFTER_MS || due.size === MOST_TOGETHER) break;
      if (now - known.usedAt < USED_MS) due.set(digest, known);
      else this.#known.delete(digest);
    }
    return due;
  }

  #add(digest: string, known: Known<Holder>): void {
    this.#known.delete(digest);
    this.#known.set(digest, known);
    if (this.#known.size > MOST) for (const oldest of this.#known.keys()) return void this.#known.delete(oldest);
  }
}
