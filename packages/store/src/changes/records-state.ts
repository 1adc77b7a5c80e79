import { type Scope, sessionOf } from '../access/scope.ts';
import { readState } from '../sql/statement.ts';

/** A query that is in progress, and the one that starts after it. */
interface Flight {
  readonly ended: Promise<void>;
  next?: Promise<string>;
}

/** By connection. */
const inFlight = new Map<string, Flight>();

/**
 * A text that differs whenever a record of the connection was created, updated or deleted since. Calls that wait at the same
 * time share one query, which starts after all of them. Not for scopes of a transaction.
 */
export function recordsState(scope: Scope): Promise<string> {
  const flight = inFlight.get(scope.connectionId);
  if (!flight) return start(scope);
  flight.next ??= flight.ended.then(() => start(scope));
  return flight.next;
}

function start(scope: Scope): Promise<string> {
  const { connectionId } = scope;
  const state = read(scope);
  const end = () => {
    if (inFlight.get(connectionId) === flight) inFlight.delete(connectionId);
  };
  const flight: Flight = { ended: state.then(end, end) };
  inFlight.set(connectionId, flight);
  return state;
}

async function read(scope: Scope): Promise<string> {
  const [row] = await sessionOf(scope).texts(readState, [scope.connectionId]);
  return row?.[0] ?? '';
}
