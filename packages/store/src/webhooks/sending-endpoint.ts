import { asOwner, type Store } from '../access/store.ts';
import { keyRing, openWith } from '../keys/key-ring.ts';
import type { EventKind } from './event.ts';

/** What a worker needs to send events to an endpoint. Never log it. */
export interface SendingEndpoint {
  readonly id: string;
  readonly applicationId: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly entities: readonly string[];
  readonly connectionIds: readonly string[];
  readonly payload: 'thin' | 'full';
  /** Secrets to sign with, newest first. */
  readonly secrets: readonly string[];
  readonly isActive: boolean;
  /** RFC 3339; null if it is not paused. */
  readonly pausedUntil: string | null;
  /** RFC 3339; null if its last delivery was accepted. */
  readonly failingSince: string | null;
  /** Number of failures since the last accepted delivery that affect all deliveries. */
  readonly failures: number;
}

interface Row extends Omit<SendingEndpoint, 'secrets'> {
  readonly secret: string;
  readonly previousSecret: string | null;
}

/** An endpoint with its secrets; null if there is none. */
export async function sendingEndpoint(store: Store, id: string): Promise<SendingEndpoint | null> {
  const { rows } = await asOwner<Row>(
    store,
    `select id, "applicationId", url, events, entities, "connectionIds", payload, secret,
       case when "previousSecretExpiresAt" > now() then "previousSecret" end as "previousSecret",
       "inactiveReason" is null as "isActive", case when "pausedUntil" > now() then "pausedUntil" end as "pausedUntil",
       "failingSince", failures
       from unified.webhook_endpoints where id = $1`,
    [id],
  );
  const [row] = rows;
  if (!row) return null;
  const { secret, previousSecret, ...endpoint } = row;
  const keys = await keyRing(store);
  const open = (column: 'secret' | 'previousSecret', text: string) =>
    openWith(keys, { table: 'webhook_endpoints', column, row: id }, text);
  const secrets = [open('secret', secret), ...(previousSecret ? [open('previousSecret', previousSecret)] : [])];
  return { ...endpoint, secrets };
}
