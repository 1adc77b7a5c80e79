import { type Scope, sessionOf } from '../access/scope.ts';
import { emitInScope } from '../webhooks/emit-event.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { Connection } from './connections.ts';

/** A kind of event about a connection itself. */
export type ConnectionEventKind =
  | 'connection.created'
  | 'connection.activated'
  | 'connection.deactivated'
  | 'connection.needs_reauth'
  | 'connection.deleted';

/** The event of a connection in its current state. */
export function eventOf<Kind extends ConnectionEventKind>(
  type: Kind,
  { id, platform, name, status, endCustomerId, deletedAt }: ConnectionState,
): NewEvent<Kind> {
  const shown = type === 'connection.deleted' || deletedAt !== null ? 'deleted' : status;
  const data = { connectionId: id, platform, name, status: shown, endCustomerId };
  return { type, subject: `connection ${id}`, connectionId: id, data } as NewEvent as NewEvent<Kind>;
}

type ConnectionState = Pick<Connection, 'id' | 'platform' | 'name' | 'status' | 'endCustomerId' | 'deletedAt'>;

/**
 * Stores that a system refuses the credentials of a connection, and emits an event unless that was already known. Call it in
 * the transaction that stores the refusal.
 */
export async function noteRefusedCredentials(scope: Scope): Promise<void> {
  const rows = await sessionOf(scope).runAsOwner<ConnectionState>(
    `update unified.connections set "needsReauthSince" = now() where id = $1 and "needsReauthSince" is null
     returning id, platform, name, status, "endCustomerId", "deletedAt"`,
    [scope.connectionId],
  );
  for (const connection of rows) await emitInScope(scope, eventOf('connection.needs_reauth', connection));
}

/**
 * Stores that a system accepts the credentials of a connection. Call it in the transaction that stores what it has returned.
 */
export async function noteAcceptedCredentials(scope: Scope): Promise<void> {
  await sessionOf(scope).runAsOwner(
    'update unified.connections set "needsReauthSince" = null where id = $1 and "needsReauthSince" is not null',
    [scope.connectionId],
  );
}
