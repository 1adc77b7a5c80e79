import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { type AuditOrigin, audited } from '../audit/audited.ts';
import { emitEvent } from './emit-event.ts';
import type { InactiveReason } from './endpoints.ts';

/** One request to an endpoint, as it is logged. */
export interface DeliveryAttempt {
  readonly number: number;
  /** RFC 3339; time at which it was sent. */
  readonly at: string;
  readonly url: string;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly responseStatus: number | null;
  /** Beginning of the response. */
  readonly responseBody: string | null;
  /** Why there was no response. */
  readonly error: string | null;
}

/** An attempt and its consequences. */
export interface AttemptOutcome {
  readonly deliveryId: string;
  /** `dueAt` of the delivery when the attempt began. */
  readonly dueAt: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** RFC 3339; null if it is not attempted again. */
  readonly nextAttemptAt: string | null;
  readonly attempt: DeliveryAttempt;
}

/** Settles attempts in one transaction, so that a replay finds both the attempts and the pause that they cause, or neither. */
export function settling(store: Store, work: (inner: Store) => Promise<void>): Promise<void> {
  return inOwnerTransaction(store, (client) => work(storeWithin(store, client)));
}

/**
 * Stores attempts of one endpoint. A delivery that was requested again during a failed attempt remains due; returns the ids of
 * these deliveries. The commit does not wait for the disk: if the last commits are lost in a crash, deliveries
 * are repeated, which endpoints must expect anyway. The last 20 attempts of a delivery are kept.
 */
export async function storeAttempts(
  store: Store,
  endpointId: string,
  outcomes: readonly AttemptOutcome[],
): Promise<ReadonlySet<string>> {
  const { rows } = await asOwner<{ id: string }>(store, STORE, [
    endpointId,
    outcomes.map(({ deliveryId }) => deliveryId),
    outcomes.map(({ status }) => status),
    outcomes.map(({ nextAttemptAt }) => nextAttemptAt),
    outcomes.map(({ attempt }) => attempt.at),
    outcomes.map(({ attempt }) => JSON.stringify(attempt)),
    outcomes.map(({ dueAt }) => dueAt),
  ]);
  return new Set(rows.map(({ id }) => id));
}

const STORE = `with relaxed as materialized (select set_config('synchronous_commit', 'off', true)), given as (
    select given.*, given.status <> 'delivered' and delivery."nextAttemptAt" <> "dueAt" as "isRequested"
      from relaxed,
           unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::jsonb[], $7::timestamptz[])
             given(id, status, "nextAttemptAt", at, attempt, "dueAt")
      join unified.webhook_deliveries delivery on delivery."endpointId" = $1 and delivery.id = given.id for update of delivery),
  stored as (
    update unified.webhook_deliveries delivery
       set status = case when "isRequested" then 'pending' else given.status end, attempts = attempts + 1,
           "nextAttemptAt" = case when "isRequested" then delivery."nextAttemptAt" else given."nextAttemptAt" end,
           "firstAttemptAt" = coalesce("firstAttemptAt", given.at),
           "deliveredAt" = case when given.status = 'delivered' then clock_timestamp() end,
           history = case when jsonb_array_length(history) >= 20 then history - 0 else history end || given.attempt
      from given
     where delivery."endpointId" = $1 and delivery.id = given.id and delivery.status = 'pending')
  select id from given where "isRequested"`;

/** Stores that an endpoint has accepted a delivery: it is neither failing nor paused. */
export async function noteAccepted(store: Store, endpointId: string): Promise<void> {
  await asOwner(
    store,
    `update unified.webhook_endpoints set "failingSince" = null, failures = 0, "pausedUntil" = null
      where id = $1 and ("failingSince" is not null or failures > 0 or "pausedUntil" is not null)`,
    [endpointId],
  );
}

/**
 * Stores that an endpoint has not accepted a delivery; `pausedUntil` (RFC 3339) is when it may be called again, if the failure
 * concerns all deliveries.
 */
export async function noteFailed(store: Store, endpointId: string, pausedUntil: string | null): Promise<void> {
  await asOwner(
    store,
    `update unified.webhook_endpoints
        set "failingSince" = coalesce("failingSince", now()),
            failures = failures + case when $2::timestamptz is null then 0 else 1 end,
            "pausedUntil" = greatest("pausedUntil", $2::timestamptz)
      where id = $1`,
    [endpointId, pausedUntil],
  );
}

const SERVICE: AuditOrigin = {
  ...{ actorType: 'service', actor: 'service', operation: 'deliver webhooks', requestId: null, address: null },
};

/**
 * Deactivates an endpoint that fails or is gone, records this in the audit log, and emits an event for the other endpoints,
 * unless it is already inactive. What it has not received is kept.
 */
export async function disableEndpoint(
  store: Store,
  endpointId: string,
  reason: Exclude<InactiveReason, 'requested'>,
): Promise<void> {
  await audited(store, SERVICE, async (inner, record) => {
    const { rows } = await asOwner<{ applicationId: string; url: string; failingSince: string | null }>(
      inner,
      `update unified.webhook_endpoints set "inactiveReason" = $2, "pausedUntil" = null, "updatedAt" = now()
        where id = $1 and "inactiveReason" is null returning "applicationId", url, "failingSince"`,
      [endpointId, reason],
    );
    const [endpoint] = rows;
    if (!endpoint) return;
    const { applicationId, url, failingSince } = endpoint;
    const before = { url, isActive: true, inactiveReason: null, failingSince };
    await record(applicationId, {
      ...{ action: 'webhook_endpoint.disable', target: endpointId, before },
      after: { url, isActive: false, inactiveReason: reason, failingSince },
    });
    await emitEvent(inner, applicationId, {
      ...{ type: 'webhook_endpoint.disabled', subject: `endpoint ${endpointId}`, connectionId: null },
      data: { endpointId, url, reason, failingSince },
    });
  });
}
