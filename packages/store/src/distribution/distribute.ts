import type pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { excludeProcesses } from '../installation/join-installation.ts';
import { withConnection } from '../sql/own-connection.ts';
import { MIGRATING, takeSessionLock } from '../sql/session-lock.ts';
import { ROLES } from '../sql/tenant-role.ts';
import { type CitusCluster, ClusterRefusal, checkLogins, clusterOf, prepareRoles } from './cluster.ts';
import {
  distributeTable,
  isDue,
  markDistributed,
  removeLocalRows,
  type StoredTable,
  storedTables,
} from './place-tables.ts';
import { placementOf } from './placements.ts';

/** The state of a database, and what `distribute` does with it. */
export interface Distribution {
  readonly cluster: CitusCluster;
  /** Tables that are distributed already: `data.vendors`. */
  readonly done: readonly string[];
  /** Tables that are distributed next. */
  readonly due: readonly string[];
  /** Tables that stay on the coordinator. */
  readonly onCoordinator: readonly string[];
}

export interface DistributeOptions {
  /** Only determine what would be done. */
  readonly isDryRun: boolean;
  /** Called before each table, with the number of tables before it and of all. */
  readonly onTable: (name: string, done: number, all: number) => void;
}

/**
 * Distributes the database of a store over the workers of its Citus cluster: tables with data of connections by connection, all
 * others stay on the coordinator. An interrupted run is continued by the next one. Throws `ClusterRefusal`, also while a process of
 * the installation is running.
 */
export function distribute(store: Store, { isDryRun, onTable }: DistributeOptions): Promise<Distribution> {
  const work = async (client: pg.Client) => {
    const cluster = await clusterOf(client);
    const tables = await storedTables(client);
    const due = tables.filter(isDue);
    const plan: Distribution = {
      cluster,
      done: namesOf(tables.filter((table) => table.isDistributed)),
      due: namesOf(due),
      onCoordinator: namesOf(tables.filter((table) => placementOf(table) === 'coordinator')),
    };
    if (isDryRun) return plan;
    if (!(await excludeProcesses(client)))
      throw new ClusterRefusal(
        'A process of this installation is running.',
        'Stop all of them, then repeat the command.',
      );
    await takeSessionLock(client, MIGRATING, 'exclusive');
    await prepareRoles(client);
    // First, because processes that start after an interruption must already send their settings to the workers.
    await markDistributed(client, ROLES);
    // The first grant on a table of the cluster has created the roles on the workers.
    await checkLogins(client);
    // An interrupted run may have left those of its last table.
    for (const table of tables.filter(({ isDistributed }) => isDistributed)) await removeLocalRows(client, table);
    for (const [index, table] of due.entries()) {
      onTable(table.name, index, due.length);
      await distributeTable(client, table);
    }
    return plan;
  };
  return withConnection(internalsOf(store).databaseUrl, work, { name: 'unified migration' });
}

function namesOf(tables: readonly StoredTable[]): string[] {
  return tables.map(({ name }) => name);
}
