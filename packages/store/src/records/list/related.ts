import { type Entity, type Field, ServiceError } from '@unified/contract';
import { tableOf } from '../../tables/derive-table.ts';
import type { ConditionParts } from './condition-parts.ts';

/** How a condition reaches the records that it compares: through a relation of the records of a list. */
export interface Through {
  readonly relation: Field;
  /** The entities that the relation can point to and that have the field of the condition. */
  readonly targets: readonly Entity[];
}

/**
 * A query with one column: the ids of the records that a relation can point to and that meet a condition on the field with this
 * name. Deleted records are excluded. `partsOf` compiles the condition for one entity. `union` returns a record only once if
 * two entities contain it, such as a view and its member. Throws SERVICE_INVALID_FILTER.
 */
export function targetParts(
  { relation, targets }: Through,
  name: string,
  partsOf: (target: Entity, field: Field) => ConditionParts,
): ConditionParts {
  const parts = targets.map((target) => {
    const field = target.field[name];
    if (!field || !relation.targets?.includes(target.name))
      throw new ServiceError('SERVICE_INVALID_FILTER', `"${relation.name}" has no field "${name}" to filter by.`);
    const { sql, slots } = partsOf(target, field);
    const from = `select id from ${tableOf(target)} where connection_id = ?::uuid and "_deletedAt" is null`;
    return { sql: `${from} and ${sql}`, slots: ['connection' as const, ...slots] };
  });
  return { sql: parts.map(({ sql }) => sql).join(' union '), slots: parts.flatMap(({ slots }) => slots) };
}
