import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Parameter } from './parameter.ts';

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

/** Names of statements that are not chosen by hand begin with it. */
export const DERIVED = 'u_';

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
  /** The first value of the preceding statements; null if they returned no row, or there were none. */
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

/**
 * Counts the bytes of a row that follows `before` other rows, and returns whether it is kept. The first row may exceed the
 * budget.
 */
export function spendBudget(budget: ByteBudget | undefined, bytes: number, before: number): boolean {
  if (!budget) return true;
  budget.left -= bytes;
  if (budget.left >= 0 || before === 0) return true;
  budget.isExceeded = true;
  return false;
}

/** How the result of a statement is read. */
export interface Reading {
  /** Whether the columns are requested. */
  readonly describe?: boolean;
  /**
   * The first row is kept; later ones that exceed the budget are discarded as they arrive. By default, no rows are discarded.
   */
  readonly budget?: ByteBudget | undefined;
  /** Run just before the statement, in the same round trip. Only the first value that they return is kept. */
  readonly before?: readonly BoundStatement[];
}

/** Prepared on every client of the tenant pool when it connects. */
export const bindConnection = {
  name: 'bind_connection',
  text: "select set_config('app.connection_id', $1, true)",
} as const satisfies Statement;
