import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../access/scope.ts';
import { inOwnerTransaction, type Store } from '../access/store.ts';
import type { EventKind, NewEvent } from './event.ts';
import { WORK_CHANNEL } from './watch-work.ts';

/** SQL condition that an `endpoint` receives an `event`. */
export const CONCERNS = `event.type = any(endpoint.events)
  and (endpoint.entities = '{}' or event.entity is null or event.entity = any(endpoint.entities))
  and (endpoint."connectionIds" = '{}' or event."connectionId" is null or event."connectionId" = any(endpoint."connectionIds"))`;

/**
 * Stores an event and a delivery for each endpoint that it concerns, including inactive ones, which receive it later. Nothing is
 * stored for applications without endpoints.
 */
const EMIT = `with event as (
    insert into unified.webhook_events (id, "applicationId", "connectionId", type, entity, subject, body, at)
    select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::timestamptz
     where exists (select from unified.webhook_endpoints where "applicationId" = $2::uuid)
    returning *),
  made as (
    insert into unified.webhook_deliveries ("endpointId", id, "eventId", type, subject, "connectionId", body, "nextAttemptAt")
    select endpoint.id, $9::uuid, event.id, event.type, event.subject, event."connectionId", event.body, now()
      from event join unified.webhook_endpoints endpoint on endpoint."applicationId" = event."applicationId"
     where ${CONCERNS}
    returning "endpointId")
  select pg_notify('${WORK_CHANNEL}', "endpointId"::text) from made`;

function valuesOf(applicationId: string, event: NewEvent): (string | null)[] {
  const { type, data, subject, connectionId, entity = null } = event;
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ type, timestamp, data });
  return [newId(), applicationId, connectionId, type, entity, subject, body, timestamp, newId()];
}

/**
 * Emits an event about the data of a connection. Call it in the transaction that stores what happened, so that neither is stored
 * without the other.
 */
export async function emitInScope<Kind extends EventKind>(
  scope: Scope,
  event: Omit<NewEvent<Kind>, 'connectionId'>,
): Promise<void> {
  const { applicationId, connectionId } = scope;
  await sessionOf(scope).runAsOwner(EMIT, valuesOf(applicationId, { ...event, connectionId } as NewEvent));
}

/** The same for other events. Call it with the store of the transaction; see `audited`. */
export async function emitEvent<Kind extends EventKind>(
  store: Store,
  applicationId: string,
  event: NewEvent<Kind>,
): Promise<void> {
  await inOwnerTransaction(store, (client) => client.query(EMIT, valuesOf(applicationId, event as NewEvent)));
}
