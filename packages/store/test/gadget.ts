import type { Entity, Field, FieldKind } from '@unified/contract';

/** A typical field; `more` overrides its properties. */
export const field = (name: string, kind: FieldKind, more: Partial<Field> = {}): Field => ({
  name,
  kind,
  nullable: true,
  required: false,
  writable: true,
  ...more,
});

const always = { nullable: false, required: true, writable: false };

const common: readonly Field[] = [
  field('id', 'text', always),
  field('code', 'text', { ...always, writable: true }),
  field('_source', 'text', always),
  field('_idValue', 'text', always),
  field('_displayValue', 'text', always),
  field('_updatedAt', 'datetime', always),
  field('_createdAt', 'datetime', always),
  field('_deletedAt', 'datetime', { required: true, writable: false }),
  field('_implements', 'texts', always),
];

/** An entity with the common fields and the given ones. */
export function entity(name: string, collection: string, own: readonly Field[]): Entity {
  const fields = [...common, ...own];
  return {
    name,
    collection,
    table: collection.replaceAll('-', '_'),
    fields,
    field: Object.fromEntries(fields.map((each) => [each.name, each])),
    requiredOnCreate: [],
    actions: [],
  };
}

/** What gadgets point to. */
export const maker = entity('Maker', 'makers', [field('name', 'text')]);

/** An entity with a field of every kind. */
export const gadget = entity('Gadget', 'gadgets', [
  field('name', 'text'),
  field('remark', 'text', { nullable: false }),
  field('weight', 'number'),
  field('count', 'integer'),
  field('isActive', 'boolean'),
  field('isSold', 'boolean', { nullable: false }),
  field('madeOn', 'date'),
  field('soldAt', 'datetime'),
  field('statusCategory', 'enum', { values: ['draft', 'open', 'closed'] }),
  field('maker', 'relation', { targets: ['Maker'] }),
  field('parent', 'relation', { targets: ['Gadget'] }),
  field('owners', 'relations', { nullable: false, targets: ['Maker'] }),
  field('tags', 'texts', { nullable: false }),
  field('aliases', 'texts'),
  field('contacts', 'objects', { nullable: false }),
  field('visits', 'objects'),
  field('extra', 'object'),
  field('customFields', 'custom', { nullable: false, writable: false }),
  field('availableActions', 'objects', { writable: false }),
  field('parts', 'objects', {
    nullable: false,
    fields: [
      field('count', 'integer'),
      field('maker', 'relation', { targets: ['Maker'] }),
      field('owners', 'relations', { targets: ['Maker'] }),
    ],
  }),
  field('origin', 'object', { fields: [field('city', 'text'), field('maker', 'relation', { targets: ['Maker'] })] }),
]);

export const entities = { Maker: maker, Gadget: gadget };

/** The field with this name; throws if there is none. */
export function fieldOf(of: Entity, name: string): Field {
  const found = of.field[name];
  if (!found) throw new Error(`${of.name} has no field ${name}`);
  return found;
}
