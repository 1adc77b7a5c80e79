import type { WebhookClient, WebhookResponse } from '@unified/connectors';
import {
  type AttemptOutcome,
  type DueDelivery,
  disableEndpoint,
  noteAccepted,
  noteFailed,
  type SendingEndpoint,
  type Store,
  settling,
  storeAttempts,
} from '@unified/store';
import { inSpan } from '@unified/tracing';
import type { Logger } from 'pino';
import { LONGEST_MS, nextAttempt, type Outcome, outcomeOf, pauseAfter } from './delivery-schedule.ts';

/** A delivery that was sent, and the response. */
export interface Attempted {
  readonly delivery: DueDelivery;
  readonly url: string;
  readonly response: WebhookResponse;
  readonly outcome: Outcome;
}

/** Sends a delivery once. */
export async function attempt(
  client: WebhookClient,
  { url, secrets }: SendingEndpoint,
  delivery: DueDelivery,
): Promise<Attempted> {
  const { eventId: id, type, body } = delivery;
  const response = await inSpan(`send ${type}`, { attributes: { 'unified.event': id } }, () =>
    client.send(url, { id, body, secrets }),
  );
  return { delivery, url, response, outcome: outcomeOf(response) };
}

/** Stores attempts that have ended, and what they reveal about the endpoint. */
export async function settleAttempts(
  { store, log }: { readonly store: Store; readonly log: Logger },
  endpoint: SendingEndpoint,
  attempted: readonly Attempted[],
): Promise<void> {
  const now = Date.now();
  const outcomes = attempted.map((each) => outcomeFor(endpoint, each, now));
  await settling(store, async (inner) => {
    const requested = await storeAttempts(inner, endpoint.id, outcomes);
    for (const [n, { status }] of outcomes.entries()) {
      const { delivery, response } = attempted[n] as Attempted;
      const { id, eventId, type } = delivery;
      if (status === 'failed' && !requested.has(id))
        log.warn({ endpointId: endpoint.id, eventId, type, status: response.status }, 'event no longer sent');
    }
    await noteEndpoint({ store: inner, log }, endpoint, attempted, { requested, now });
  });
}

function outcomeFor(
  { failingSince }: SendingEndpoint,
  { delivery, url, response, outcome }: Attempted,
  now: number,
): AttemptOutcome {
  const { id: deliveryId, dueAt, attempts, firstAttemptAt } = delivery;
  const number = attempts + 1;
  const { status: responseStatus, excerpt: responseBody, error, durationMs, sentAt, retryAfter } = response;
  const at = new Date(sentAt).toISOString();
  const logged = { deliveryId, dueAt, attempt: { number, at, url, durationMs, responseStatus, responseBody, error } };
  if (outcome === 'accepted') return { ...logged, status: 'delivered', nextAttemptAt: null };
  const failed = { outcome, attempts: number, firstAttemptAt: Date.parse(firstAttemptAt ?? at), retryAfter };
  const next = nextAttempt({ ...failed, failingSince: failingSince === null ? null : Date.parse(failingSince) }, now);
  if (next === null) return { ...logged, status: 'failed', nextAttemptAt: null };
  return { ...logged, status: 'pending', nextAttemptAt: new Date(next).toISOString() };
}

/**
 * The state of the endpoint after these attempts, which ended at about the same time. It is not paused because of deliveries that
 * were requested again in the meantime.
 */
async function noteEndpoint(
  { store, log }: { readonly store: Store; readonly log: Logger },
  { id, failures, failingSince, pausedUntil }: SendingEndpoint,
  attempted: readonly Attempted[],
  { requested, now }: { readonly requested: ReadonlySet<string>; readonly now: number },
): Promise<void> {
  if (attempted.some(({ outcome }) => outcome === 'gone')) {
    log.warn({ endpointId: id }, 'webhook endpoint is gone; it is deactivated');
    return disableEndpoint(store, id, 'gone');
  }
  const unavailable = attempted.filter(
    ({ outcome, delivery }) => outcome === 'unavailable' && !requested.has(delivery.id),
  );
  const isAccepting = attempted.some(({ outcome }) => outcome === 'accepted');
  const isKnownToFail = failures > 0 || failingSince !== null || pausedUntil !== null;
  if (!isAccepting) await noteFailed(store, id, null);
  else if (isKnownToFail) await noteAccepted(store, id);
  if (unavailable.length > 0) {
    const retryAfter = Math.max(...unavailable.map(({ response }) => response.retryAfter ?? 0));
    const ms = pauseAfter(isAccepting ? 1 : failures + 1, retryAfter);
    await noteFailed(store, id, new Date(now + ms).toISOString());
    const { status, error } = unavailable[0]?.response ?? {};
    log.warn({ endpointId: id, status, error, delayMs: ms }, 'webhook endpoint is unavailable; deliveries are paused');
  }
  if (isAccepting || failingSince === null || now < Date.parse(failingSince) + LONGEST_MS) return;
  log.warn({ endpointId: id, failingSince }, 'webhook endpoint has failed for 3 days; it is deactivated');
  await disableEndpoint(store, id, 'failing');
}
