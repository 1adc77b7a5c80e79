import { hash } from 'node:crypto';
import type pg from 'pg';
import type { JoinedDocuments } from './joined-documents.ts';
import { type Parameter, toSent } from './parameter.ts';
import type { RowSink, RowTap } from './row-tap.ts';

/** A statement that is prepared once per database connection, under a name. */
export interface Statement {
  /** At most 63 characters; the same name always means the same text. If empty, the statement is not kept. */
  readonly name: string;
  readonly text: string;
}

const known = new Map<string, Statement>();

/** The named form of a fixed text. Use it only for texts made of entities and constants, because every text is kept. */
export function fixedStatement(text: string): Statement {
  const statement = known.get(text) ?? { name: nameOf(text), text };
  known.set(text, statement);
  return statement;
}

/**
 * A statement that is planned each time it runs. Use it for statements that handle many rows: a plan that was kept since the
 * table was small would read the whole table for every batch, and the cost of planning is negligible.
 */
export function bulkStatement(text: string): Statement {
  return { name: '', text };
}

const DERIVED = 'u_';

/** A name derived from this text; PostgreSQL truncates names to 63 bytes. */
export function nameOf(text: string): string {
  return `${DERIVED}${hash('sha256', text, 'base64url').slice(0, 40)}`;
}

/** A statement and the values of its parameters. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
}

/** The result of a statement, as text. `fields` is empty unless the columns were requested. */
export interface StatementResult {
  readonly rows: (string | null)[][];
  readonly fields: pg.FieldDef[];
  /** The first value of the preceding statement; null if that returned no row, or there was none. */
  before: string | null;
}

/** Number of bytes that rows may have in total. Several statements can share a budget. */
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
  /**
   * The first row is kept; later ones that exceed the budget are discarded as they arrive. By default, no rows are discarded.
   */
  readonly budget?: ByteBudget | undefined;
  /** Runs just before the statement, in the same round trip. Only the first value of its result is kept. */
  readonly before?: BoundStatement | undefined;
  /** Receives the rows of a `TappedClient` instead of the result. */
  readonly into?: JoinedDocuments;
}

/** Prepared on every client of the tenant pool when it connects. */
export const bindConnection = {
  name: 'bind_connection',
  text: "select set_config('app.connection_id', $1, true)",
} as const satisfies Statement;

/**
 * Number of statements kept prepared per database connection. When it is exceeded, the oldest one with a derived name is
 * closed.
 */
const KEPT = 400;

/** The parts of pg's wire connection that its types omit. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  /** Rows of a `TappedClient`. */
  readonly rows?: RowTap;
  parse(message: { name: string; text: string; types: string[] }): void;
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: null): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** One of the statements that are sent together. */
interface Part {
  readonly statement: Statement;
  readonly values: (string | Buffer | null)[];
}

/**
 * Runs one statement bound to one connection of a customer, in one round trip.
 *
 * `set_config(…, true)` and the statement are sent together and followed by a single Sync. PostgreSQL runs everything up to a
 * Sync in one implicit transaction, so the setting applies to the statement and ends with it. With `connectionId` null the
 * setting is left out, because the current transaction has already made it.
 *
 * Implements what `client.query()` expects of a query object.
 */
export class ScopedStatement implements RowSink {
  /** In the order in which they run. */
  readonly #parts: readonly Part[];
  readonly #before: Part | undefined;
  readonly #main: Part;
  readonly #reading: Reading;
  readonly #result: StatementResult = { rows: [], fields: [], before: null };
  readonly #settled = Promise.withResolvers<StatementResult>();
  /** Parts whose results have arrived. */
  #ended = 0;
  /** The rows of the database connection while `into` receives them. */
  #tap: RowTap | undefined;

  constructor(connectionId: string | null, statement: Statement, values: readonly Parameter[], reading: Reading) {
    const scope = connectionId === null ? undefined : partOf({ statement: bindConnection, values: [connectionId] });
    this.#before = reading.before && partOf(reading.before);
    this.#main = partOf({ statement, values });
    this.#parts = [scope, this.#before, this.#main].filter((part) => part !== undefined);
    this.#reading = reading;
  }

  /** When a statement has been parsed, the client records it as prepared under this name. */
  get name(): string {
    return this.#current.statement.name;
  }

  get text(): string {
    return this.#current.statement.text;
  }

  /** The part that the next message belongs to. */
  get #current(): Part {
    return this.#parts[this.#ended] ?? this.#main;
  }

  /** The rows, once the implicit transaction has ended. */
  get result(): Promise<StatementResult> {
    return this.#settled.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    if (this.#reading.into) this.#tapRows(wire);
    wire.stream.cork();
    for (const part of this.#parts) {
      bind(wire, part);
      if (part === this.#main && this.#reading.describe) wire.describe({ type: 'P' });
      wire.execute(null);
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.#result.fields.push(...message.fields);
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    const part = this.#current;
    if (part === this.#before) this.#result.before ??= fields[0] ?? null;
    if (part === this.#main && this.#isWithin(length, this.#result.rows.length)) this.#result.rows.push(fields);
  }

  /** A row of a statement whose documents are joined; see `RowTap`. */
  addRow(bytes: Buffer, start: number, end: number): void {
    const part = this.#current;
    const { into } = this.#reading;
    if (part === this.#before) this.#result.before ??= textAt(bytes, start);
    if (part !== this.#main || !into || !this.#tap) return;
    if (this.#isWithin(end - start, into.count)) into.addRow(this.#tap.memory, bytes, start, end);
  }

  /** Counts the bytes of a row that follows `before` other rows. The first row may exceed the budget. */
  #isWithin(bytes: number, before: number): boolean {
    const { budget } = this.#reading;
    if (!budget) return true;
    budget.left -= bytes;
    if (budget.left >= 0 || before === 0) return true;
    budget.isExceeded = true;
    return false;
  }

  handleCommandComplete(): void {
    this.#ended += 1;
  }

  handleReadyForQuery(): void {
    if (this.#tap?.sink === this) this.#reading.into?.end(this.#tap.memory);
    this.#untapRows();
    this.#settled.resolve(this.#result);
  }

  handleError(error: Error): void {
    this.#untapRows();
    this.#settled.reject(error);
  }

  #tapRows({ rows }: Wire): void {
    if (!rows) throw new Error('Only a TappedClient can join documents.');
    this.#tap = rows;
    rows.sink = this;
  }

  /** Does nothing if another statement already receives the rows: pg reports an error late if its clients have a timeout. */
  #untapRows(): void {
    if (this.#tap?.sink !== this) return;
    this.#tap.sink = undefined;
    this.#tap.memory.shrink();
  }
}

/** The first column of the row at a position, as text. */
function textAt(bytes: Buffer, start: number): string | null {
  const length = bytes.readInt32BE(start + 2);
  return length < 0 ? null : bytes.toString('utf8', start + 6, start + 6 + length);
}

function partOf({ statement, values }: BoundStatement): Part {
  return { statement, values: values.map(toSent) };
}

/** Binds a statement, which is parsed first unless it is prepared. */
function bind(wire: Wire, { statement: { name, text }, values }: Part): void {
  if (name === '' || wire.parsedStatements[name] === undefined) {
    closeOldest(wire);
    wire.parse({ name, text, types: [] });
  }
  wire.bind({ statement: name, values });
}

function closeOldest(wire: Wire): void {
  const names = Object.keys(wire.parsedStatements);
  if (names.length <= KEPT) return;
  const oldest = names.find((name) => name.startsWith(DERIVED));
  if (oldest === undefined) return;
  delete wire.parsedStatements[oldest];
  wire.close({ type: 'S', name: oldest });
}
