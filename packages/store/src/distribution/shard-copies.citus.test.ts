import type pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { filled, nodeOf, otherNode, quiet, storedOf } from '../../test/moves.ts';
import type { Scope } from '../index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { placeOf } from './connection-place.ts';
import { moveConnection } from './move-connection.ts';
import { compareRows, shardsWithin } from './shard-copies.ts';

const database = await testDatabase();
const { store, adminUrl, url } = database;

/** The statements that count on this server and wait for a lock. */
const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'select json_object_agg%'`;

/** A session on the worker of a connection, which sees its shards as tables. */
async function onWorker<T>(scope: Scope, work: (client: pg.Client, shard: string) => Promise<T>): Promise<T> {
  const { place, shards } = await withConnection(url, async (client) => {
    const place = await placeOf(client, scope.connectionId);
    return { place, shards: await shardsWithin(client, place) };
  });
  const worker = new URL(adminUrl('unified'));
  worker.host = place.node.name;
  const shard = shards.find(({ table }) => table === 'data.gadgets')?.sql ?? expect.fail('there is no shard');
  return withConnection(worker.href, (client) => work(client, shard));
}

test('the rows of the previous and the new shards are counted at the same time', async () => {
  const scope = await filled(database);
  await onWorker(scope, (holder, shard) =>
    withConnection(url, async (client) => {
      const shards = await shardsWithin(client, await placeOf(client, scope.connectionId));
      await holder.query('set citus.enable_manual_changes_to_shards to on');
      await holder.query('begin');
      await holder.query(`lock table ${shard} in access exclusive mode`);
      const counting = compareRows(client, shards, shards);
      const waiting = () => onWorker(scope, async (worker) => (await worker.query<{ n: number }>(WAITING)).rows[0]?.n);
      await expect.poll(waiting).toBe(2);
      await holder.query('commit');
      expect(await counting).toBeGreaterThanOrEqual(100);
    }),
  );
});

test('shards with different numbers of rows are refused', async () => {
  const { connectionId } = await filled(database);
  await withConnection(url, async (client) => {
    const shards = await shardsWithin(client, await placeOf(client, connectionId));
    const compared = compareRows(
      client,
      shards,
      shards.filter(({ table }) => table !== 'data.gadgets'),
    );
    await expect(compared).rejects.toThrow(/^Citus copied 0 of [0-9]+ rows of data\.gadgets\.$/);
  });
});

test('a move is refused while a prepared transaction has changed its shard, so that the change is not lost', {
  timeout: 180_000,
}, async () => {
  const scope = await filled(database);
  const [from, to] = [await nodeOf(store, scope), await otherNode(store, scope)];
  const move = () => moveConnection(store, { ...quiet, connectionId: scope.connectionId, to, blockWrites: true });
  await onWorker(scope, async (client, shard) => {
    await client.query('set citus.enable_manual_changes_to_shards to on');
    await client.query('begin');
    await client.query(`delete from ${shard} where connection_id = $1 and "_idValue" = 'kept-0'`, [scope.connectionId]);
    await client.query(`prepare transaction 'undecided'`);
    const moving = move().catch((error: unknown) => error);
    expect(await moving.finally(() => client.query(`commit prepared 'undecided'`))).toMatchObject({
      message: expect.stringMatching(/^The transaction undecided is prepared on .* Nothing was moved\.$/),
    });
  });
  expect(await nodeOf(store, scope)).toBe(from);
  expect(await move()).toMatchObject({ isMoved: true });
  expect((await storedOf(adminUrl('unified'), scope)).keys).not.toContain('kept-0');
});
