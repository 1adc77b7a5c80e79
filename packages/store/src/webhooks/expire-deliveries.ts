import { asOwner, type Store } from '../access/store.ts';

/** Number of deliveries that one statement removes. */
const REMOVED_AT_ONCE = 10_000;

/**
 * Removes the deliveries and events of an application from before a time, delivered or not: `id` is the first id of that time, and
 * `at` the time in ISO 8601. May run in several processes at the same time. Throws SERVICE_UNAVAILABLE.
 */
export async function expireDeliveries(
  store: Store,
  applicationId: string,
  before: { readonly id: string; readonly at: string },
): Promise<void> {
  for (;;) {
    const { rowCount } = await asOwner(
      store,
      `delete from unified.webhook_deliveries where ("endpointId", id) in (
         select "endpointId", delivery.id from unified.webhook_endpoints endpoint
           join unified.webhook_deliveries delivery on delivery."endpointId" = endpoint.id
          where "applicationId" = $1 and delivery.id < $2 limit ${REMOVED_AT_ONCE})`,
      [applicationId, before.id],
    );
    if ((rowCount ?? 0) < REMOVED_AT_ONCE) break;
  }
  await asOwner(store, 'delete from unified.webhook_events where "applicationId" = $1 and at < $2', [
    ...[applicationId, before.at],
  ]);
}
