import { databaseRateLimiter } from '@unified/server';
import { forgetRequestCounts } from '@unified/store';
import { database, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const log = pino({ level: 'silent' });
let base: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  base = await database();
  client = new pg.Client(base.url);
  await client.connect();
});
afterAll(() => base?.stop());

/** The limiter of a process. */
function processLimiter() {
  const limiter = databaseRateLimiter(base.store, log);
  onTestFinished(() => limiter.close());
  return limiter;
}

const counted = async (key: string) =>
  (await client.query('select requests from unified.request_counts where key = $1', [key])).rows[0]?.requests;

test('each process learns what the others have counted', async () => {
  const [one, other] = [processLimiter(), processLimiter()];
  for (let n = 0; n < 100; n += 1) await one.count('shared');
  await expect.poll(() => counted('shared')).toBe(100);
  await expect.poll(async () => (await other.count('shared')).used, { interval: 50 }).toBeGreaterThan(100);
});

test('processes that count many keys at the same time count each request once', async () => {
  const processes = [processLimiter(), processLimiter(), processLimiter()];
  const keys = Array.from({ length: 200 }, (_, n) => `key ${n}`);
  for (let round = 0; round < 5; round += 1) {
    for (const key of keys) await processes[round % 3]?.count(key);
    for (const key of keys.toReversed()) await processes[(round + 1) % 3]?.count(key);
  }
  const sums = `select requests, count(*)::int as keys from unified.request_counts where key like 'key %' group by 1`;
  await expect.poll(async () => (await client.query(sums)).rows).toEqual([{ requests: 10, keys: keys.length }]);
});

test('a window that has ended begins again, or is forgotten', async () => {
  const limiter = processLimiter();
  await limiter.count('ended');
  await limiter.count('forgotten');
  await expect.poll(() => counted('forgotten')).toBe(1);
  await expect.poll(() => counted('ended')).toBe(1);
  await client.query(
    `update unified.request_counts set "endsAt" = now(), requests = 50 where key in ('ended', 'forgotten')`,
  );
  await processLimiter().count('ended');
  await expect.poll(() => counted('ended')).toBe(1);
  await forgetRequestCounts(base.store);
  expect(await counted('forgotten')).toBeUndefined();
  expect(await counted('ended')).toBe(1);
});

test('while the database cannot be reached, each process counts separately', async () => {
  await client.end();
  await base.breakDown();
  const [one, other] = [processLimiter(), processLimiter()];
  for (const used of [1, 2, 3]) expect((await one.count('outage')).used).toBe(used);
  expect((await other.count('outage')).used).toBe(1);
});
