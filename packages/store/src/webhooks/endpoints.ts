import { randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction, lockNamed } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { openSecret, sealSecret } from '../keys/key-ring.ts';
import type { EventKind } from './event.ts';

/** Why no events are sent: by request, because all deliveries failed for days, or because the endpoint returned 410. */
export type InactiveReason = 'requested' | 'failing' | 'gone';

/** An address that is notified of events, without its secrets. Times are RFC 3339. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  /** Kinds of records that events concern; empty means all. */
  readonly entities: readonly string[];
  /** Connections that events concern; empty means all. */
  readonly connectionIds: readonly string[];
  readonly payload: 'thin' | 'full';
  readonly isActive: boolean;
  readonly inactiveReason: InactiveReason | null;
  readonly failingSince: string | null;
  /** When the next delivery is attempted, after a failure that affects all deliveries. */
  readonly pausedUntil: string | null;
  /** Until when events are also signed with the previous secret. */
  readonly previousSecretExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'events' | 'entities' | 'connectionIds' | 'payload'>;

/** Maximum number of endpoints of an application. */
export const MOST_ENDPOINTS = 100;

/** Thrown when an application already has the maximum number of endpoints. */
export class TooManyEndpoints extends Error {
  override readonly name = 'TooManyEndpoints';
}

const COLUMNS = `id, url, events, entities, "connectionIds", payload, "inactiveReason" is null as "isActive", "inactiveReason",
  "failingSince", case when "pausedUntil" > now() then "pausedUntil" end as "pausedUntil",
  case when "previousSecretExpiresAt" > now() then "previousSecretExpiresAt" end as "previousSecretExpiresAt", "createdAt", "updatedAt"`;

/** Endpoints of the application, oldest first. */
export async function listWebhookEndpoints(
  scope: ApplicationScope,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<WebhookEndpoint[]> {
  const { rows } = await asOwner<WebhookEndpoint>(
    storeOf(scope),
    `select ${COLUMNS} from unified.webhook_endpoints
      where "applicationId" = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [scope.applicationId, after ?? null, limit],
  );
  return rows;
}

/** One endpoint; null if the application has none with this id. */
export async function webhookEndpoint(scope: ApplicationScope, id: string): Promise<WebhookEndpoint | null> {
  return endpoint(scope, id, '');
}

/** The same, locked until the end of the transaction. */
export async function lockWebhookEndpoint(scope: ApplicationScope, id: string): Promise<WebhookEndpoint | null> {
  return endpoint(scope, id, 'for no key update');
}

async function endpoint(scope: ApplicationScope, id: string, lock: string): Promise<WebhookEndpoint | null> {
  const query = `select ${COLUMNS} from unified.webhook_endpoints where "applicationId" = $1 and id = $2 ${lock}`;
  const { rows } = await asOwner<WebhookEndpoint>(storeOf(scope), query, [scope.applicationId, id]);
  return rows[0] ?? null;
}

/** Registers an endpoint, which receives events from then on, and returns its secret. Throws `TooManyEndpoints`. */
export async function createWebhookEndpoint(
  scope: ApplicationScope,
  given: NewEndpoint,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  const id = newId();
  const { applicationId } = scope;
  const secret = newSecret();
  const sealed = await sealSecret(storeOf(scope), { table: 'webhook_endpoints', column: 'secret', row: id }, secret);
  const made = await inOwnerTransaction(storeOf(scope), async (client) => {
    const inner = storeWithin(storeOf(scope), client);
    await lockNamed(inner, `webhook endpoints of ${applicationId}`);
    const { rows: found } = await asOwner<{ count: number }>(
      inner,
      'select count(*)::int from unified.webhook_endpoints where "applicationId" = $1',
      [applicationId],
    );
    if ((found[0]?.count ?? 0) >= MOST_ENDPOINTS) throw new TooManyEndpoints();
    const { rows } = await asOwner<WebhookEndpoint>(
      inner,
      `insert into unified.webhook_endpoints (id, "applicationId", url, events, entities, "connectionIds", payload, secret)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
      [
        ...[id, applicationId, given.url, given.events, given.entities, given.connectionIds],
        ...[given.payload, sealed],
      ],
    );
    await skipChanges(inner.application(applicationId), id);
    return rows[0];
  });
  if (!made) throw new Error('The endpoint was not stored.');
  return { endpoint: made, secret };
}

/** A 256-bit secret in the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export type EndpointChanges = Partial<NewEndpoint> & { readonly isActive?: boolean | undefined };

/**
 * Changes an endpoint; absent properties stay unchanged. An endpoint that is activated can receive events immediately. Null if
 * there is none.
 */
export async function updateWebhookEndpoint(
  scope: ApplicationScope,
  id: string,
  { url, events, entities, connectionIds, payload, isActive }: EndpointChanges,
): Promise<WebhookEndpoint | null> {
  const { rows } = await asOwner<WebhookEndpoint>(
    storeOf(scope),
    `update unified.webhook_endpoints
        set url = coalesce($3, url), events = coalesce($4, events), entities = coalesce($5, entities),
            "connectionIds" = coalesce($6::uuid[], "connectionIds"), payload = coalesce($7, payload),
            "inactiveReason" = case when $8 then null when not $8 then coalesce("inactiveReason", 'requested') else "inactiveReason" end,
            "failingSince" = case when $8 and "inactiveReason" is not null then null else "failingSince" end,
            failures = case when $8 or $3 is not null then 0 else failures end,
            "pausedUntil" = case when $8 or $3 is not null then null else "pausedUntil" end,
            "updatedAt" = now()
      where "applicationId" = $1 and id = $2 returning ${COLUMNS}`,
    [
      ...[scope.applicationId, id, url ?? null, events ?? null, entities ?? null, connectionIds ?? null],
      ...[payload ?? null, isActive ?? null],
    ],
  );
  return rows[0] ?? null;
}

/** Moves an endpoint to the end of all change logs, so that it receives only later changes. */
export async function skipChanges(scope: ApplicationScope, endpointId: string): Promise<void> {
  await asOwner(
    storeOf(scope),
    `insert into unified.webhook_positions ("endpointId", "connectionId", seq)
     select $2, connection.id, coalesce(log.seq, 0)
       from unified.connections connection left join unified.change_cursors log on log.connection_id = connection.id
      where connection."applicationId" = $1
     on conflict ("endpointId", "connectionId") do update set seq = excluded.seq`,
    [scope.applicationId, endpointId],
  );
}

/**
 * Prepares an endpoint for other connections, before they are stored; an empty list means all. It receives events of added
 * connections from then on, and nothing more from removed ones.
 */
export async function changeConnections(
  scope: ApplicationScope,
  endpointId: string,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> {
  const store = storeOf(scope);
  if (before.length > 0) {
    await asOwner(
      store,
      `insert into unified.webhook_positions ("endpointId", "connectionId", seq)
       select $2, connection.id, coalesce(log.seq, 0)
         from unified.connections connection left join unified.change_cursors log on log.connection_id = connection.id
        where connection."applicationId" = $1 and connection.id <> all($3::uuid[])
       on conflict ("endpointId", "connectionId") do update set seq = excluded.seq`,
      [scope.applicationId, endpointId, before],
    );
  }
  if (after.length === 0) return;
  await asOwner(
    store,
    `delete from unified.webhook_deliveries
      where "endpointId" = $1 and status = 'pending' and "connectionId" <> all($2::uuid[])`,
    [endpointId, after],
  );
  await asOwner(
    store,
    'delete from unified.webhook_replays where "endpointId" = $1 and "connectionId" <> all($2::uuid[])',
    [endpointId, after],
  );
}

/** Removes what an endpoint has not received yet, and moves it to the end of all change logs. */
export async function skipMissed(scope: ApplicationScope, endpointId: string): Promise<void> {
  const store = storeOf(scope);
  await asOwner(store, `delete from unified.webhook_deliveries where "endpointId" = $1 and status = 'pending'`, [
    endpointId,
  ]);
  await asOwner(store, 'delete from unified.webhook_replays where "endpointId" = $1', [endpointId]);
  await skipChanges(scope, endpointId);
}

/** Deletes an endpoint with its deliveries. */
export async function deleteWebhookEndpoint(scope: ApplicationScope, id: string): Promise<void> {
  await asOwner(storeOf(scope), 'delete from unified.webhook_endpoints where "applicationId" = $1 and id = $2', [
    scope.applicationId,
    id,
  ]);
}

/** Replaces the secret of a locked endpoint; events are signed with the previous one as well for some hours. */
export async function rotateWebhookSecret(
  scope: ApplicationScope,
  id: string,
  overlapHours: number,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  const store = storeOf(scope);
  const secret = newSecret();
  const place = (column: 'secret' | 'previousSecret') => ({ table: 'webhook_endpoints', column, row: id }) as const;
  const { rows: found } = await asOwner<{ secret: string }>(
    store,
    'select secret from unified.webhook_endpoints where "applicationId" = $1 and id = $2',
    [scope.applicationId, id],
  );
  const previous = await openSecret(store, place('secret'), found[0]?.secret ?? '');
  const { rows } = await asOwner<WebhookEndpoint>(
    store,
    `update unified.webhook_endpoints
        set secret = $2, "previousSecret" = $3, "previousSecretExpiresAt" = now() + make_interval(hours => $4::int), "updatedAt" = now()
      where id = $1 returning ${COLUMNS}`,
    [
      id,
      await sealSecret(store, place('secret'), secret),
      overlapHours > 0 ? await sealSecret(store, place('previousSecret'), previous) : null,
      overlapHours,
    ],
  );
  const [changed] = rows;
  if (!changed) throw new Error('The secret was not stored.');
  return { endpoint: changed, secret };
}
