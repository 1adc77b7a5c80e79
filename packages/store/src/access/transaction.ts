import type pg from 'pg';
import { createApplicationScope } from './application-scope.ts';
import { bindInternals, internalsOf, type Store } from './store.ts';

/**
 * A store whose statements on identity, such as connections and clients, belong to the transaction of this client. Data of
 * connections, which other clients read and write, does not.
 */
export function storeWithin(store: Store, client: pg.ClientBase): Store {
  const within: Store = { ...store, application: (id) => createApplicationScope(within, id) };
  bindInternals(within, { ...internalsOf(store), transaction: client });
  return within;
}
