import { isUuid } from '../sql/parameter.ts';
import type { Store } from './store.ts';

/**
 * What belongs to one application, except the data of its connections. Functions of this package that take this scope cannot
 * access other applications.
 */
export interface ApplicationScope {
  readonly applicationId: string;
}

/** A scope with its store, which only this package sees. */
class BoundApplication implements ApplicationScope {
  readonly applicationId: string;
  readonly #store: Store;

  constructor(store: Store, applicationId: string) {
    this.applicationId = applicationId;
    this.#store = store;
  }

  static storeOf(scope: ApplicationScope): Store {
    if (!(scope instanceof BoundApplication)) throw new Error('This scope was not created by a store.');
    return scope.#store;
  }
}

/** Binds to an application. Throws when the id is not a UUID. */
export function createApplicationScope(store: Store, applicationId: string): ApplicationScope {
  if (!isUuid(applicationId)) throw new Error(`A scope needs a UUID, not ${JSON.stringify(applicationId)}.`);
  return new BoundApplication(store, applicationId);
}

/** The store of a scope, for the modules of this package. */
export function storeOf(scope: ApplicationScope): Store {
  return BoundApplication.storeOf(scope);
}
