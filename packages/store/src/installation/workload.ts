import { asOwner, internalsOf, type Store } from '../access/store.ts';
import { isSyncing } from '../locks/connection-locks.ts';

/** The work that waits for workers, of all active connections. */
export interface Workload {
  /** Writes that are not settled. */
  readonly openWrites: number;
  /** Seconds since the oldest of them was accepted; 0 without one. */
  readonly oldestWriteSeconds: number;
  /** Connections that are due to be synchronized, without those that are being synchronized. */
  readonly dueSyncs: number;
  /** Seconds since the first of them was due; 0 without one. */
  readonly syncDelaySeconds: number;
}

const WORKLOAD = `
  with open as (
    select w."createdAt" from unified.writes w join unified.connections c on c.id = w.connection_id
     where w.status in ('pending', 'running', 'unknown') and c.status = 'active'),
  due as (
    select "nextSyncAt" from unified.connections c
     where status = 'active' and "nextSyncAt" <= now() and not ${isSyncing('c.id')})
  select (select count(*)::int from open) as "openWrites",
         (select coalesce(extract(epoch from now() - min("createdAt")), 0)::float8 from open) as "oldestWriteSeconds",
         (select count(*)::int from due) as "dueSyncs",
         (select coalesce(extract(epoch from now() - min("nextSyncAt")), 0)::float8 from due) as "syncDelaySeconds"`;

/** Reads the unsettled writes and the due connections from their indexes. Throws SERVICE_UNAVAILABLE. */
export async function workloadOf(store: Store): Promise<Workload> {
  const { rows } = await asOwner<Workload>(store, WORKLOAD);
  const [workload] = rows;
  if (!workload) throw new Error('The workload is one row.');
  return workload;
}

/** How the database connections of one pool of this process are used. */
export interface PoolUse {
  /** `tenant`: data of connections; `owner`: everything else. */
  readonly pool: 'tenant' | 'owner';
  readonly used: number;
  readonly idle: number;
  /** Those who wait for a connection. */
  readonly waiting: number;
}

export function poolUseOf(store: Store): PoolUse[] {
  const { owner, tenants } = internalsOf(store);
  const pools = [
    ['tenant', tenants],
    ['owner', owner],
  ] as const;
  return pools.map(([pool, { totalCount, idleCount, waitingCount }]) => ({
    ...{ pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount },
  }));
}
