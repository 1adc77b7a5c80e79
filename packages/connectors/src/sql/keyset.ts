import type { Json } from '../json.ts';

/** Alias under which the exact text of the position travels; a decoded timestamp would lose microseconds. */
export const POSITION = '__position';

/** A row's position in this order, to be selected. */
export function position(order: readonly string[]): string {
  return `json_build_array(${order.map((column) => `${column}::text`).join(', ')}) AS ${POSITION}`;
}

/** The condition that rows come after a position, or (`<=`) not after it. `values` gets its parameters. */
export function compare(
  order: readonly string[],
  operator: '>' | '<=',
  to: readonly Json[],
  values: unknown[],
): string {
  return `(${order.join(', ')}) ${operator} (${to.map((value) => `$${values.push(value)}`).join(', ')})`;
}
