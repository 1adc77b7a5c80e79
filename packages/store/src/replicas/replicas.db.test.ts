import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MappedRecord } from '@unified/contract';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { gadget } from '../../test/gadget.ts';
import { REPLICATED, startStandby } from '../../test/standby.ts';
import { sessionOf } from '../access/scope.ts';
import {
  budgetOf,
  currentPosition,
  joinedPage,
  page,
  recordsState,
  replicaUseOf,
  type Scope,
  type Store,
  saveRecords,
  startEmbedded,
} from '../index.ts';

/** A busy machine may take long to notice what has happened. */
const PATIENCE = { timeout: 120_000, interval: 20 };
/** Generous: on a slow machine, a replica that responds late is not gone. */
const timeoutMs = 60_000;
vi.setConfig({ testTimeout: 300_000 });

const database = await testDatabase(REPLICATED);
// Replay does not wait for a read that conflicts with it.
const standby = await startStandby(database, { max_standby_streaming_delay: '0' });
afterAll(() => standby.remove());

/** A store that uses the replica however far behind it is. */
const store = await database.open({ replicas: { urls: [standby.url], maxLagMs: 3_600_000, timeoutMs } });

const named = (name: string): MappedRecord => ({
  ...{ _source: 'gadgets', _idValue: name, references: {} },
  values: { name },
});

/** Saves a gadget on the primary, and returns the position after it. */
async function add(scope: Scope, name: string): Promise<string> {
  await saveRecords(scope, gadget, [named(name)]);
  return (await currentPosition(store)) ?? expect.fail('there are no replicas');
}

const all = { conditions: [], sort: [], limit: 500 };

/** Names of the gadgets that a request with this position sees. */
async function namesIn(of: Scope, after?: string, from: Store = store): Promise<string[]> {
  const { docs } = await page(from.readingScope(of, after), gadget, all);
  return docs.map((doc) => JSON.parse(doc).name).sort();
}

function useOf(from: Store) {
  return replicaUseOf(from)[0] ?? expect.fail('there is no replica');
}

/** Waits until the replica serves reads that need nothing that it lacks. */
async function served(from: Store, scope: Scope, after?: string): Promise<void> {
  await expect
    .poll(async () => {
      const { reads } = useOf(from);
      await namesIn(scope, after, from);
      return useOf(from).reads > reads;
    }, PATIENCE)
    .toBe(true);
}

test('lists are read from the replica, and what the caller has just written is read from the primary until the replica has it', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'First'));
  await standby.pause();
  const position = await add(scope, 'Second');
  await served(store, scope);
  expect(await namesIn(scope)).toEqual(['First']);
  const { reads } = useOf(store);
  for (let n = 0; n < 20; n += 1) expect(await namesIn(scope, position)).toEqual(['First', 'Second']);
  expect(useOf(store).reads).toBe(reads);
  await standby.resume();
  await served(store, scope, position);
  expect(await namesIn(scope, position)).toEqual(['First', 'Second']);
});

test('a position that is not reached anywhere is read from the primary', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Only'));
  const { reads } = useOf(store);
  expect(await namesIn(scope, 'FFFFFFFFFFFFFFFF')).toEqual(['Only']);
  expect(useOf(store).reads).toBe(reads);
});

test('the state of the records is that of the server from which they are read', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Before'));
  await standby.pause();
  const position = await add(scope, 'After');
  await served(store, scope);
  const stale = () => store.readingScope(scope);
  const fresh = () => store.readingScope(scope, position);
  const read = await page(stale(), gadget, all);
  expect(read.docs).toHaveLength(1);
  // At the same time: calls on the same connection share queries.
  const states = await Promise.all(
    [stale(), fresh(), stale(), fresh(), stale(), fresh()].map((each) => recordsState(each)),
  );
  const newest = await recordsState(scope);
  expect(newest).not.toBe(read.state);
  expect(states).toEqual([read.state, newest, read.state, newest, read.state, newest]);
  await standby.resume();
});

test('a replica that lags by more than the permitted time is not used', async () => {
  const scope = database.freshScope();
  const strict = await database.open({ replicas: { urls: [standby.url], maxLagMs: 1_000, timeoutMs } });
  await served(strict, scope, await add(scope, 'Replayed'));
  await standby.pause();
  await add(scope, 'Not replayed');
  await expect.poll(() => namesIn(scope, undefined, strict), PATIENCE).toEqual(['Not replayed', 'Replayed']);
  expect(useOf(strict).problem).toBe('it lags behind the primary');
  await standby.resume();
  await served(strict, scope);
});

test('a replica that lags when the process starts is not used, however much it may lag', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Replayed'));
  await standby.pause();
  await add(scope, 'Not replayed');
  const late = await database.open({ replicas: { urls: [standby.url], maxLagMs: 3_600_000, timeoutMs } });
  await expect.poll(() => useOf(late).problem, PATIENCE).toBe('it lags behind the primary');
  expect(await namesIn(scope, undefined, late)).toEqual(['Not replayed', 'Replayed']);
  await standby.resume();
  await served(late, scope);
});

test('a read that the replica cancels because it conflicts with what it replays is done by the primary', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Read'));
  const holder = await standby.session();
  await holder.query('select pg_advisory_lock(42)');
  const budget = budgetOf(1_000_000);
  const { reads } = useOf(store);
  // Waits for the lock on the replica, where it is held, and then gets it immediately on the primary.
  const reading = sessionOf(store.readingScope(scope)).run<{ name: string }>(
    'select name, pg_advisory_lock_shared(42), pg_advisory_unlock_shared(42) from data.gadgets where connection_id = $1',
    [scope.connectionId],
    budget,
  );
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => (await holder.query(waiting)).rowCount, PATIENCE).toBe(1);
  await database.admin.query('begin; lock table data.gadgets in access exclusive mode; commit');
  expect(await reading).toMatchObject([{ name: 'Read' }]);
  expect(useOf(store)).toMatchObject({ reads, problem: undefined });
  await holder.query('select pg_advisory_unlock(42)');
});

test('a replica that stops during reads costs no read, and is used again when it runs', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Kept'));
  let isStopped = false;
  let failed = 0;
  const reader = async () => {
    while (!isStopped) {
      const { count } = await joinedPage(store.readingScope(scope), gadget, all, budgetOf(1_000_000)).catch(() => ({
        count: 0,
      }));
      if (count !== 1) failed += 1;
    }
  };
  const readers = Promise.all([reader(), reader(), reader(), reader()]);
  await standby.stop();
  await expect.poll(() => useOf(store).problem, PATIENCE).toMatch(/^it cannot be reached/);
  isStopped = true;
  await readers;
  expect(failed).toBe(0);
  const position = await add(scope, 'Written without it');
  expect(await namesIn(scope)).toEqual(['Kept', 'Written without it']);
  await standby.start();
  await served(store, scope, position);
});

test('a server that is not a replica of this database is not used', async () => {
  const scope = database.freshScope();
  await add(scope, 'Own');
  // Not prepared, because prepared servers are copies of one.
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const other = await startEmbedded({ dataDir, settings: { ...REPLICATED, fsync: 'off' } });
  onTestFinished(() => other.stop());
  const foreign = await startStandby({ dataDir, url: other.url });
  onTestFinished(() => foreign.remove());
  const urls = [database.url, foreign.url];
  const mistaken = await database.open({ replicas: { urls, maxLagMs: 3_600_000, timeoutMs } });
  const problems = () => replicaUseOf(mistaken).map(({ problem }) => problem);
  await expect
    .poll(problems, PATIENCE)
    .toEqual(['it is not a replica, or was promoted', 'it belongs to another database system than the primary']);
  expect(await namesIn(scope, undefined, mistaken)).toEqual(['Own']);
});

test('a replica that was promoted is no longer used', async () => {
  const scope = database.freshScope();
  await served(store, scope, await add(scope, 'Before'));
  await standby.promote();
  await expect.poll(() => useOf(store).problem, PATIENCE).toBe('it is not a replica, or was promoted');
  await add(scope, 'After');
  expect(await namesIn(scope)).toEqual(['After', 'Before']);
});
