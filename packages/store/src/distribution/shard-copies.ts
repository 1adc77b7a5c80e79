import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';
import { ANCHOR } from './connection-place.ts';
import { type ClusterNode, type NodeStatement, onNodes } from './nodes.ts';

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

/** Statements that count the rows of each table. */
function countsOf(shards: readonly Shard[]): NodeStatement[] {
  return byNode(shards).map(([node, own]) => {
    const counts = own.map(({ table, sql }) => `select '${table}' as name, count(*) as n from ${sql}`);
    const sums = `select name, sum(n) as n from (${counts.join(' union all ')}) each group by name`;
    return { node, sql: `select json_object_agg(name, n)::text from (${sums}) tables` };
  });
}

function sumByTable(counted: readonly Record<string, number>[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const [table, count] of counted.flatMap(Object.entries<number>)) all.set(table, (all.get(table) ?? 0) + count);
  return all;
}

/**
 * Compares the number of rows of each table in the previous shards and in the ones that replace them, which are counted at the same
 * time, because writes wait. Returns the number of all. Throws `ClusterRefusal` if they differ.
 */
export async function compareRows(
  client: pg.ClientBase,
  previous: readonly Shard[],
  next: readonly Shard[],
): Promise<number> {
  const [ofPrevious, ofNext] = [countsOf(previous), countsOf(next)];
  const counted = await onNodes<Record<string, number>>(client, [...ofPrevious, ...ofNext]);
  const before = sumByTable(counted.slice(0, ofPrevious.length));
  const after = sumByTable(counted.slice(ofPrevious.length));
  const [differing] = [...before].filter(([table, count]) => after.get(table) !== count);
  if (differing)
    throw new ClusterRefusal(
      `Citus copied ${after.get(differing[0]) ?? 0} of ${differing[1]} rows of ${differing[0]}.`,
      'Repeat the command. If this happens again, report it with the log of the servers.',
    );
  return [...before.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Refuses shards that a prepared transaction has changed. Its coordinator session has ended without committing it, because others
 * make the move wait. Its changes are not copied, and would be lost when Citus commits it in the previous shards.
 */
export async function refuseUndecided(client: pg.ClientBase, shards: readonly Shard[]): Promise<void> {
  const nodes = byNode(shards);
  const prepared = await onNodes<string[]>(
    client,
    nodes.map(([node, own]) => ({
      node,
      // Only its lock of its own number leads to the other locks of a prepared transaction.
      sql: `select coalesce(json_agg(distinct gid), '[]')::text
              from pg_prepared_xacts join pg_locks own on own.locktype = 'transactionid' and own.transactionid = transaction
                   join pg_locks held using (virtualtransaction)
             where pg_prepared_xacts.database = current_database() and held.pid is null
               and held.relation in (select to_regclass(name) from unnest(array[${namesOf(own)}]) name)`,
    })),
  );
  const index = prepared.findIndex((gids) => gids.length > 0);
  if (index < 0) return;
  throw new ClusterRefusal(
    `The transaction ${prepared[index]?.[0]} is prepared on ${nodes[index]?.[0].name}, and is neither committed nor rolled back yet.`,
    'Citus does this within a minute after a failure. Repeat the command then.',
  );
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
