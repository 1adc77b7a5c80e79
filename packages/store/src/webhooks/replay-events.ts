import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { inOwnerTransaction } from '../access/store.ts';
import { CONCERNS } from './emit-event.ts';
import type { WebhookEndpoint } from './endpoints.ts';
import { attemptNow, IS_RESENT, isWaiting } from './waiting-deliveries.ts';

/**
 * Sends a delivery again, as a new delivery of the same event, or now if it is waiting for its next attempt. Later events of the
 * same subject that are waiting follow it once more. Returns whether the endpoint of the application has such a delivery.
 */
export function replayDelivery(scope: ApplicationScope, endpointId: string, deliveryId: string): Promise<boolean> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    const { rows } = await client.query<{ subject: string }>(
      `select subject from unified.webhook_deliveries delivery join unified.webhook_endpoints endpoint on endpoint.id = "endpointId"
        where endpoint."applicationId" = $1 and "endpointId" = $2 and delivery.id = $3`,
      [scope.applicationId, endpointId, deliveryId],
    );
    if (!rows[0]) return false;
    await attemptNow(client, endpointId, rows[0]);
    await client.query(REPLAY_DELIVERY, [endpointId, deliveryId]);
    return true;
  });
}

/** A period, RFC 3339; it begins after `since`. */
export interface Period {
  readonly since: string;
  readonly until: string;
}

/** SQL of a new UUID of version 7, like the ids of other deliveries. */
const NEW_ID = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`;

type Replayed = Pick<WebhookEndpoint, 'id' | 'events' | 'entities' | 'connectionIds'>;

/** Sends again the events of a period that concern the endpoint, after those that are waiting. Returns their number. */
export function replayPeriod(scope: ApplicationScope, endpoint: Replayed, { since, until }: Period): Promise<number> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    await attemptNow(client, endpoint.id, {});
    const others = await client.query<{ count: number }>(REPLAY_OTHERS, [
      scope.applicationId,
      endpoint.id,
      since,
      until,
    ]);
    const changes = await client.query<{ count: number }>(REPLAY_CHANGES, [
      ...[scope.applicationId, endpoint.id, kindsOf(endpoint), endpoint.entities, endpoint.connectionIds],
      ...[null, null, since, until],
    ]);
    return total(others.rows) + total(changes.rows);
  });
}

/**
 * Sends again the changes of a connection after a position in its log that concern the endpoint, after its events that are
 * waiting. Returns their number.
 */
export function replayChanges(
  scope: ApplicationScope,
  endpoint: Replayed,
  { connectionId, seq }: { readonly connectionId: string; readonly seq: string },
): Promise<number> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    await attemptNow(client, endpoint.id, { connectionId });
    const { rows } = await client.query<{ count: number }>(REPLAY_CHANGES, [
      ...[scope.applicationId, endpoint.id, kindsOf(endpoint), endpoint.entities, endpoint.connectionIds],
      ...[connectionId, seq, null, null],
    ]);
    return total(rows);
  });
}

/** The kinds of changes that an endpoint receives. */
export function kindsOf({ events }: Pick<WebhookEndpoint, 'events'>): ('created' | 'updated' | 'deleted')[] {
  return (['created', 'updated', 'deleted'] as const).filter((kind) => events.includes(`record.${kind}`));
}

function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

const REPLAY_DELIVERY = `insert into unified.webhook_deliveries
    ("endpointId", id, "eventId", type, subject, "connectionId", body, "nextAttemptAt")
  select "endpointId", ${NEW_ID}, "eventId", type, subject, "connectionId", body, now()
    from (select distinct on (delivery."eventId") delivery.*
            from unified.webhook_deliveries replayed join unified.webhook_deliveries delivery using ("endpointId", subject)
           where replayed."endpointId" = $1 and replayed.id = $2 and not ${isWaiting('$1', 'replayed."eventId"')}
             and (delivery.id = $2 or delivery.status = 'pending' and delivery.place > replayed.place)
           order by delivery."eventId", delivery.place desc) each
   order by place`;

const REPLAY_OTHERS = `with found as (
    select event.*, row_number() over (order by event.at, event.id) as n, ${isWaiting('endpoint.id', 'event.id')} as "isWaiting"
      from unified.webhook_events event join unified.webhook_endpoints endpoint on endpoint.id = $2
     where event."applicationId" = $1 and event.at > $3 and event.at <= $4 and ${CONCERNS}),
  made as (
    insert into unified.webhook_deliveries
      ("endpointId", id, "eventId", type, subject, "connectionId", body, "nextAttemptAt")
    select $2, ${NEW_ID}, id, type, subject, "connectionId", body, now()
      from (select *, ${IS_RESENT} as "isResent" from found) each where "isResent" order by n)
  select count(*)::int as count from found`;

/**
 * Creates a replay for each connection; workers then read its changes from the log. Changes that have not been prepared for the
 * endpoint will be sent in any case, so they are treated like events that are waiting.
 */
const REPLAY_CHANGES = `with found as (
    select changes.connection_id, min(changes.seq) - 1 as seq, max(changes.seq) as last, count(*)::int as count
      from unified.changes changes join unified.connections connection on connection.id = changes.connection_id
     where connection."applicationId" = $1 and changes.kind = any($3)
       and ($4::text[] = '{}' or changes.entity = any($4)) and ($5::uuid[] = '{}' or connection.id = any($5))
       and ($6::uuid is null or connection.id = $6) and ($7::bigint is null or changes.seq > $7)
       and ($8::timestamptz is null or changes.at > $8) and ($9::timestamptz is null or changes.at <= $9)
     group by 1),
  made as (
    insert into unified.webhook_replays (id, "endpointId", "connectionId", seq, "lastSeq", since, until, "preparedSeq", "waitingIds")
    select ${NEW_ID}, $2, connection_id, found.seq, last, $8, $9, position.seq,
           array(select "eventId" from unified.webhook_deliveries
                  where "endpointId" = $2 and "connectionId" = connection_id and status = 'pending')
      from found join unified.webhook_positions position
        on position."endpointId" = $2 and position."connectionId" = connection_id and position.seq > found.seq)
  select count from found`;
