import type { TokenHolder } from '@unified/store';
import { LRUCache } from 'lru-cache';

/**
 * Caches the holders of tokens. Keys are SHA-256 digests; the tokens themselves are never stored. The store can be shared
 * by several processes.
 */
export interface TokenCache {
  /** The holder, null for a token that is known not to exist, undefined for one that is not cached. */
  get(digest: string): Promise<TokenHolder | null | undefined>;
  /** Stores an entry for `KNOWN_TOKEN_MS`, or `UNKNOWN_TOKEN_MS` when the holder is null. */
  set(digest: string, holder: TokenHolder | null): Promise<void>;
}

/** Milliseconds for which a revoked token or a deactivated connection may still be served. */
export const KNOWN_TOKEN_MS = 5_000;
/** Milliseconds for which a token that is issued after it was refused is refused again. */
export const UNKNOWN_TOKEN_MS = 2_000;
const MAX_ENTRIES = 10_000;

/** Caches in the memory of this process, at most 10,000 tokens of either kind. */
export function memoryTokenCache(): TokenCache {
  const known = new LRUCache<string, TokenHolder>({ max: MAX_ENTRIES, ttl: KNOWN_TOKEN_MS });
  // A cache of its own: made-up tokens must not evict valid ones.
  const unknown = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: UNKNOWN_TOKEN_MS });
  return {
    get: async (digest) => known.get(digest) ?? (unknown.has(digest) ? null : undefined),
    async set(digest, holder) {
      if (holder) known.set(digest, holder);
      else unknown.set(digest, true);
    },
  };
}
