import type pg from 'pg';

/**
 * Always empty. Citus executes a deletion from it on the coordinator, and commits a transaction with such a change in two
 * phases: what it changes in ordinary tables of the coordinator is then committed together with its changes on a worker.
 */
export const JOINT_COMMITS = 'unified.joint_commits';

/** Runs first in each transaction of a distributed database that changes rows. */
export const COMMIT_JOINTLY = `delete from ${JOINT_COMMITS}`;

/**
 * Ends an insertion of selected rows that neither returns rows nor handles conflicts. Citus would copy the rows, which row-level
 * security refuses; if one value of each is returned, it inserts them.
 */
export const BY_ROW = 'returning 1';

/** Whether the database was distributed by this service. */
export async function isDistributed(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('${JOINT_COMMITS}') is not null as is`);
  return rows[0]?.is === true;
}
