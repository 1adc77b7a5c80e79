import { type Connection, listConnections, type Store } from '@unified/store';
import { applicationIn, type Within } from './connection-parts.ts';

/** Thrown when no connection matches, or more than one. `candidates` are those that match. */
export class ConnectionNotFound extends Error {
  override readonly name = 'ConnectionNotFound';
  readonly candidates: readonly Connection[];

  constructor(message: string, candidates: readonly Connection[]) {
    super(message);
    this.candidates = candidates;
  }
}

/** The connection with this id, or the only one with this name. Throws `ConnectionNotFound`. */
export async function findConnection(store: Store, within: Within, idOrName: string): Promise<Connection> {
  const all = await listConnections(store, applicationIn(within));
  const byId = all.find(({ id }) => id === idOrName.toLowerCase());
  if (byId) return byId;
  const named = all.filter(({ name }) => name === idOrName);
  const [only] = named;
  if (only && named.length === 1) return only;
  const problem = only ? `${named.length} connections are named "${idOrName}"` : `There is no connection "${idOrName}"`;
  throw new ConnectionNotFound(problem, only ? named : all);
}
