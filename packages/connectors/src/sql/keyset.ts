import type { Json } from '../json.ts';
import type { SqlDialect } from './dialect/sql-dialect.ts';

/** Alias under which the exact text of the position travels; a decoded timestamp would lose microseconds. */
export const POSITION = '__position';

/** A row's position in this order, to be selected. */
export function position({ spell }: SqlDialect, order: readonly string[]): string {
  return `${spell.textList(order)} AS ${POSITION}`;
}

/** The condition that rows come after a position, or (`<=`) not after it. `values` gets its parameters. */
export function compare(
  { spell }: SqlDialect,
  order: readonly string[],
  operator: '>' | '<=',
  to: readonly Json[],
  values: unknown[],
): string {
  return spell.compare(
    order,
    operator,
    to.map((value) => `$${values.push(value)}`),
  );
}
