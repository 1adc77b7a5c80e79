import type { Entity } from '@unified/contract';
import type { Parameter } from '../../sql/parameter.ts';
import { type Condition, conditionValue } from './condition.ts';
import type { Position, SortKey } from './keyset.ts';

/** The shape of a list, which determines its SQL: lists with the same shape differ only in values. */
export interface ListShape {
  readonly entity: Entity;
  readonly conditions: readonly Condition[];
  readonly keys: readonly SortKey[];
  readonly position: Position | null;
  readonly hasOffset: boolean;
  /** Maximum number of rows to read. It is part of the text, not a parameter, so that the planner knows that it is small. */
  readonly limit: number;
}

/**
 * Numbers of a query's values: the connection, then conditions, then the cursor's position, then the offset, then the names of
 * the custom fields of conditions. Knex is given these numbers instead of the values, since a statement serves all queries of
 * its shape. The slots of a statement are read back from them.
 */
export const valueAt = {
  connection: 0,
  condition: (index: number) => 1 + index,
  position: (shape: Pick<ListShape, 'conditions'>, index: number) => 1 + shape.conditions.length + index,
  offset: (shape: Pick<ListShape, 'conditions' | 'keys' | 'position'>) =>
    1 + shape.conditions.length + (shape.position === null ? 0 : shape.keys.length),
  name: (shape: Pick<ListShape, 'conditions' | 'keys' | 'position'>, index: number) =>
    valueAt.offset(shape) + 1 + index,
};

/** The values of a query, in the order of `valueAt`; the `slots` of a statement select from them. */
export function listValues(
  connectionId: string,
  { conditions, position }: Pick<ListShape, 'conditions' | 'position'>,
  offset = 0,
): readonly Parameter[] {
  const names = conditions.map(({ custom }) => custom?.name ?? null);
  return [connectionId, ...conditions.map(conditionValue), ...(position ?? []), offset, ...names];
}
