import { internalsOf, type Store } from '../access/store.ts';
import { CHANGE_CHANNEL } from '../changes/change-log.ts';

/** Channel whose notifications are ids of endpoints with new deliveries. */
export const WORK_CHANNEL = 'unified_webhook';

/** What may need work: a connection with changes, or an endpoint with deliveries. */
export type WebhookWork = { readonly connectionId: string } | { readonly endpointId: string };

/**
 * Calls `handle` whenever a commit of any process may have created work for webhook endpoints. Notifications that are missed
 * while the database connection is broken are not repeated; see `endpointsWithWork`. Returns a function that stops watching.
 */
export async function watchWebhookWork(store: Store, handle: (work: WebhookWork) => void): Promise<() => void> {
  const { listener } = internalsOf(store);
  const ends = await Promise.all([
    listener.on(CHANGE_CHANNEL, (connectionId) => connectionId && handle({ connectionId })),
    listener.on(WORK_CHANNEL, (endpointId) => endpointId && handle({ endpointId })),
  ]);
  return () => {
    for (const end of ends) end();
  };
}
