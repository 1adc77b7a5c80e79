import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { operationsOf } from './citus-operations.ts';
import { type NodeStatement, onNodes } from './nodes.ts';

/** What an interrupted move has left on a server. */
export interface Leftover {
  /** `10.0.0.2:5432`. */
  readonly node: string;
  readonly what: string;
  /** The statement that removes it there, as a superuser. */
  readonly remedy: string;
}

/** Citus completes or rolls back the transactions of a server that failed once a minute. */
const PATIENCE_MS = 90_000;

/** Removes what interrupted moves have left. Returns what Citus does not know and cannot remove, after waiting for it. */
export async function removeLeftovers(client: pg.ClientBase): Promise<Leftover[]> {
  const until = performance.now() + PATIENCE_MS;
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    await client.query('call citus_cleanup_orphaned_resources()');
    const found = await leftoversOf(client);
    const { isCleanupDue } = await operationsOf(client);
    if (performance.now() > until || (found.length === 0 && !isCleanupDue)) return found;
    // What Citus does not know stays: it was created immediately before the interruption.
    if (!isCleanupDue && found.every(({ what }) => !/transaction/.test(what)) && wait > 1_000) return found;
    await pause(wait);
  }
}

/**
 * What moves have left on all servers. What Citus has recorded, because it belongs to a move or rebalancing that is running or
 * will be removed automatically, is not among it.
 */
export async function leftoversOf(client: pg.ClientBase): Promise<Leftover[]> {
  const { rows: nodes } = await client.query<NodeStatement['node'] & { group: number; name: string }>(
    `select nodename as host, nodeport as port, groupid as group, format('%s:%s', nodename, nodeport) as name
       from pg_dist_node where isactive and noderole = 'primary' order by nodeid`,
  );
  const before = await operationsOf(client);
  const found = await onNodes<Found[]>(
    client,
    nodes.map((node) => ({ node, sql: LEFTOVERS })),
  );
  // An operation may have begun or been committed while the servers were read.
  const after = await operationsOf(client);
  return nodes.flatMap(({ group, name: node }, index) =>
    (found[index] ?? [])
      .filter(({ name }) => ![before, after].some((operations) => operations.includes(group, name)))
      .map(({ what, remedy }) => ({ node, what, remedy })),
  );
}

interface Found extends Omit<Leftover, 'node'> {
  readonly name: string;
}

/** Citus creates roles and subscriptions before it records them for removal. Other databases of a server have their own. */
const LEFTOVERS = `
select coalesce(json_agg(json_build_object('name', name, 'what', kind || ' ' || name, 'remedy', format(remedy, name))), '[]')::text from (
  select 'table' as kind, format('%I.%I', nspname, relname) as name, 'DROP TABLE %s' as remedy
    from pg_class c join pg_namespace on pg_namespace.oid = relnamespace
   where relkind = 'r' and not relispartition and relname ~ '_[0-9]{6,18}$'
     and exists (select from pg_dist_partition join pg_class d on d.oid = logicalrelid
                  where d.relnamespace = c.relnamespace and d.relname = regexp_replace(c.relname, '_[0-9]+$', ''))
     and not exists (select from pg_dist_placement join pg_dist_node using (groupid)
                      where shardid = substring(relname from '_([0-9]{6,18})$')::bigint
                        and groupid = (select groupid from pg_dist_local_group))
  union all
  select 'role', rolname, 'DROP ROLE %I' from pg_roles
   where rolname ~ '^citus_shard_(move|split)_subscription_role_' and not exists (select from pg_subscription where subowner = pg_roles.oid)
  union all
  select 'subscription', subname,
         'ALTER SUBSCRIPTION %1$I DISABLE; ALTER SUBSCRIPTION %1$I SET (slot_name = NONE); DROP SUBSCRIPTION %1$I'
    from pg_subscription join pg_database on pg_database.oid = subdbid
   where datname = current_database() and subname ~ '^citus_shard_(move|split)_'
  union all
  select 'publication', pubname, 'DROP PUBLICATION %I' from pg_publication where pubname ~ '^citus_shard_(move|split)_'
  union all
  select 'replication slot', slot_name, 'SELECT pg_drop_replication_slot(%L)'
    from pg_replication_slots where database = current_database() and slot_name ~ '^citus_shard_(move|split)_'
  union all
  select 'prepared transaction', gid, 'On the coordinator: SELECT recover_prepared_transactions()'
    from pg_prepared_xacts
   where database = current_database() and gid like 'citus\\_%' and prepared < now() - interval '10 seconds'
) found`;
