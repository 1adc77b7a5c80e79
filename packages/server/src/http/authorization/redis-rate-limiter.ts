import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { memoryRateLimiter, type SharedRateLimiter, usageOf, WINDOW_SECONDS } from './rate-limits.ts';

/** Milliseconds that a request waits for Redis, unless the caller specifies another limit. */
const RESPONSE_MS = 50;
const CONNECT_MS = 2_000;
/** Number of consecutive failures after which Redis is not used for a while. */
const MOST_FAILURES = 3;
/** Milliseconds for which it is not used. */
const PAUSE_MS = 5_000;
const LONGEST_RETRY_MS = 2_000;

/**
 * Counts requests in the Redis at `url`, such as `redis://:password@host:6379/0`. While it cannot be reached, requests are
 * counted in the memory of this process, and none is refused for that reason. A warning is logged once per outage.
 */
export async function redisRateLimiter(url: string, log: Logger, responseMs = RESPONSE_MS): Promise<SharedRateLimiter> {
  // Most installations have no Redis.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: responseMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(LONGEST_RETRY_MS, 50 * 2 ** attempt) * (0.5 + Math.random() / 2),
  });
  const outage = createOutage(log);
  redis.on('error', ({ message }) => log.debug({ reason: message }, 'redis'));
  await redis.connect().catch(outage.begin);
  const shared = new RateLimiterRedis({
    ...{ storeClient: redis, keyPrefix: 'unified requests', rejectIfRedisNotReady: true },
    ...{ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS },
  });
  const local = memoryRateLimiter();
  return {
    async count(key) {
      if (outage.isPaused()) return local.count(key);
      try {
        const usage = usageOf(await shared.consume(key));
        outage.end();
        return usage;
      } catch (error) {
        outage.noteFailure(error);
        return local.count(key);
      }
    },
    close: async () => redis.disconnect(),
  };
}

/** Decides when Redis is not used, and logs the beginning and the end of each outage. */
function createOutage(log: Logger) {
  let failures = 0;
  let pausedUntil = 0;
  let isKnown = false;
  const begin = (err: unknown) => {
    pausedUntil = performance.now() + PAUSE_MS;
    // An error of ioredis contains the command with its arguments, such as the password of AUTH.
    const reason = err instanceof Error ? err.message : String(err);
    if (!isKnown) log.warn({ reason }, 'Redis cannot be reached: rate limits are counted per process');
    isKnown = true;
  };
  return {
    begin,
    isPaused: () => performance.now() < pausedUntil,
    noteFailure(error: unknown) {
      failures += 1;
      if (failures >= MOST_FAILURES) begin(error);
    },
    end() {
      failures = 0;
      if (isKnown) log.warn('Redis can be reached again: rate limits are shared');
      isKnown = false;
    },
  };
}
