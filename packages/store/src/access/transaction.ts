import type pg from 'pg';
import { createApplicationScope } from './application-scope.ts';
import { bindInternals, internalsOf, type Store } from './store.ts';

/**
 * A store whose statements on identity, such as connections and clients, run in the transaction of this client. Data of
 * connections is still read and written by other database clients, outside the transaction.
 */
export function storeWithin(store: Store, client: pg.ClientBase): Store {
  const within: Store = { ...store, application: (id) => createApplicationScope(within, id) };
  bindInternals(within, { ...internalsOf(store), transaction: client });
  return within;
}
