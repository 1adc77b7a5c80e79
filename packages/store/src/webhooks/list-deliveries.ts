import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';
import type { DeliveryAttempt } from './delivery-attempts.ts';
import type { EventKind } from './event.ts';
import type { PreparedDelivery } from './prepared-changes.ts';

/** An event that is or was sent to an endpoint, with the last attempt. Times are RFC 3339. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly event: EventKind;
  readonly connectionId: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
}

/** The same with its payload and attempts. */
export interface WebhookDeliveryDetails extends WebhookDelivery {
  readonly payload: Record<string, unknown>;
  readonly history: DeliveryAttempt[];
}

export interface DeliveryQuery {
  readonly status?: WebhookDelivery['status'] | undefined;
  readonly event?: string | undefined;
  readonly eventId?: string | undefined;
  /** Only deliveries before the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const COLUMNS = `delivery.id, "eventId", type as event, "connectionId", status, attempts,
  (history->-1->>'responseStatus')::int as "responseStatus", history->-1->>'responseBody' as "responseBody",
  history->-1->>'error' as error, "nextAttemptAt", delivery."createdAt", "deliveredAt"`;

/** Deliveries to an endpoint of the application, newest first. */
export async function pageOfDeliveries(
  scope: ApplicationScope,
  endpointId: string,
  { status, event, eventId, before, limit }: DeliveryQuery,
): Promise<WebhookDelivery[]> {
  const { rows } = await asOwner<WebhookDelivery>(
    storeOf(scope),
    `select ${COLUMNS} from unified.webhook_deliveries delivery
       join unified.webhook_endpoints endpoint on endpoint.id = delivery."endpointId"
      where endpoint."applicationId" = $1 and "endpointId" = $2 and ($3::text is null or status = $3)
        and ($4::text is null or type = $4) and ($5::uuid is null or "eventId" = $5) and ($6::uuid is null or delivery.id < $6)
      order by delivery.id desc limit $7`,
    [scope.applicationId, endpointId, status ?? null, event ?? null, eventId ?? null, before ?? null, limit],
  );
  return rows;
}

/** One delivery; null if the endpoint of the application has none with this id. */
export async function deliveryById(
  scope: ApplicationScope,
  endpointId: string,
  id: string,
): Promise<WebhookDeliveryDetails | null> {
  const { rows } = await asOwner<WebhookDelivery & { body: string; history: DeliveryAttempt[] }>(
    storeOf(scope),
    `select ${COLUMNS}, body, history from unified.webhook_deliveries delivery
       join unified.webhook_endpoints endpoint on endpoint.id = delivery."endpointId"
      where endpoint."applicationId" = $1 and "endpointId" = $2 and delivery.id = $3`,
    [scope.applicationId, endpointId, id],
  );
  if (!rows[0]) return null;
  const { body, ...delivery } = rows[0];
  return { ...delivery, payload: JSON.parse(body) };
}

/** Stores an event that was sent to an endpoint once, and returns the id of its delivery. */
export async function storeSentEvent(
  scope: ApplicationScope,
  endpointId: string,
  { eventId, type, subject, body }: Omit<PreparedDelivery, 'seq'>,
  attempt: DeliveryAttempt & { readonly isAccepted: boolean },
): Promise<string> {
  const id = newId();
  const { isAccepted, ...logged } = attempt;
  await asOwner(
    storeOf(scope),
    `insert into unified.webhook_deliveries
       ("endpointId", id, "eventId", type, subject, body, status, attempts, history, "firstAttemptAt", "deliveredAt")
     values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, case when $7 = 'delivered' then now() end)`,
    [
      ...[endpointId, id, eventId, type, subject, body, isAccepted ? 'delivered' : 'failed'],
      ...[JSON.stringify([logged]), attempt.at],
    ],
  );
  return id;
}
