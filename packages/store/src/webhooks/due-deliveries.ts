import { asOwner, type Store } from '../access/store.ts';
import type { EventKind } from './event.ts';

/** An event that is to be sent to an endpoint. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: EventKind;
  readonly subject: string;
  readonly body: string;
  readonly attempts: number;
  /** When it was due; as PostgreSQL writes it, to the microsecond. */
  readonly dueAt: string;
  /** RFC 3339; null if this is the first attempt. */
  readonly firstAttemptAt: string | null;
}

/** SQL of the condition that no earlier delivery of the same subject is pending. */
export const IS_FIRST = `not exists (
  select from unified.webhook_deliveries earlier
   where earlier."endpointId" = delivery."endpointId" and earlier.subject = delivery.subject
     and earlier.status = 'pending' and earlier.place < delivery.place)`;

/**
 * Up to `limit` pending deliveries that may be attempted now, oldest first: the first one of each subject, except those in
 * `busy`.
 */
export async function dueDeliveries(
  store: Store,
  endpointId: string,
  { limit, busy }: { readonly limit: number; readonly busy: readonly string[] },
): Promise<DueDelivery[]> {
  const { rows } = await asOwner<DueDelivery>(
    store,
    `select id, "eventId", type, subject, body, attempts, "nextAttemptAt"::text as "dueAt", "firstAttemptAt" from unified.webhook_deliveries delivery
      where "endpointId" = $1 and status = 'pending' and "nextAttemptAt" <= now() and subject <> all($3) and ${IS_FIRST}
      order by place limit $2`,
    [endpointId, limit, busy],
  );
  return rows;
}

/** When the next pending delivery may be attempted, RFC 3339; null if none is pending. */
export async function nextDeliveryAt(store: Store, endpointId: string): Promise<string | null> {
  const { rows } = await asOwner<{ at: string | null }>(
    store,
    `select min("nextAttemptAt") as at from unified.webhook_deliveries delivery
      where "endpointId" = $1 and status = 'pending' and ${IS_FIRST}`,
    [endpointId],
  );
  return rows[0]?.at ?? null;
}

/** Number of pending deliveries, counted up to `most`. */
export async function countPending(store: Store, endpointId: string, most: number): Promise<number> {
  const { rows } = await asOwner<{ count: number }>(
    store,
    `select count(*)::int from (
       select from unified.webhook_deliveries where "endpointId" = $1 and status = 'pending' limit $2) pending`,
    [endpointId, most],
  );
  return rows[0]?.count ?? 0;
}

/** SQL of the condition that an endpoint is active and not paused. */
export const IS_OPEN = `endpoint."inactiveReason" is null and coalesce(endpoint."pausedUntil" <= now(), true)`;

/** SQL condition that some changes of the endpoint's connections have not been prepared yet. */
export const IS_BEHIND = `endpoint.events && '{record.created,record.updated,record.deleted}' and log.seq > coalesce(position.seq, 0)
  and (endpoint."connectionIds" = '{}' or log.connection_id = any(endpoint."connectionIds"))`;

/** Ids of up to `limit` endpoints to which something can be sent now, among all endpoints or only the one with this id. */
export async function endpointsWithWork(store: Store, limit: number, endpointId?: string): Promise<string[]> {
  const { rows } = await asOwner<{ id: string }>(
    store,
    `select id from unified.webhook_endpoints endpoint where ${IS_OPEN} and ($2::uuid is null or id = $2) and (
       exists (select from unified.webhook_deliveries delivery
                where "endpointId" = endpoint.id and status = 'pending' and "nextAttemptAt" <= now() and ${IS_FIRST})
       or exists (select from unified.webhook_replays where "endpointId" = endpoint.id)
       or exists (select from unified.connections connection
                    join unified.change_cursors log on log.connection_id = connection.id
                    left join unified.webhook_positions position
                      on position."endpointId" = endpoint.id and position."connectionId" = connection.id
                   where connection."applicationId" = endpoint."applicationId" and ${IS_BEHIND}))
      limit $1`,
    [limit, endpointId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the active endpoints among the given ones, and of those that receive changes of the given connections. */
export async function openEndpoints(
  store: Store,
  {
    connectionIds,
    endpointIds,
  }: { readonly connectionIds: readonly string[]; readonly endpointIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await asOwner<{ id: string }>(
    store,
    `select id from unified.webhook_endpoints endpoint where ${IS_OPEN} and (id = any($2) or (
       events && '{record.created,record.updated,record.deleted}'
       and exists (select from unified.connections connection
                    where connection.id = any($1) and connection."applicationId" = endpoint."applicationId"
                      and (endpoint."connectionIds" = '{}' or connection.id = any(endpoint."connectionIds")))))`,
    [connectionIds, endpointIds],
  );
  return rows.map(({ id }) => id);
}
