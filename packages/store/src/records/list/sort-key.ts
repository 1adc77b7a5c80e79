import { type Entity, type Field, ServiceError } from '@unified/contract';
import { columnType, isAlwaysSet, isIndexed, LONGEST_INDEXED } from '../../tables/derive-table.ts';

/** One column that a list is ordered by. */
export interface SortKey {
  readonly field: Field;
  /** What the list is ordered by, as SQL: the quoted column, or the beginning of a long text. */
  readonly column: string;
  readonly type: string;
  readonly descending: boolean;
  readonly alwaysSet: boolean;
}

/**
 * The sort keys of a list, followed by the id so that no two records tie. The id follows the direction of the field before it:
 * then one index serves both directions. Throws SERVICE_INVALID_SORT for a field that has no order.
 */
export function sortKeys(entity: Entity, sort: readonly { field: Field; descending: boolean }[]): SortKey[] {
  const keys: SortKey[] = [];
  for (const { field, descending } of sort) {
    if (keys.some((key) => key.field === field)) continue;
    keys.push(keyOf(entity, field, descending));
    if (field.name === 'id') return keys;
  }
  const id = entity.field.id;
  if (!id) throw new ServiceError('SERVICE_INTERNAL', `${entity.name} has no field "id".`);
  return [...keys, keyOf(entity, id, keys.at(-1)?.descending ?? false)];
}

function keyOf(entity: Entity, field: Field, descending: boolean): SortKey {
  const type = columnType(field);
  if (type === undefined || type.endsWith('[]') || entity.field[field.name] !== field) {
    throw new ServiceError('SERVICE_INVALID_SORT', `${entity.name} cannot be sorted by "${field.name}".`);
  }
  const quoted = `"${field.name}"`;
  // A cursor contains the value, so its length must be bounded.
  const column = type === 'text' && !isIndexed(field) ? `left(${quoted}, ${LONGEST_INDEXED})` : quoted;
  return { field, column, type, descending, alwaysSet: isAlwaysSet(field) };
}

/** The sort in one word, for example `-_updatedAt,-id`. */
export function sortName(keys: readonly SortKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field.name).join(',');
}
