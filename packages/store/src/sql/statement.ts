import { hash } from 'node:crypto';
import type { Statement } from './scoped-statement.ts';

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
