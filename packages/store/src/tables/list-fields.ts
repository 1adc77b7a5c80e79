import type { Entity, Field } from '@unified/contract';

/** Fields of an entity that hold lists of references. */
export function listFields(entity: Entity): readonly Field[] {
  return entity.fields.filter(({ kind }) => kind === 'relations');
}

/** How the links of a list are called: `PurchaseOrder.lines`. */
export function linkName(entity: string, { name }: Pick<Field, 'name'>): string {
  return `${entity}.${name}`;
}
