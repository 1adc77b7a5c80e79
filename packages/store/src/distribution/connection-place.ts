import type pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { isDistributed } from '../sql/joint-commits.ts';
import { withClient } from '../sql/with-client.ts';
import { ClusterRefusal, clusterOf } from './cluster.ts';
import { type ClusterNode, nodesOf } from './nodes.ts';

/** A distributed table: the shards of all others are where its shards are. */
export const ANCHOR = 'unified.changes';

/** The shard of a connection: the rows of all connections whose ids have a hash within its limits. */
export interface ShardPlace {
  /** Id of the shard of `ANCHOR`. */
  readonly shardId: string;
  readonly node: ClusterNode;
  readonly lowest: number;
  readonly highest: number;
  /** Hash of the id of the connection. */
  readonly hash: number;
  /** Number of other connections in the shard. */
  readonly neighbors: number;
}

/** A server, and what is on it. */
export interface NodeUse {
  /** `10.0.0.2:5432`. */
  readonly name: string;
  readonly connections: number;
  readonly bytes: number;
}

/** The shard of a connection. */
export async function placeOf(client: pg.ClientBase, connectionId: string): Promise<ShardPlace> {
  const { rows } = await client.query<Omit<ShardPlace, 'node'> & { nodeId: number }>(
    `select shardid::text as "shardId", nodeid as "nodeId", shardminvalue::int as lowest, shardmaxvalue::int as highest,
            worker_hash($2::uuid) as hash,
            (select count(*)::int from unified.connections
              where id <> $2 and worker_hash(id) between shardminvalue::int and shardmaxvalue::int) as neighbors
       from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column($1, $2::uuid) and noderole = 'primary'`,
    [ANCHOR, connectionId],
  );
  const [place] = rows;
  const node = (await nodesOf(client)).find(({ id }) => id === place?.nodeId);
  if (!place || !node)
    throw new ClusterRefusal(
      `The shard of ${connectionId} is on a server that is not an active worker.`,
      'Check the cluster, as a superuser: SELECT * FROM pg_dist_node;',
    );
  const { nodeId: _, ...rest } = place;
  return { ...rest, node };
}

/** Throws `ClusterRefusal` unless the tables of the service are distributed. */
export async function requireDistributed(client: pg.ClientBase): Promise<void> {
  await clusterOf(client);
  if (await isDistributed(client)) return;
  throw new ClusterRefusal('This database is not distributed yet.', 'Run: npm run admin -- distribute');
}

/** The workers of the cluster with their connections and bytes. Throws `ClusterRefusal`. */
export function nodeUses(store: Store): Promise<NodeUse[]> {
  return withClient(internalsOf(store).owner, async (client) => {
    await requireDistributed(client);
    const { rows } = await client.query<NodeUse>(
      `with sizes as materialized (
         select nodename, nodeport, sum(shard_size)::bigint as bytes from citus_shards group by 1, 2)
       select format('%s:%s', nodename, nodeport) as name, count(connections.id)::int as connections,
              coalesce(max(bytes), 0) as bytes
         from pg_dist_node
              left join (pg_dist_placement join pg_dist_shard on pg_dist_shard.shardid = pg_dist_placement.shardid
                                                            and logicalrelid = $1::regclass) using (groupid)
              left join unified.connections on worker_hash(connections.id) between shardminvalue::int and shardmaxvalue::int
              left join sizes using (nodename, nodeport)
        where isactive and noderole = 'primary' and shouldhaveshards
        group by nodeid, nodename, nodeport order by nodeid`,
      [ANCHOR],
    );
    return rows;
  });
}

/** Where a connection is. Throws `ClusterRefusal`. */
export function connectionPlace(store: Store, connectionId: string): Promise<ShardPlace> {
  return withClient(internalsOf(store).owner, async (client) => {
    await requireDistributed(client);
    return placeOf(client, connectionId);
  });
}
