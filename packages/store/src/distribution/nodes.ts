import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';

/** A server of a cluster that can have shards. */
export interface ClusterNode {
  readonly id: number;
  /** `10.0.0.2:5432`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** The servers of the cluster that can have shards. */
export async function nodesOf(client: pg.ClientBase): Promise<ClusterNode[]> {
  const { rows } = await client.query<ClusterNode>(
    `select nodeid as id, format('%s:%s', nodename, nodeport) as name, nodename as host, nodeport as port
       from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards order by nodeid`,
  );
  return rows;
}

/** The server with this name. Throws `ClusterRefusal`, which lists the names. */
export function nodeNamed(nodes: readonly ClusterNode[], name: string): ClusterNode {
  const found = nodes.find((node) => node.name === name);
  if (found) return found;
  throw new ClusterRefusal(
    `The cluster has no worker "${name}".`,
    `The workers are: ${nodes.map((node) => node.name).join(', ')}.`,
  );
}

/** A statement for one server, which returns one value as JSON. */
export interface NodeStatement {
  readonly node: Pick<ClusterNode, 'host' | 'port'>;
  readonly sql: string;
}

/** Runs statements on servers at the same time, outside the transaction of the client. Returns their results in the same order. */
export async function onNodes<Result>(client: pg.ClientBase, statements: readonly NodeStatement[]): Promise<Result[]> {
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select format('%s:%s', node_name, node_port) as node, success, result
       from master_run_on_worker($1::text[], $2::int[], $3::text[], true)`,
    [
      statements.map(({ node }) => node.host),
      statements.map(({ node }) => node.port),
      statements.map(({ sql }) => sql),
    ],
  );
  return rows.map(({ node, success, result }) => {
    if (!success)
      throw new ClusterRefusal(`${node} reported: ${result}.`, 'Check this server, then repeat the command.');
    return JSON.parse(result) as Result;
  });
}
