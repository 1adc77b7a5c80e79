import type { TokenHolder } from '@unified/store';
import { LRUCache } from 'lru-cache';
import { KnownHolders, type Renew } from './known-holders.ts';

/**
 * Caches the holders of tokens. Keys are SHA-256 digests; the tokens themselves are never stored. Several processes can share
 * the store. If a method rejects, the token is treated as not cached.
 */
export interface TokenCache<Holder = TokenHolder> {
  /** The holder; null for a token that is known not to exist, undefined for one that is not cached. */
  get(digest: string): Promise<Holder | null | undefined>;
  /** Stores an entry for `KNOWN_TOKEN_MS`, or for `UNKNOWN_TOKEN_MS` if the holder is null. */
  set(digest: string, holder: Holder | null): Promise<void>;
}

/** Milliseconds for which a token that was refused as unknown may still be refused after it is issued. */
export const UNKNOWN_TOKEN_MS = 2_000;
/** Maximum number of unknown tokens. */
const MOST_UNKNOWN = 10_000;

/**
 * Caches in the memory of this process. `renew` looks up the valid tokens again before they expire, many at a time; without it,
 * each is looked up by a request when it has expired.
 */
export function memoryTokenCache<Holder extends object>(renew?: Renew<Holder>): TokenCache<Holder> {
  const known = new KnownHolders<Holder>(renew);
  // A separate cache, because made-up tokens must not evict valid ones. By default, it would remember the time for a millisecond,
  // with a timer that wakes the process each time.
  const unknown = new LRUCache<string, true>({ max: MOST_UNKNOWN, ttl: UNKNOWN_TOKEN_MS, ttlResolution: 0 });
  return {
    get: async (digest) => known.get(digest) ?? (unknown.has(digest) ? null : undefined),
    async set(digest, holder) {
      if (holder) return known.set(digest, holder);
      known.delete(digest);
      unknown.set(digest, true);
    },
  };
}
