import { asOwner, type Store } from '../access/store.ts';
import { IS_FIRST, IS_OPEN } from './due-deliveries.ts';

/** Events that are stored for endpoints of all applications, and not accepted yet. */
export interface DeliveryBacklog {
  /** Including those that wait for their next attempt. */
  readonly pendingDeliveries: number;
  /** Seconds since the first of those that can be sent now was due; 0 without one. */
  readonly deliveryDelaySeconds: number;
}

const BACKLOG = `
  select count(*)::int as "pendingDeliveries",
         coalesce(extract(epoch from now() - min(greatest("nextAttemptAt", endpoint."pausedUntil"))
           filter (where "nextAttemptAt" <= now() and ${IS_OPEN} and ${IS_FIRST})), 0)::float8 as "deliveryDelaySeconds"
    from unified.webhook_deliveries delivery join unified.webhook_endpoints endpoint on endpoint.id = delivery."endpointId"
   where delivery.status = 'pending' and endpoint."inactiveReason" is null`;

/** Reads the pending deliveries of active endpoints. Throws SERVICE_UNAVAILABLE. */
export async function deliveryBacklogOf(store: Store): Promise<DeliveryBacklog> {
  const { rows } = await asOwner<DeliveryBacklog>(store, BACKLOG);
  const [backlog] = rows;
  if (!backlog) throw new Error('The backlog is one row.');
  return backlog;
}
