import type { Engine } from '@unified/engine';
import { LRUCache } from 'lru-cache';

type Image = Awaited<ReturnType<Engine['imageAt']>>;

const MOST_BYTES = 30_000_000;
const MOST_LOGOS = 1_000;
const KEPT_MS = 3_600_000;
/** Milliseconds for which a missing image is remembered, since it may be uploaded soon. */
const MISSING_MS = 60_000;

/**
 * Keeps the logos of applications in memory for an hour, and missing ones for a minute, so that the pages cannot cause an
 * unlimited number of requests to other servers. Concurrent calls for the same address share a request.
 */
export function cachedLogos(imageAt: Engine['imageAt']): Engine['imageAt'] {
  const logos = new LRUCache<string, { readonly image: Image }>({
    max: MOST_LOGOS,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ image }, url) => url.length + (image?.bytes.length ?? 0),
    ttl: KEPT_MS,
    async fetchMethod(url, _stale, { options }) {
      const image = await imageAt(url);
      if (!image) options.ttl = MISSING_MS;
      return { image };
    },
  });
  return async (url) => (await logos.fetch(url))?.image ?? null;
}
