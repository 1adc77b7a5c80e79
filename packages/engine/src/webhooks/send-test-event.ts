import { randomUUID } from 'node:crypto';
import { openWebhookClient } from '@unified/connectors';
import {
  type ApplicationScope,
  deliveryById,
  type EventBody,
  type Store,
  sendingEndpoint,
  storeSentEvent,
  type WebhookDeliveryDetails,
  webhookEndpoint,
} from '@unified/store';
import { outcomeOf } from './delivery-schedule.ts';

/** Sends a test event to an endpoint once, and waits for the response. Null if the application has no such endpoint. */
export async function sendTestEvent(
  store: Store,
  application: ApplicationScope,
  endpointId: string,
): Promise<WebhookDeliveryDetails | null> {
  const endpoint = (await webhookEndpoint(application, endpointId)) && (await sendingEndpoint(store, endpointId));
  if (!endpoint) return null;
  const { url, secrets } = endpoint;
  const type = 'webhook_endpoint.test';
  const data = { endpointId, url, reason: null, failingSince: null };
  const event: EventBody<typeof type> = { type, timestamp: new Date().toISOString(), data };
  const [eventId, body] = [randomUUID(), JSON.stringify(event)];
  const client = openWebhookClient();
  try {
    const response = await client.send(url, { id: eventId, body, secrets });
    const { status: responseStatus, excerpt: responseBody, error, durationMs, sentAt } = response;
    const sent = { number: 1, at: new Date(sentAt).toISOString(), url, durationMs };
    const attempt = { ...sent, responseStatus, responseBody, error, isAccepted: outcomeOf(response) === 'accepted' };
    const subject = `endpoint ${endpointId}`;
    const deliveryId = await storeSentEvent(application, endpointId, { eventId, type, subject, body }, attempt);
    return deliveryById(application, endpointId, deliveryId);
  } finally {
    await client.close();
  }
}
