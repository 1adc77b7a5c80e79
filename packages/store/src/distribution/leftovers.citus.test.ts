import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { filled } from '../../test/moves.ts';
import { withConnection } from '../sql/own-connection.ts';
import { placeOf } from './connection-place.ts';
import { leftoversOf, removeLeftovers } from './leftovers.ts';
import { nodesOf } from './nodes.ts';

const database = await testDatabase();
const { url } = database;
const found = () => withConnection(url, leftoversOf);

test('only what a move has left is reported as left, not the tables of a day', async () => {
  expect(await found()).toEqual([]);
  await withConnection(url, async (client) => {
    await client.query('create table unified.kept_20261127 (id int)');
    await client.query(`select * from run_command_on_workers('create table unified.links_999999 (id int)')`);
  });
  const left = await found();
  expect(new Set(left.map(({ what }) => what))).toEqual(new Set(['table unified.links_999999']));
  await withConnection(url, (client) => client.query('select run_command_on_workers($1)', [left[0]?.remedy]));
  expect(await found()).toEqual([]);
});

test('what a rebalancing uses is not left, and neither is a previous shard that a transaction still reads', {
  timeout: 180_000,
}, async () => {
  const { connectionId } = await filled(database);
  await withConnection(url, (reader) =>
    withConnection(url, async (mover) => {
      const place = await placeOf(mover, connectionId);
      const to = (await nodesOf(mover)).find(({ id }) => id !== place.node.id);
      await reader.query('begin');
      await reader.query('select count(*) from data.gadgets where connection_id = $1', [connectionId]);
      await mover.query('begin');
      // As each step of a rebalancing.
      const moving = mover.query(`select citus_move_shard_placement($1::bigint, $2::int, $3::int, 'force_logical')`, [
        ...[place.shardId, place.node.id, to?.id],
      ]);
      const isOver = moving.then(() => true);
      do expect(await found()).toEqual([]);
      while (!(await Promise.race([isOver, false])));
      expect(await found()).toEqual([]);
      await mover.query('commit');
      const waiting = await mover.query('select from pg_dist_cleanup');
      expect(waiting.rowCount).toBeGreaterThan(0);
      await mover.query('call citus_cleanup_orphaned_resources()');
      expect(await found()).toEqual([]);
      expect((await mover.query('select from pg_dist_cleanup')).rowCount).toBeGreaterThan(0);
      await reader.query('commit');
      expect(await removeLeftovers(mover)).toEqual([]);
      expect((await mover.query('select from pg_dist_cleanup')).rowCount).toBe(0);
    }),
  );
});

test('a running move does not delay the removal of what earlier ones have left', {
  timeout: 180_000,
}, async () => {
  const { connectionId } = await filled(database);
  await withConnection(url, async (mover) => {
    const place = await placeOf(mover, connectionId);
    const to = (await nodesOf(mover)).find(({ id }) => id !== place.node.id);
    await mover.query('begin');
    await mover.query(`select citus_move_shard_placement($1::bigint, $2::int, $3::int, 'block_writes')`, [
      ...[place.shardId, place.node.id, to?.id],
    ]);
    expect(await withConnection(url, removeLeftovers)).toEqual([]);
    await mover.query('rollback');
    expect(await withConnection(url, removeLeftovers)).toEqual([]);
    expect((await mover.query('select from pg_dist_cleanup')).rowCount).toBe(0);
  });
});
