import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { type ProxiedSession, startDatabaseProxy, type Watch } from '../../test/database-proxy.ts';
import { entities, gadget } from '../../test/gadget.ts';
import { filled, nodeOf, otherNode, quiet, record, startMove, storedOf } from '../../test/moves.ts';
import { until } from '../embedded/until.ts';
import { openStore, type Scope, saveRecords } from '../index.ts';
import { ClusterRefusal } from './cluster.ts';
import { moveConnection } from './move-connection.ts';

const database = await testDatabase();
const { store, admin, adminUrl, url } = database;

/** Seconds for a move to begin on a busy machine. */
const PATIENCE = 120;

/** State of the session whose transaction copies the shard. */
async function stateOfMover(): Promise<string | null> {
  const { rows } = await admin.query<{ state: string }>(
    `select state from pg_stat_activity
      where datname = current_database() and application_name = 'unified move' and query ~ 'select citus_(split|move)_shard'`,
  );
  return rows[0]?.state ?? null;
}

test('a command that stops responding while writes wait is ended by the coordinator, and moves nothing', {
  timeout: 300_000,
}, async () => {
  const scope = await filled(database);
  const [from, to] = [await nodeOf(store, scope), await otherNode(store, scope)];
  const moving = startMove(url, scope, to);
  onTestFinished(() => moving.kill('SIGKILL'));
  await until(async () => ((await stateOfMover()) === 'active' ? true : null), PATIENCE, 'the move did not begin');
  moving.kill('SIGSTOP');
  const isIdle = async () => ((await stateOfMover()) === 'idle in transaction' ? true : null);
  await until(isIdle, PATIENCE, 'the copy was not completed');
  // Waits for the transaction, which only the coordinator can end.
  await saveRecords(scope, gadget, [record('saved')]);
  expect(await stateOfMover()).toBe(null);
  moving.kill('SIGCONT');
  const { code, stderr } = await moving.ended;
  expect(stderr).toMatch(/^The database session of the move ended before its commit.*Nothing was moved\./);
  expect(code).toBe(1);
  expect(await nodeOf(store, scope)).toBe(from);
  expect(await moveConnection(store, { ...quiet, connectionId: scope.connectionId, to })).toMatchObject({
    isMoved: true,
    leftovers: [],
  });
  expect((await storedOf(adminUrl('unified'), scope)).keys).toContain('saved');
});

/** Moves a connection through a proxy. */
async function moveThrough(watch: Watch, { connectionId }: Scope, to: string) {
  const proxy = await startDatabaseProxy(url, watch);
  const proxied = await openStore({ databaseUrl: proxy.url, publicUrl: 'https://api.test', entities });
  try {
    return await moveConnection(proxied, { ...quiet, connectionId, to });
  } finally {
    await proxy.stop();
    await proxied.close();
  }
}

const cutWhen = (expected: string) => (session: ProxiedSession, text: string) => {
  if (text === expected) session.cut();
};

test('a move whose commit was confirmed to a broken connection is reported as complete', {
  timeout: 180_000,
}, async () => {
  const scope = await filled(database);
  const to = await otherNode(store, scope);
  const moved = await moveThrough({ onCompleted: cutWhen('COMMIT') }, scope, to);
  expect(moved).toMatchObject({ isMoved: true, to, leftovers: [] });
  expect(await nodeOf(store, scope)).toBe(to);
});

test('a move whose commit did not reach the coordinator is reported as not carried out', {
  timeout: 180_000,
}, async () => {
  const scope = await filled(database);
  const [from, to] = [await nodeOf(store, scope), await otherNode(store, scope)];
  const moving = moveThrough({ onStatement: cutWhen('commit') }, scope, to);
  await expect(moving).rejects.toThrow(/ended before its commit.*Nothing was moved\.$/);
  expect(await nodeOf(store, scope)).toBe(from);
});

test('if the coordinator cannot be asked what it has committed, the command reports that this is not known', {
  timeout: 180_000,
}, async () => {
  const scope = await filled(database);
  const { connectionId } = scope;
  const to = await otherNode(store, scope);
  const proxy = await startDatabaseProxy(url, {
    onCompleted: (_, command) => {
      if (command === 'COMMIT') void proxy.stop();
    },
  });
  const proxied = await openStore({ databaseUrl: proxy.url, publicUrl: 'https://api.test', entities });
  onTestFinished(() => proxied.close());
  const failure = await moveConnection(proxied, { ...quiet, connectionId, to }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ClusterRefusal);
  expect(failure).toMatchObject({
    message: expect.stringContaining('cannot be asked whether the connection was moved: connect ECONNREFUSED'),
    remedy: expect.stringContaining(`npm run admin -- connection where ${connectionId}`),
  });
  expect(await nodeOf(store, scope)).toBe(to);
  expect(await moveConnection(store, { ...quiet, connectionId, to })).toMatchObject({ isMoved: false, leftovers: [] });
});
