import { toSent } from './parameter.ts';
import type { RowTap } from './row-tap.ts';
import { type BoundStatement, DERIVED, type Statement } from './statement.ts';

/**
 * Number of statements kept prepared per database connection. When it is exceeded, the oldest ones with derived names are closed.
 */
const KEPT = 400;

/** The parts of pg's wire connection that its types omit. */
export interface Wire {
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
export interface Part {
  readonly statement: Statement;
  readonly values: (string | Buffer | null)[];
}

/** A statement with its values as they are sent. */
export function partOf({ statement, values }: BoundStatement): Part {
  return { statement, values: values.map(toSent) };
}

/**
 * Sends statements in one write, followed by a single Sync: PostgreSQL runs them in one implicit transaction. A statement is parsed
 * first unless it is prepared.
 */
export function sendTogether(wire: Wire, parts: readonly Part[], described?: Part): void {
  const missing = new Set<string>();
  for (const { statement } of parts)
    if (statement.name !== '' && wire.parsedStatements[statement.name] === undefined) missing.add(statement.name);
  wire.stream.cork();
  // If a statement fails, PostgreSQL skips what follows it. Nothing precedes these messages, so they are never skipped.
  if (missing.size > 0) makeRoom(wire, parts, missing.size);
  for (const part of parts) {
    const { name, text } = part.statement;
    if (name === '' || missing.delete(name)) wire.parse({ name, text, types: [] });
    wire.bind({ statement: name, values: part.values });
    if (part === described) wire.describe({ type: 'P' });
    wire.execute(null);
  }
  wire.sync();
  wire.stream.uncork();
}

/** Closes the oldest statements that are not needed now, so that this number of others can be prepared. */
function makeRoom(wire: Wire, parts: readonly Part[], count: number): void {
  const names = Object.keys(wire.parsedStatements);
  const needed = new Set(parts.map(({ statement }) => statement.name));
  const closable = names.filter((name) => name.startsWith(DERIVED) && !needed.has(name));
  for (const name of closable.slice(0, Math.max(0, names.length + count - KEPT))) {
    delete wire.parsedStatements[name];
    wire.close({ type: 'S', name });
  }
}
