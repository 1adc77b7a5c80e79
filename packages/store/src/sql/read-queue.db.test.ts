import { setImmediate as endOfTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import type { DocumentRead } from './document-reads.ts';
import { type FairLimits, fairClients } from './fair-clients.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { bindConnection, fixedStatement } from './statement.ts';

const { url } = await testDatabase();
const pool = new pg.Pool({
  connectionString: url,
  Client: TappedClient,
  max: 2,
  onConnect: async (client) => void (await client.query({ ...bindConnection, values: [''] })),
});
afterAll(() => pool.end());

const before = { statement: fixedStatement('select 1'), values: [] };
/** The beginning of the transaction: reads that are sent together have the same one. */
const NOW = 'select to_json(now())::text';

function readOf(text: string, connectionId = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b'): DocumentRead {
  const statement = { statement: fixedStatement(text), values: [] };
  return { connectionId, before, statement, documents: new JoinedDocuments(10) };
}

/** Clients of which each owner may use one. */
function oneClient(waitMs = 10_000) {
  return clients({ most: 1, waitMs });
}

function clients(limits: FairLimits) {
  const clientsOf = fairClients(pool, limits);
  const { use, read } = clientsOf('one');
  return {
    clientsOf,
    textOf: async (text: string) => String((await read(readOf(text))).documents.json),
    /** Uses the client of the owner until the returned function is called. */
    async hold() {
      const [held, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = use(() => {
        taken.resolve();
        return held.promise;
      });
      await taken.promise;
      return () => {
        held.resolve();
        return holder;
      };
    },
  };
}

/** Runs reads that have to wait for the same client. */
async function together({ textOf, hold }: ReturnType<typeof clients>, texts: readonly string[]) {
  const release = await hold();
  const waiting = texts.map(textOf);
  await release();
  return Promise.all(waiting);
}

/** Stops the clock that reads are measured with, so that they count as quick even on a busy machine. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Holds a lock of PostgreSQL until the returned function is called. */
async function lock(key: number) {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [key]);
  return () => holder.end();
}

async function isWaitedFor() {
  const { rowCount } = await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`);
  return rowCount === 1;
}

test('reads that wait for a client are sent together, at most eight at a time', async () => {
  stopClock();
  const one = oneClient();
  await one.textOf(NOW);
  const times = await together(one, Array(10).fill(NOW));
  expect(times.map((time) => times.indexOf(time))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 8, 8]);
});

test('those whose pace is unknown are sent alone', async () => {
  const times = await together(oneClient(), [NOW, NOW]);
  expect(new Set(times).size).toBe(2);
});

test('those of different owners are not sent together', async () => {
  stopClock();
  const { clientsOf, textOf, hold } = oneClient();
  const readOfOther = async () => String((await clientsOf('other').read(readOf(NOW))).documents.json);
  await Promise.all([textOf(NOW), readOfOther()]);
  const release = await hold();
  const own = textOf(NOW);
  const other = await readOfOther();
  await release();
  expect(await own).not.toBe(other);
});

const PID = 'select pg_backend_pid()::text from pg_sleep(0.01)';

test('those that arrive in one turn of the event loop are sent together, although clients are free', async () => {
  stopClock();
  const { textOf } = clients({ most: 2, waitMs: 10_000 });
  await textOf(PID);
  expect(new Set(await Promise.all([textOf(PID), textOf(PID)])).size).toBe(1);
});

test('one that arrives later uses a free client', async () => {
  stopClock();
  const { textOf } = clients({ most: 2, waitMs: 10_000 });
  await textOf(PID);
  const first = textOf(PID);
  await endOfTurn();
  expect(await textOf(PID)).not.toBe(await first);
});

test('after a slow round trip, its reads are sent alone', async () => {
  stopClock();
  const locking = 'select to_json(now())::text from (select pg_advisory_xact_lock(8)) locked';
  const one = oneClient();
  for (const text of [NOW, locking]) await one.textOf(text);
  const unlock = await lock(8);
  const slow = together(one, [NOW, locking, NOW]);
  await vi.waitUntil(isWaitedFor);
  vi.advanceTimersByTime(150);
  await unlock();
  expect(new Set(await slow).size).toBe(1);
  expect(new Set(await together(one, [NOW, locking, NOW])).size).toBe(3);
});

test('a read that waits too long for a client is refused, and later ones are not affected', async () => {
  const { textOf, hold } = oneClient(1);
  const release = await hold();
  await expect(textOf(NOW)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  await release();
  expect(await textOf('select 1::text')).toBe('1');
});

test('a read that another one took along does not fail when its own turn is refused', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const locked = 'select pg_advisory_xact_lock(7)::text';
  const one = oneClient();
  for (const text of [locked, NOW]) await one.textOf(text);
  const unlock = await lock(7);
  const release = await one.hold();
  const reads = Promise.all([locked, NOW].map(one.textOf));
  await release();
  await endOfTurn();
  vi.advanceTimersByTime(20_000);
  await unlock();
  expect(await reads).toEqual(['', expect.any(String)]);
});

test('a lost database connection is reported as unavailable, and replaced', async () => {
  const { textOf } = oneClient();
  pool.once('error', () => {});
  await expect(textOf('select pg_terminate_backend(pg_backend_pid())::text')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await textOf('select 1::text')).toBe('1');
});
