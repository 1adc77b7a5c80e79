import { type Scope, sessionOf } from '../access/scope.ts';
import { internalsOf, type Store } from '../access/store.ts';
import type { NotificationHandler } from '../sql/listener.ts';

const CHANNEL = 'unified_write';

/** Notifies all processes that a write is settled; PostgreSQL sends it when the transaction commits. */
export async function notifySettled(scope: Scope, writeId: string): Promise<void> {
  await sessionOf(scope).run('select pg_notify($1, $2)', [CHANNEL, writeId]);
}

/**
 * Calls `handler` with the id of every write that any process settles, cancels or finds to be unknown; with null when some
 * may have been missed, so that the caller has to read the writes again. Returns a function that ends this.
 */
export async function onSettled(store: Store, handler: NotificationHandler): Promise<() => void> {
  return internalsOf(store).listener.on(CHANNEL, handler);
}
