import { hash } from 'node:crypto';
import type pg from 'pg';
import { type Parameter, toText } from './parameter.ts';

/** A statement that is prepared once per database connection, under a name. */
export interface Statement {
  /** At most 63 characters; the same name always means the same text. Empty: not kept. */
  readonly name: string;
  readonly text: string;
}

const known = new Map<string, Statement>();

/** The named form of a fixed text. For texts made of entities and constants only: every text is kept. */
export function fixedStatement(text: string): Statement {
  const statement = known.get(text) ?? { name: nameOf(text), text };
  known.set(text, statement);
  return statement;
}

/**
 * A statement that is planned each time it runs. For those that handle many rows at once: a plan that was kept since the
 * table was small would read all of it for every batch, and the cost of planning is negligible.
 */
export function bulkStatement(text: string): Statement {
  return { name: '', text };
}

/** A name derived from this text; PostgreSQL truncates names to 63 bytes. */
export function nameOf(text: string): string {
  return `u_${hash('sha256', text, 'base64url').slice(0, 40)}`;
}

/** The result of a statement, as text. `fields` is empty unless the columns were requested. */
export interface Answer {
  readonly rows: (string | null)[][];
  readonly fields: pg.FieldDef[];
  /**
   * State of the connection's records just before the statement ran; empty before their first change. Null unless it was
   * requested outside a transaction.
   */
  state: string | null;
}

/** Bytes that rows may have. Several statements can share a budget. */
export interface ByteBudget {
  /** Negative once it is exceeded. */
  left: number;
  /** Whether rows were discarded. */
  isExceeded: boolean;
}

/** A budget of this number of bytes. */
export function budgetOf(bytes: number): ByteBudget {
  return { left: bytes, isExceeded: false };
}

/** How the result of a statement is read. */
export interface Reading {
  /** Whether the columns are requested. */
  readonly describe?: boolean;
  /** The first row is kept; further ones that exceed the budget are discarded as they arrive. By default none are. */
  readonly budget?: ByteBudget | undefined;
  /** Whether the state of the connection's records is requested. */
  readonly withState?: boolean;
}

/** Prepared on every client of the tenant pool when it connects. */
export const bindConnection = {
  name: 'bind_connection',
  text: "select set_config('app.connection_id', $1, true)",
} as const satisfies Statement;

/**
 * Reads a text that differs whenever the records of a connection do: the number of the last change and its time. A log that was
 * restored from a backup can use a number again, but not at the same time.
 */
export const readState = {
  name: 'read_state',
  text: `select cursors.seq || '.' || coalesce(extract(epoch from changes.at)::text, '')
    from unified.change_cursors cursors left join unified.changes using (connection_id, seq)
   where connection_id = $1::uuid`,
} as const satisfies Statement;

/** Statements kept prepared per database connection; beyond that the oldest is closed. */
const KEPT = 400;

/** The parts of pg's wire connection that its types leave out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string; types: string[] }): void;
  bind(message: { statement: string; values: (string | null)[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: null): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/**
 * One statement bound to one connection of a customer, in one round trip.
 *
 * `set_config(…, true)` and the statement are sent together and followed by a single Sync. PostgreSQL runs everything
 * up to a Sync in one implicit transaction, so the setting applies to the statement and ends with it. With
 * `connectionId` null the setting is left out, because the current transaction has already made it.
 *
 * Implements what `client.query()` expects of a query object; `name` and `text` are read by it to record what is
 * prepared.
 */
export class ScopedStatement {
  readonly name: string;
  readonly text: string;
  readonly #connectionId: string | null;
  readonly #values: (string | null)[];
  readonly #describe: boolean;
  readonly #budget: ByteBudget | undefined;
  readonly #withState: boolean;
  readonly #answer: Answer = { rows: [], fields: [], state: null };
  readonly #settled = Promise.withResolvers<Answer>();
  /** What the next messages belong to, last first. */
  readonly #awaited: ('scope' | 'state' | 'statement')[] = ['statement'];

  constructor(connectionId: string | null, statement: Statement, values: readonly Parameter[], reading: Reading) {
    this.name = statement.name;
    this.text = statement.text;
    this.#connectionId = connectionId;
    this.#values = values.map(toText);
    this.#describe = reading.describe ?? false;
    this.#budget = reading.budget;
    this.#withState = reading.withState === true && connectionId !== null;
    if (this.#withState) {
      this.#awaited.push('state');
      this.#answer.state = '';
    }
    if (connectionId !== null) this.#awaited.push('scope');
  }

  /** The rows, once the implicit transaction has ended. */
  get answer(): Promise<Answer> {
    return this.#settled.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    if (this.#connectionId !== null) {
      wire.bind({ statement: bindConnection.name, values: [this.#connectionId] });
      wire.execute(null);
    }
    if (this.#withState) {
      if (wire.parsedStatements[readState.name] === undefined) wire.parse({ ...readState, types: [] });
      wire.bind({ statement: readState.name, values: [this.#connectionId] });
      wire.execute(null);
    }
    if (this.name === '' || wire.parsedStatements[this.name] === undefined) {
      closeOldest(wire);
      wire.parse({ name: this.name, text: this.text, types: [] });
    }
    wire.bind({ statement: this.name, values: this.#values });
    if (this.#describe) wire.describe({ type: 'P' });
    wire.execute(null);
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.#answer.fields.push(...message.fields);
  }

  handleDataRow(message: { fields: (string | null)[]; length: number }): void {
    const awaited = this.#awaited.at(-1);
    if (awaited === 'state') this.#answer.state = message.fields[0] ?? '';
    if (awaited !== 'statement') return;
    const { rows } = this.#answer;
    if (!this.#budget) return void rows.push(message.fields);
    this.#budget.left -= message.length;
    if (this.#budget.left >= 0 || rows.length === 0) rows.push(message.fields);
    else this.#budget.isExceeded = true;
  }

  handleCommandComplete(): void {
    this.#awaited.pop();
  }

  handleReadyForQuery(connection: pg.Connection): void {
    if (this.#withState) (connection as unknown as Wire).parsedStatements[readState.name] = readState.text;
    this.#settled.resolve(this.#answer);
  }

  handleError(error: Error): void {
    this.#settled.reject(error);
  }
}

function closeOldest(wire: Wire): void {
  const names = Object.keys(wire.parsedStatements);
  if (names.length <= KEPT) return;
  const oldest = names.find((name) => name !== bindConnection.name && name !== readState.name);
  if (oldest === undefined) return;
  delete wire.parsedStatements[oldest];
  wire.close({ type: 'S', name: oldest });
}
