import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { maker } from '../../test/gadget.ts';
import { moveCursorAlone } from '../../test/late-changes.ts';
import { changesAfter, latestChange, type Scope, saveRecords } from '../index.ts';
import { lockChangeCursor } from './change-log.ts';
import { recordsState } from './records-state.ts';

const { freshScope, admin, adminUrl, url } = await testDatabase();
const workers = new Map<number, pg.Client>();
afterAll(async () => {
  for (const worker of workers.values()) await worker.end();
});

const save = (scope: Scope, code: string) =>
  saveRecords(scope, maker, [{ _source: 'makers', _idValue: code, values: { name: code }, references: {} }]);

/** The name of a connection's shard of a table, and a superuser's session on its worker. */
async function shardOf(table: string, { connectionId }: Scope) {
  const { rows } = await admin.query<{ shard: string; port: number }>(
    `select shard_name as shard, nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column($1::regclass, $2::uuid)`,
    [table, connectionId],
  );
  const { shard = '', port = 0 } = rows[0] ?? {};
  const worker = workers.get(port) ?? new pg.Client(Object.assign(new URL(adminUrl('unified')), { port }).href);
  if (!workers.has(port)) await worker.connect();
  workers.set(port, worker);
  return { shard, worker };
}

/** Logs a change in a transaction that has been committed on the coordinator, and only prepared on the worker of the connection. */
async function logPrepared(scope: Scope) {
  const { connectionId } = scope;
  const [changes, bounds] = [
    await shardOf('unified.changes', scope),
    await shardOf('unified.change_log_bounds', scope),
  ];
  const { worker } = changes;
  const seq = await moveCursorAlone(url, connectionId);
  const name = `late_${randomUUID()}`;
  await worker.query('begin');
  await worker.query(
    `insert into ${changes.shard} (connection_id, seq, entity, id, kind, fields) values ($1, $2, 'Maker', $3, 'deleted', '{}')`,
    [connectionId, seq, randomUUID()],
  );
  await worker.query(`update ${bounds.shard} set last = $2, "lastAt" = now() where connection_id = $1`, [
    connectionId,
    seq,
  ]);
  await worker.query(`prepare transaction '${name}'`);
  let isOpen = true;
  const end = async (command: 'commit' | 'rollback') => {
    if (isOpen) await worker.query(`${command} prepared '${name}'`);
    isOpen = false;
  };
  // A database with a prepared transaction cannot be removed.
  onTestFinished(() => end('rollback'));
  return { worker, commit: () => end('commit') };
}

async function waitingOn(worker: pg.Client): Promise<number> {
  const { rows } = await worker.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

test('a reader sees neither the end of the log nor a new state before the changes, and the next writer waits for them', async () => {
  const scope = freshScope();
  await save(scope, 'a');
  const seen = async () => ({ state: await recordsState(scope), latest: await latestChange(scope) });
  const before = await seen();
  const { worker, commit } = await logPrepared(scope);
  const writing = scope.transaction(async (inner) => {
    const last = await lockChangeCursor(inner);
    return [last, Number(await latestChange(inner))];
  });
  await expect.poll(() => waitingOn(worker)).toBe(1);
  expect(await seen()).toEqual(before);
  expect(await changesAfter(scope, '1', 10)).toEqual({ changes: [], cursor: '1', hasMore: false });
  await commit();
  expect(await writing).toEqual([2, 2]);
  expect(await changesAfter(scope, '1', 10)).toMatchObject({ changes: [{ seq: 2, kind: 'deleted' }], cursor: '2' });
  expect((await seen()).latest).toBe('2');
  expect((await seen()).state).not.toBe(before.state);
});
