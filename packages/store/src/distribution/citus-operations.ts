import type pg from 'pg';

/** The moves, divisions and rebalancings of Citus that are running, and what it has recorded for removal. */
export interface CitusOperations {
  /** Whether Citus will remove this on the servers of the group, or an operation that is running uses it. */
  includes(group: number, name: string): boolean;
  /** Whether something of an operation that has ended is still to be removed. */
  readonly isCleanupDue: boolean;
}

/** Each operation of Citus has a lock with this subordinate id until its transaction ends. */
const OPERATION_LOCK = 10;

/**
 * Reads them from the coordinator. Those of its other databases are included, because they create roles, which all databases
 * share.
 */
export async function operationsOf(client: pg.ClientBase): Promise<CitusOperations> {
  const { rows } = await client.query<{ running: string[]; recorded: string[]; isCleanupDue: boolean }>(
    `with running as materialized (
       select (classid::bigint << 32) | objid::bigint as id from pg_locks
        where locktype = 'advisory' and objsubid = ${OPERATION_LOCK} and granted)
     select array(select id::text from running) as running,
            array(select node_group_id || ' ' || object_name from pg_dist_cleanup) as recorded,
            exists (select from pg_dist_cleanup where operation_id not in (select id from running)) as "isCleanupDue"`,
  );
  const { running = [], recorded = [], isCleanupDue = false } = rows[0] ?? {};
  const names = new Set(recorded);
  // The names of all other objects end with the number of their operation.
  const includes = (group: number, name: string) =>
    names.has(`${group} ${name}`) || running.some((id) => name.endsWith(`_${id}`));
  return { includes, isCleanupDue };
}
