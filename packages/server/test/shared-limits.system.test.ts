import { createEngine } from '@unified/engine';
import { createServer, redisRateLimiter, type Server } from '@unified/server';
import { type RedisServer, api as startApi, startRedisServer, type TestApi } from '@unified/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine. After failures, Redis is not used for five seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const LIMIT = 40;
/** Maximum time for the servers to notice that Redis is available again. */
const RETURN_MS = 30_000;

const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });
let redis: RedisServer;
const closing: (() => Promise<void>)[] = [];

/** Two servers on one database. */
interface Pair {
  readonly first: TestApi;
  readonly second: Server;
}

/** Starts two servers, each with its own connection to Redis, for which a request waits this long. */
async function startPair(responseMs?: number): Promise<Pair> {
  const limits = { requestsPerMinute: () => LIMIT };
  const open = () => redisRateLimiter(redis.url, log, responseMs);
  const [one, two] = await Promise.all([open(), open()]);
  const first = await startApi({ ...limits, limiter: one });
  const { store, url: databaseUrl } = first;
  const logger = pino({ level: 'silent' });
  const engine = createEngine({ store, databaseUrl, log: logger });
  const shared = { ...limits, limiter: two, store, engine, logger };
  const second = await createServer({ ...shared, publicUrl: store.publicUrl, port: 0 });
  closing.push(
    () => second.close(),
    () => engine.close(),
    () => first.stop(),
    () => one.close(),
    () => two.close(),
  );
  return { first, second };
}

beforeAll(async () => {
  redis = await startRedisServer();
});

afterAll(async () => {
  for (const close of closing) await close();
  await redis?.kill();
});

/** Sends the nth request of an application: to both servers in turn. */
async function request({ first, second }: Pair, token: string, n: number) {
  const base = n % 2 === 0 ? first.baseUrl : second.url;
  const response = await fetch(`${base}/v4/currencies`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return { status: response.status, remaining: response.headers.get('x-ratelimit-remaining') ?? '' };
}

/** Sends requests one after the other. Returns their statuses, and how many requests remained after the last one. */
async function requests(pair: Pair, token: string, count: number) {
  const statuses: number[] = [];
  let remaining = '';
  for (let n = 0; n < count; n += 1) {
    const response = await request(pair, token, n);
    statuses.push(response.status);
    remaining = response.remaining;
  }
  return { statuses, remaining };
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);

/** Resolves once both servers count in Redis again: two requests to different servers then count as two. */
async function sharedAgain(pair: Pair): Promise<void> {
  await vi.waitFor(
    async () => {
      const { token } = await pair.first.connect();
      expect((await requests(pair, token, 2)).remaining).toBe(`${LIMIT - 2}`);
    },
    { timeout: RETURN_MS, interval: 250 },
  );
}

it('two servers share one limit', async () => {
  // A busy machine must not count as an outage.
  const pair = await startPair(20_000);
  const { token } = await pair.first.connect();
  // Sent at the same time, so that they are within the minute of the limit.
  const sent = await Promise.all(Array.from({ length: LIMIT + 10 }, (_, n) => request(pair, token, n)));
  expect(sent.map(({ status }) => status).sort()).toEqual([...all(200, LIMIT), ...all(429, 10)]);
});

describe('no request is refused, each server reports the outage once, and uses Redis again afterwards', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    // On a busy machine, the first answer of Redis can take longer than the servers wait for it.
    await sharedAgain(pair);
  });

  it('when Redis hangs', async () => {
    warnings.length = 0;
    const { token } = await pair.first.connect();
    redis.hang();
    const { statuses } = await requests(pair, token, LIMIT);
    redis.resume();
    expect(statuses).toEqual(all(200, LIMIT));
    expect(warnings).toEqual(ofBoth('Redis cannot be reached: rate limits are counted per process'));
    await sharedAgain(pair);
  });

  it('when Redis is killed and started again', async () => {
    warnings.length = 0;
    const { token } = await pair.first.connect();
    await redis.kill();
    const { statuses } = await requests(pair, token, LIMIT);
    expect(statuses).toEqual(all(200, LIMIT));
    await redis.start();
    await sharedAgain(pair);
    expect(warnings).toEqual([
      ...ofBoth('Redis cannot be reached: rate limits are counted per process'),
      ...ofBoth('Redis can be reached again: rate limits are shared'),
    ]);
  });
});

/** The message once for each server. */
function ofBoth(message: string): string[] {
  return [message, message];
}
