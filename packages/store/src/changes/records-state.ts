import { readsKeyOf, type Scope, sessionOf } from '../access/scope.ts';
import type { BoundStatement, Statement } from '../sql/statement.ts';

/**
 * The number of the last change, and its time: after a restore from a backup, the log uses the same numbers again, but at other
 * times. Both are where the records are, so no state is visible before its records.
 */
const readState: Statement = {
  name: 'read_state',
  text: `select last || '.' || coalesce(extract(epoch from "lastAt")::text, '')
    from unified.change_log_bounds where connection_id = $1::uuid`,
};

/** The statement that reads the state of the connection's records, to run before a statement that reads the records. */
export function stateStatement({ connectionId }: Scope): BoundStatement {
  return { statement: readState, values: [connectionId] };
}

/** The state of a connection's records that `stateStatement` returned; empty before their first change. */
export function stateOf(returned: string | null): string {
  return returned ?? '';
}

/** A query that is in progress, and the one that starts after it. */
interface Flight {
  readonly ended: Promise<void>;
  next?: Promise<string>;
}

/** By connection, and by what the reads of a scope see at least. */
const inFlight = new Map<string, Flight>();

/**
 * A text that changes whenever a record of the connection is created, updated or deleted. Calls that wait at the same time
 * share one query, which starts after all of them. Do not use it with a scope of a transaction.
 */
export function recordsState(scope: Scope): Promise<string> {
  const flight = inFlight.get(keyOf(scope));
  if (!flight) return start(scope);
  flight.next ??= flight.ended.then(() => start(scope));
  return flight.next;
}

function keyOf(scope: Scope): string {
  return scope.connectionId + readsKeyOf(scope);
}

function start(scope: Scope): Promise<string> {
  const key = keyOf(scope);
  const state = read(scope);
  const end = () => {
    if (inFlight.get(key) === flight) inFlight.delete(key);
  };
  const flight: Flight = { ended: state.then(end, end) };
  inFlight.set(key, flight);
  return state;
}

async function read(scope: Scope): Promise<string> {
  const { statement, values } = stateStatement(scope);
  const [row] = await sessionOf(scope).texts(statement, values);
  return stateOf(row?.[0] ?? null);
}
