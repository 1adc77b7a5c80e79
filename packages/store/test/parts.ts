import { entity, field, entities as gadgets } from './gadget.ts';

const kind = (...values: string[]) => field('kind', 'enum', { values, nullable: false, required: true });
const owners = field('owners', 'relations', { targets: ['Maker'] });
const shared = [
  field('name', 'text'),
  field('maker', 'relation', { targets: ['Maker'] }),
  field('tags', 'texts'),
  owners,
];

/** Two entities with their own tables. */
export const wheel = entity('Wheel', 'wheels', [kind('wheel'), ...shared, field('diameter', 'number')]);
export const motor = entity('Motor', 'motors', [kind('motor'), ...shared, field('power', 'number')]);

/** A view of both. */
export const part = {
  ...entity('Part', 'parts', [kind('wheel', 'motor'), ...shared]),
  view: [
    { entity: 'Wheel', where: { kind: 'wheel' } },
    { entity: 'Motor', where: { kind: 'motor' } },
  ],
};

/** A view of some records of one entity. */
export const soldGadget = {
  ...entity('SoldGadget', 'sold-gadgets', [
    field('name', 'text'),
    field('isSold', 'boolean', { nullable: false }),
    field('maker', 'relation', { targets: ['Maker'] }),
    owners,
    field('extra', 'object'),
  ]),
  view: [{ entity: 'Gadget', where: { isSold: true } }],
};

export const entities = { ...gadgets, Wheel: wheel, Motor: motor, Part: part, SoldGadget: soldGadget };
