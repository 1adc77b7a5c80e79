import { createEngine } from '@unified/engine';
import { createServer, type RateLimiter, type Server, type TokenCache } from '@unified/server';
import { api as startApi, type TestApi } from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, it } from 'vitest';

const LIMIT = 10;

/** Two servers on one database that share the request counts and the token cache. */
let first: TestApi;
let second: Server;
let pool: pg.Pool;
const cached = new Map<string, Awaited<ReturnType<TokenCache['get']>>>();
/** Whether counting fails. */
let isBroken = false;
/** Whether the token cache fails. */
let cacheIsBroken = false;
const closing: (() => Promise<void>)[] = [];

/** Counts in a table. */
async function postgresRateLimiter(client: pg.Pool): Promise<RateLimiter> {
  const options = { storeClient: client, tableName: 'request_counts', points: 1_000_000, duration: 60 };
  const counter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
    const made: RateLimiterPostgres = new RateLimiterPostgres(options, (error) =>
      error ? reject(error) : resolve(made),
    );
  });
  return {
    async count(key) {
      if (isBroken) throw new Error('The store is not reachable.');
      const { consumedPoints, msBeforeNext } = await counter.consume(key);
      return { used: consumedPoints, reset: Math.ceil(msBeforeNext / 1000) };
    },
  };
}

const tokenCache: TokenCache = {
  async get(digest) {
    if (cacheIsBroken) throw new Error('The cache is not reachable.');
    return cached.get(digest);
  },
  async set(digest, holder) {
    if (cacheIsBroken) throw new Error('The cache is not reachable.');
    cached.set(digest, holder);
  },
};

beforeAll(async () => {
  // The database of the first server exists only after the server has started.
  const limiter = Promise.withResolvers<RateLimiter>();
  const shared = {
    ...{ tokenCache, requestsPerMinute: () => LIMIT },
    limiter: { count: async (key: string) => (await limiter.promise).count(key) },
  };
  first = await startApi(shared);
  pool = new pg.Pool({ connectionString: first.url });
  limiter.resolve(await postgresRateLimiter(pool));
  const { store, url: databaseUrl } = first;
  const log = pino({ level: 'silent' });
  const engine = createEngine({ store, databaseUrl, log });
  second = await createServer({ ...shared, store, engine, logger: log, publicUrl: store.publicUrl, port: 0 });
  closing.push(
    () => second.close(),
    () => engine.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
  await pool.end();
  await first.stop();
});

/** Sends the same request to both servers, alternating between them. */
async function statuses(token: string, requests: number): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const base = n % 2 === 0 ? first.baseUrl : second.url;
    const { status } = await fetch(`${base}/v4/currencies`, { headers: { Authorization: `Bearer ${token}` } });
    found.push(status);
  }
  return found;
}

it('the requests of an application to either server count toward one limit', async () => {
  const { token } = await first.connect();
  expect(await statuses(token, LIMIT + 2)).toEqual([...Array(LIMIT).fill(200), 429, 429]);
});

it('a token that one server has looked up is cached for the other', async () => {
  const { token, connectionId } = await first.connect();
  expect(await statuses(token, 1)).toEqual([200]);
  await pool.query('delete from unified.connection_tokens where "connectionId" = $1', [connectionId]);
  expect(await statuses(token, 2)).toEqual([200, 200]);
  cached.clear();
  expect(await statuses(token, 2)).toEqual([401, 401]);
});

it('while the cache of tokens fails, tokens are looked up in the database', async () => {
  const { token, connectionId } = await first.connect();
  expect(await statuses(token, 1)).toEqual([200]);
  cacheIsBroken = true;
  expect(await statuses(token, 2)).toEqual([200, 200]);
  await pool.query('delete from unified.connection_tokens where "connectionId" = $1', [connectionId]);
  expect(await statuses(token, 2)).toEqual([401, 401]);
  cacheIsBroken = false;
});

it('only digests of tokens are cached', async () => {
  const { token } = await first.connect();
  await statuses(token, 1);
  expect(cached.size).toBeGreaterThan(0);
  expect([...cached.keys()].filter((key) => !/^[0-9a-f]{64}$/.test(key))).toEqual([]);
});

it('while requests cannot be counted, they are refused with 503', async () => {
  isBroken = true;
  const response = await fetch(`${first.baseUrl}/v4/currencies`, {
    headers: { Authorization: `Bearer ${first.connection.token}` },
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(response.headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
  isBroken = false;
});
