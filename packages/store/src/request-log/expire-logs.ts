import { asOwner, type Store } from '../access/store.ts';
import { DEFAULT_LOG_RETENTION } from '../identity/client-settings.ts';
import { dropPartitions } from './partitions.ts';
import { firstIdAt } from './time-of-id.ts';

const DAY_MS = 86_400_000;

interface Retention {
  readonly applicationId: string;
  readonly days: number;
}

/**
 * Deletes logged requests and audit entries that are older than the retention of their application, which is the longest one
 * that its clients have set; `now` is in milliseconds since 1970. Days that no application keeps are removed as a whole. May
 * run in several processes at the same time. Throws SERVICE_UNAVAILABLE.
 */
export async function expireLogs(store: Store, now = Date.now()): Promise<void> {
  const retentions = await logRetentions(store);
  const longest = Math.max(DEFAULT_LOG_RETENTION, ...retentions.map(({ days }) => days));
  await dropPartitions(store, now - longest * DAY_MS);
  for (const { applicationId, days } of retentions) {
    const before = now - days * DAY_MS;
    if (days < longest)
      await asOwner(store, 'delete from unified.request_log where "applicationId" = $1 and id < $2', [
        ...[applicationId, firstIdAt(before)],
      ]);
    await asOwner(store, 'delete from unified.audit_entries where "applicationId" = $1 and at < $2', [
      ...[applicationId, new Date(before).toISOString()],
    ]);
  }
  await asOwner(store, 'delete from unified.audit_entries where "applicationId" is null and at < $1', [
    new Date(now - longest * DAY_MS).toISOString(),
  ]);
}

async function logRetentions(store: Store): Promise<Retention[]> {
  const { rows } = await asOwner<Retention>(
    store,
    `select c."applicationId", coalesce(max(s.value::text::int), $1::int) as days
       from unified.clients c
       left join unified.client_settings s on s."clientId" = c.id and s.name = 'logRetention'
      group by c."applicationId"`,
    [DEFAULT_LOG_RETENTION],
  );
  return rows;
}
