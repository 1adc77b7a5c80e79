import type { ApplicationScope } from '../access/application-scope.ts';
import { storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { isUuid } from '../sql/parameter.ts';

/**
 * What belongs to one end customer of an application, except the data of its connections. Functions of this package that take
 * this scope cannot access other end customers.
 */
export interface EndCustomerScope {
  readonly applicationId: string;
  readonly endCustomerId: string;
}

/** A scope with its store, which only this package sees. */
class BoundEndCustomer implements EndCustomerScope {
  readonly applicationId: string;
  readonly endCustomerId: string;
  readonly #store: Store;

  constructor(store: Store, applicationId: string, endCustomerId: string) {
    this.applicationId = applicationId;
    this.endCustomerId = endCustomerId;
    this.#store = store;
  }

  static storeOf(scope: EndCustomerScope): Store {
    if (!(scope instanceof BoundEndCustomer)) throw new Error('This scope was not created by a store.');
    return scope.#store;
  }
}

/** Binds to an end customer. Null when the application has no such end customer. */
export async function endCustomerScope(application: ApplicationScope, id: string): Promise<EndCustomerScope | null> {
  if (!isUuid(id)) return null;
  const store = storeOf(application);
  const { rowCount } = await asOwner(
    store,
    'select from unified.end_customers where "applicationId" = $1 and id = $2',
    [application.applicationId, id],
  );
  return rowCount === 1 ? new BoundEndCustomer(store, application.applicationId, id) : null;
}

/** Whether an id is that of an end customer of another application. An application can choose any other id for its connections. */
export async function belongsToOther(application: ApplicationScope, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    storeOf(application),
    'select from unified.end_customers where id = $1 and "applicationId" <> $2',
    [id, application.applicationId],
  );
  return rowCount === 1;
}

/** Binds to an end customer whose application was read from the database, such as the one of a token. */
export function knownEndCustomer(store: Store, applicationId: string, endCustomerId: string): EndCustomerScope {
  return new BoundEndCustomer(store, applicationId, endCustomerId);
}

/** The store of a scope, for the modules of this package. */
export function storeOfCustomer(scope: EndCustomerScope): Store {
  return BoundEndCustomer.storeOf(scope);
}
