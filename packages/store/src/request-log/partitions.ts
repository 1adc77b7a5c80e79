import type pg from 'pg';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { firstIdAt } from './time-of-id.ts';

const DAY_MS = 86_400_000;

/** Logs with one partition per day. */
export type PartitionedLog = 'request_log' | 'system_calls';

/** The partition of the day that contains a time: `request_log_20261123`. */
function nameOf(log: PartitionedLog, ms: number): string {
  return `${log}_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** The first millisecond after the day of a partition; undefined for other tables. */
function endOf(name: string): number | undefined {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS;
}

/** Only one process at a time adds or removes partitions. */
async function lockPartitions(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('unified request log', 0))`);
}

/** Creates the partitions for the days of these times, unless they exist. */
export async function addPartitions(store: Store, log: PartitionedLog, times: readonly number[]): Promise<void> {
  const days = new Set(times.map((ms) => Math.floor(ms / DAY_MS) * DAY_MS));
  await inOwnerTransaction(store, async (client) => {
    await lockPartitions(client);
    for (const day of days) {
      const name = `unified.${nameOf(log, day)}`;
      const { rows } = await client.query('select to_regclass($1) is not null as exists', [name]);
      if (rows[0]?.exists) continue;
      // Attaching an empty table blocks neither readers nor writers of the others.
      await client.query(`create table ${name} (like unified.${log} including all)`);
      await client.query(
        `alter table unified.${log} attach partition ${name}
           for values from ('${firstIdAt(day)}') to ('${firstIdAt(day + DAY_MS)}')`,
      );
    }
  });
}

/** Removes partitions that end before this time. Throws SERVICE_UNAVAILABLE if a reader holds one for more than 2 seconds. */
export async function dropPartitions(store: Store, before: number): Promise<void> {
  const { rows } = await asOwner<{ name: string }>(
    store,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('unified.request_log'::regclass, 'unified.system_calls'::regclass) order by 1`,
  );
  const outdated = rows.filter(({ name }) => (endOf(name) ?? Number.POSITIVE_INFINITY) <= before);
  for (const { name } of outdated) {
    await inOwnerTransaction(store, async (client) => {
      await client.query(`set local lock_timeout = '2s'`);
      await lockPartitions(client);
      await client.query(`drop table if exists unified.${name}`);
    });
  }
}
