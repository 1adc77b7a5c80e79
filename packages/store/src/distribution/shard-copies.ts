import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';
import { ANCHOR } from './connection-place.ts';
import { type ClusterNode, onNodes } from './nodes.ts';

/** A shard of a table. */
export interface Shard {
  readonly table: string;
  /** Its name on its server, as SQL. */
  readonly sql: string;
  readonly node: ClusterNode;
}

/** The shards of all distributed tables whose rows have a hash within these limits. */
export async function shardsWithin(
  client: pg.ClientBase,
  { lowest, highest }: { readonly lowest: number; readonly highest: number },
): Promise<Shard[]> {
  const { rows } = await client.query<Omit<Shard, 'node'> & ClusterNode>(
    `select logicalrelid::text as table, shard_name(logicalrelid, shardid) as sql,
            nodeid as id, format('%s:%s', nodename, nodeport) as name, nodename as host, nodeport as port
       from pg_dist_shard join pg_dist_partition using (logicalrelid) join pg_dist_placement using (shardid)
            join pg_dist_node using (groupid)
      where colocationid = (select colocationid from pg_dist_partition where logicalrelid = $1::regclass)
        and shardminvalue::int >= $2 and shardmaxvalue::int <= $3 and noderole = 'primary'
      order by 1, 2`,
    [ANCHOR, lowest, highest],
  );
  return rows.map(({ table, sql, ...node }) => ({ table, sql, node }));
}

/** Size of shards in bytes, with their indexes. */
export async function bytesOf(client: pg.ClientBase, shards: readonly Shard[]): Promise<number> {
  const sizes = await onNodes<number>(
    client,
    byNode(shards).map(([node, own]) => ({
      node,
      sql: `select coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::text from unnest(array[${namesOf(own)}]) name`,
    })),
  );
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** The number of rows of each table. */
async function rowsOf(client: pg.ClientBase, shards: readonly Shard[]): Promise<Map<string, number>> {
  const counted = await onNodes<Record<string, number>>(
    client,
    byNode(shards).map(([node, own]) => {
      const counts = own.map(({ table, sql }) => `select '${table}' as name, count(*) as n from ${sql}`);
      const sums = `select name, sum(n) as n from (${counts.join(' union all ')}) each group by name`;
      return { node, sql: `select json_object_agg(name, n)::text from (${sums}) tables` };
    }),
  );
  const all = new Map<string, number>();
  for (const [table, count] of counted.flatMap(Object.entries<number>)) all.set(table, (all.get(table) ?? 0) + count);
  return all;
}

/**
 * Compares the number of rows of each table in the previous shards and in the ones that replace them. Returns the number of all.
 * Throws `ClusterRefusal` if they differ.
 */
export async function compareRows(
  client: pg.ClientBase,
  previous: readonly Shard[],
  next: readonly Shard[],
): Promise<number> {
  const [before, after] = [await rowsOf(client, previous), await rowsOf(client, next)];
  const [differing] = [...before].filter(([table, count]) => after.get(table) !== count);
  if (differing)
    throw new ClusterRefusal(
      `Citus copied ${after.get(differing[0]) ?? 0} of ${differing[1]} rows of ${differing[0]}. Nothing was moved.`,
      'Repeat the command. If this happens again, report it with the log of the servers.',
    );
  return [...before.values()].reduce((sum, count) => sum + count, 0);
}

function byNode(shards: readonly Shard[]): (readonly [ClusterNode, Shard[]])[] {
  const groups = new Map<number, [ClusterNode, Shard[]]>();
  for (const shard of shards) {
    const group = groups.get(shard.node.id) ?? [shard.node, []];
    group[1].push(shard);
    groups.set(shard.node.id, group);
  }
  return [...groups.values()];
}

function namesOf(shards: readonly Shard[]): string {
  return shards.map(({ sql }) => `'${sql.replaceAll("'", "''")}'`).join(', ');
}
