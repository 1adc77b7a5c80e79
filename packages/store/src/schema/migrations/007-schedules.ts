import type pg from 'pg';
import { type SecretKey, seal, unseal } from '../../secrets/secret-key.ts';

/**
 * The schedule of a connection, and when its next stream is due. Earlier releases kept the schedule in the encrypted
 * settings: see `moveSchedules`.
 */
export const schedules = `
alter table unified.connections
  add column "syncEveryMinutes" double precision not null default 15 check ("syncEveryMinutes" between 1 and 1440),
  add column "fullSyncEveryHours" double precision not null default 24 check ("fullSyncEveryHours" between 1 and 744),
  add column "nextSyncAt" timestamptz not null default now();
update unified.connections connection set "nextSyncAt" = coalesce(
  (select min("nextRunAt") from unified.sync_streams where connection_id = connection.id), now());
create index connections_due on unified.connections ("nextSyncAt") where status = 'active';
drop index unified."sync_streams_nextRunAt_idx";`;

/**
 * Moves the schedules out of the encrypted settings. Settings that were encrypted with another key stay as they are:
 * their connections get the default schedule.
 */
export async function moveSchedules(client: pg.ClientBase, key: SecretKey | undefined): Promise<void> {
  if (!key) return;
  const { rows } = await client.query<{ id: string; settings: string }>(
    'select id, settings from unified.connections where split_part(settings, $1, 2) = $2',
    ['.', key.id],
  );
  for (const { id, settings } of rows) {
    const sealedIn = { table: 'connections', column: 'settings', row: id };
    const { sync, ...others } = JSON.parse(unseal(key, sealedIn, settings));
    if (sync === undefined) continue;
    await client.query(
      `update unified.connections set settings = $2, "syncEveryMinutes" = least(greatest($3::float8, 1), 1440),
         "fullSyncEveryHours" = least(greatest($4::float8, 1), 744) where id = $1`,
      [
        id,
        seal(key, sealedIn, JSON.stringify(others)),
        numberOf(sync?.everyMinutes, 15),
        numberOf(sync?.fullEveryHours, 24),
      ],
    );
  }
}

function numberOf(value: unknown, absent: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent;
}
