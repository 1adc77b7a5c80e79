import type { Entity, Field } from '@unified/contract';

/** Fields of an entity whose values are lists of references. */
export function listFields(entity: Entity): readonly Field[] {
  return entity.fields.filter(({ kind }) => kind === 'relations');
}

/** Name of the links of a list: `PurchaseOrder.lines`. */
export function linkName(entity: string, { name }: Pick<Field, 'name'>): string {
  return `${entity}.${name}`;
}
