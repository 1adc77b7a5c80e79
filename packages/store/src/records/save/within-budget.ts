import { type ByteBudget, budgetOf } from '../../sql/statement.ts';

/** Maximum number of bytes of stored documents that are in memory at a time. */
export const DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Some elements of a list and what was read for them. */
export interface Part<T, R> {
  readonly part: readonly T[];
  readonly found: R;
}

/**
 * Reads what is stored for a list: for all of it or, if that exceeds the allowed number of bytes, for one half after the other.
 * `read` reads the rows of a part within the budget. An element whose rows alone exceed the limit is a separate part.
 */
export async function* withinBudget<T, R>(
  list: readonly T[],
  bytes: number,
  read: (part: readonly T[], budget: ByteBudget) => Promise<R>,
): AsyncGenerator<Part<T, R>> {
  const waiting = [list];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const budget = budgetOf(bytes);
    const found = await read(part, budget);
    if (budget.isExceeded && part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      waiting.push(part.slice(middle), part.slice(0, middle));
    } else {
      yield { part, found };
    }
  }
}
