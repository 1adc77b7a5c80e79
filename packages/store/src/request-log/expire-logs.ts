import { asOwner, type Store } from '../access/store.ts';
import { expireChanges } from '../changes/expire-changes.ts';
import { DEFAULT_LOG_RETENTION } from '../identity/client-settings.ts';
import { expireDeliveries } from '../webhooks/expire-deliveries.ts';
import { dropPartitions } from './partitions.ts';
import { firstIdAt } from './time-of-id.ts';

const DAY_MS = 86_400_000;

/**
 * Minimum number of days that audit entries are kept: a client cannot erase the traces of its changes with a short retention.
 */
const LEAST_AUDIT_DAYS = 90;
/** Minimum number of days that changes of records and events are kept: a reader that stops for a few days misses none. */
const LEAST_CHANGE_DAYS = 7;

interface Retention {
  readonly applicationId: string;
  readonly days: number;
}

/**
 * Deletes logged requests, calls to connected systems, audit entries, changes, and webhook events that are older than the
 * retention of their application, which is the longest one of its clients. Audit entries and tool calls are kept for at least 90
 * days, changes and events for at least 7. `now` is in milliseconds since 1970. Days that no application needs are removed as a
 * whole. May run in several processes at the same time. Throws SERVICE_UNAVAILABLE.
 */
export async function expireLogs(store: Store, now = Date.now()): Promise<void> {
  const retentions = await logRetentions(store);
  const longest = Math.max(DEFAULT_LOG_RETENTION, ...retentions.map(({ days }) => days));
  await dropPartitions(store, now - longest * DAY_MS);
  for (const { applicationId, days } of retentions) {
    if (days < longest)
      for (const log of ['request_log', 'system_calls'])
        await asOwner(store, `delete from unified.${log} where "applicationId" = $1 and id < $2`, [
          ...[applicationId, firstIdAt(now - days * DAY_MS)],
        ]);
    await asOwner(store, 'delete from unified.audit_entries where "applicationId" = $1 and at < $2', [
      ...[applicationId, timeBefore(now, Math.max(days, LEAST_AUDIT_DAYS))],
    ]);
    await asOwner(store, 'delete from unified.tool_calls where "applicationId" = $1 and at < $2', [
      ...[applicationId, timeBefore(now, Math.max(days, LEAST_AUDIT_DAYS))],
    ]);
    const changeDays = Math.max(days, LEAST_CHANGE_DAYS);
    const at = timeBefore(now, changeDays);
    await expireChanges(store, applicationId, at);
    await expireDeliveries(store, applicationId, { at, id: firstIdAt(now - changeDays * DAY_MS) });
  }
  await asOwner(store, 'delete from unified.tool_call_counts where "endsAt" < $1', [new Date(now).toISOString()]);
  await asOwner(store, 'delete from unified.audit_entries where "applicationId" is null and at < $1', [
    timeBefore(now, Math.max(longest, LEAST_AUDIT_DAYS)),
  ]);
}

/** In ISO 8601. */
function timeBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString();
}

async function logRetentions(store: Store): Promise<Retention[]> {
  const { rows } = await asOwner<Retention>(
    store,
    `select a.id as "applicationId", max(coalesce(s.value::text::int, $1::int)) as days
       from unified.applications a
       left join unified.clients c on c."applicationId" = a.id
       left join unified.client_settings s on s."clientId" = c.id and s.name = 'logRetention'
      group by a.id`,
    [DEFAULT_LOG_RETENTION],
  );
  return rows;
}
