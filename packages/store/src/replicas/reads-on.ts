import { pooledSession, type Session } from '../sql/session.ts';
import type { Replica } from './replica.ts';
import { replicaSession } from './replica-session.ts';
import type { Replicas } from './replicas.ts';
import type { WalPosition } from './wal-position.ts';

/** The database sessions of a scope. */
export interface Sessions {
  readonly session: Session;
  /** For the queries that API clients send. */
  readonly queries: Session;
}

/** Where the statements of a scope run that only reads. */
export interface Reads {
  /** The same for scopes whose reads see at least the same data, so that they may share results. */
  readonly key: string;
  /** Returns sessions that run reads elsewhere if possible, and otherwise in the given ones. */
  route(primary: Sessions): Sessions;
}

/** Reads of one request on a connection, which run on a replica that has replayed `after`, if there is one. */
export function readsOn(
  replicas: Replicas,
  { applicationId, connectionId }: { readonly applicationId: string; readonly connectionId: string },
  after: WalPosition | undefined,
): Reads {
  let choosing: Promise<Replica | undefined> | undefined;
  // One replica serves all reads of a request.
  const choose = () => (choosing ??= replicas.choose(after));
  return {
    key: ` replica ${after ?? ''}`,
    route: ({ session, queries }) => ({
      session: replicaSession(session, async () => {
        const replica = await choose();
        return replica && { replica, session: pooledSession(replica.tenantsOf(applicationId), connectionId, false) };
      }),
      queries: replicaSession(queries, async () => {
        const replica = await choose();
        return replica && { replica, session: pooledSession(replica.queriesOf(applicationId), connectionId, false) };
      }),
    }),
  };
}
