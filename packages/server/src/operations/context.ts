import type { Operation, ServedSurface } from '@unified/contract';
import type { Engine } from '@unified/engine';
import type { Scope } from '@unified/store';
import type { QueryString } from '../query/query-string.ts';

/** What the handlers of the data API can reach: the data of one connection. */
export interface DataContext {
  readonly operation: Operation;
  /** The data of the connection that the request was authenticated for; there is no other way to data. */
  readonly scope: Scope;
  readonly engine: Engine;
  /** The query as it was sent, before defaults. */
  readonly sent: QueryString;
  /** The media type of these that the client likes best, the first one where it has no wish; undefined: it takes none. */
  accepts(types: readonly string[]): string | undefined;
}

/** What the handlers of the server itself can reach: no data. */
export interface SystemContext {
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
}

/** The context of each surface. A surface whose operations are served needs one. */
export interface Contexts extends Readonly<Record<ServedSurface, unknown>> {
  readonly data: DataContext;
  readonly system: SystemContext;
}
