import type { Operation } from '@unified/contract';
import type { Engine } from '@unified/engine';
import type { Scope, Store } from '@unified/store';
import type { QueryString } from '../query/query-string.ts';

/** What the handlers of all requests share. */
export interface Services {
  readonly store: Store;
  readonly engine: Engine;
}

/** What a handler knows besides the checked request. */
export interface Context extends Services {
  readonly operation: Operation;
  /** The data of the connection that the token stands for; there is no other way to data. */
  readonly scope: Scope;
  /** The query as it was sent, before defaults. */
  readonly sent: QueryString;
  /** The media type of these that the client likes best, the first one where it has no wish; undefined: it takes none. */
  accepts(types: readonly string[]): string | undefined;
}
