import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';
import { commitMove, type OpenSession } from './commit-move.ts';
import type { ShardPlace } from './connection-place.ts';
import { onNodes } from './nodes.ts';
import { compareRows, refuseUndecided, shardsWithin } from './shard-copies.ts';
import type { Transfer } from './transfer.ts';
import { BLOCKING, transferRefusal } from './transfer-refusal.ts';

/**
 * Moves a connection out of its shard to another server, or the whole shard if no other connection is in it, in one transaction. It
 * is committed only if the new shards have as many rows. Returns their number. Throws `ClusterRefusal`.
 */
export async function transferShard(mover: pg.Client, transfer: Transfer, openSession: OpenSession): Promise<number> {
  const rows = await copyAndCompare(mover, transfer);
  await commitMove(mover, transfer, openSession);
  return rows;
}

/** Leaves the transaction open, in which writes wait. The previous shards stay on their server for longer. */
async function copyAndCompare(mover: pg.Client, transfer: Transfer): Promise<number> {
  const { place } = transfer;
  try {
    const previous = await shardsWithin(mover, place);
    await mover.query('begin');
    await copyShard(mover, transfer);
    await refuseUndecided(mover, previous);
    return await compareRows(mover, previous, await shardsWithin(mover, place));
  } catch (error) {
    await mover.query('rollback').catch(() => {});
    throw transferRefusal(error, place);
  }
}

/** Copying a shard without blocking writes replicates its changes, for which its tables need primary keys. */
async function copyShard(mover: pg.Client, { place, to, blockWrites }: Transfer): Promise<void> {
  const mode = blockWrites ? 'block_writes' : 'auto';
  const { shardId, node, lowest, highest, hash } = place;
  if (lowest === highest) {
    await mover.query('select citus_move_shard_placement($1::bigint, $2::int, $3::int, $4)', [
      shardId,
      node.id,
      to.id,
      mode,
    ]);
    return;
  }
  // Each point is the last hash of a new shard.
  const points = [...(hash > lowest ? [hash - 1] : []), ...(hash < highest ? [hash] : [])];
  const places = [...(hash > lowest ? [node.id] : []), to.id, ...(hash < highest ? [node.id] : [])];
  await mover.query('select citus_split_shard_by_split_points($1::bigint, $2::text[], $3::int[], $4)', [
    shardId,
    points,
    places,
    mode,
  ]);
}

/** Throws `ClusterRefusal` if the servers are not set up for the transfer. */
export async function checkTransfer(client: pg.ClientBase, transfer: Transfer): Promise<void> {
  await checkConnections(client);
  if (!transfer.blockWrites) await checkReplication(client, transfer.place);
}

/** Servers copy rows to each other as the current user. */
async function checkConnections(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ from: string; to: string; user: string }>(
    `select format('%s:%s', from_nodename, from_nodeport) as from, format('%s:%s', to_nodename, to_nodeport) as to,
            current_user as user
       from citus_check_cluster_node_health() where result is not true`,
  );
  const [broken] = rows;
  if (broken)
    throw new ClusterRefusal(
      `${broken.from} cannot connect to ${broken.to} as ${broken.user}.`,
      `Allow it in pg_hba.conf of ${broken.to}, and store the password in .pgpass of the system user of PostgreSQL on ${broken.from}.`,
    );
}

async function checkReplication(client: pg.ClientBase, { node }: ShardPlace): Promise<void> {
  const [level] = await onNodes<string>(client, [{ node, sql: `select to_json(current_setting('wal_level'))::text` }]);
  if (level !== 'logical')
    throw new ClusterRefusal(
      `${node.name} cannot replicate changes: its wal_level is ${level}.`,
      `Set there, as a superuser: ALTER SYSTEM SET wal_level = logical; and restart it. Or ${BLOCKING}`,
    );
}
