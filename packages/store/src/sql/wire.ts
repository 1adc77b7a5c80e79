import { toSent } from './parameter.ts';
import type { RowTap } from './row-tap.ts';
import { type BoundStatement, DERIVED, type Statement } from './statement.ts';

/**
 * Number of statements kept prepared per database connection. When it is exceeded, the oldest one with a derived name is
 * closed.
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
  const parsed = new Set<string>();
  wire.stream.cork();
  for (const part of parts) {
    bind(wire, part, parsed);
    if (part === described) wire.describe({ type: 'P' });
    wire.execute(null);
  }
  wire.sync();
  wire.stream.uncork();
}

/** Binds a statement. `parsed` contains the names that this round trip prepares. */
function bind(wire: Wire, { statement: { name, text }, values }: Part, parsed: Set<string>): void {
  if (name === '' || (wire.parsedStatements[name] === undefined && !parsed.has(name))) {
    closeOldest(wire);
    wire.parse({ name, text, types: [] });
    parsed.add(name);
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
