import { expect, test } from 'vitest';
import { documentOf, json, ref, thingSchemas } from './document-of.ts';
import { findEntities } from './entities.ts';
import type { PathItem, Schema } from './openapi.ts';
import { findOperations } from './operations.ts';

const kind: Schema = { type: 'string', enum: ['small', 'large'] };
const only = (value: string): Schema => ({ properties: { kind: { type: 'string', enum: [value] } } });
const entity = (...parts: Schema[]) => ({ allOf: [ref('Entity'), ...parts] });
const page = (name: string): Schema => ({ properties: { data: { type: 'array', items: ref(name) } } });
const small = { entity: 'Box', where: { kind: 'small' } };
const can = { entity: 'Can', where: { kind: 'small' } };
const bag = { entity: 'Bag', where: { kind: 'large' } };

const schemas: Record<string, Schema> = {
  ...thingSchemas,
  Box: entity({
    required: ['kind'],
    properties: {
      kind,
      label: { type: ['string', 'null'] },
      sides: { type: 'array', items: { properties: { name: { type: 'string' } } } },
    },
  }),
  BoxPatch: { properties: { kind, label: { type: ['string', 'null'] } } },
  BoxInput: { allOf: [ref('BoxPatch')], required: ['kind'] },
  BoxPage: page('Box'),
  Bag: entity(only('large'), { properties: { label: { type: 'number' } } }),
  Can: entity(only('small')),
  CanPage: page('Can'),
  BagPage: page('Bag'),
  Parcel: { 'x-view': [small], allOf: [ref('Box')] },
  ParcelPage: page('Parcel'),
};

const list = (operationId: string, name: string): PathItem => ({
  get: { operationId, tags: ['Things'], responses: { '200': json(`${name}Page`) } },
});

function read(changed: Record<string, Schema> = {}, more: Record<string, PathItem> = {}) {
  const paths = {
    '/boxes': list('listBoxes', 'Box'),
    '/bags': list('listBags', 'Bag'),
    '/cans': list('listCans', 'Can'),
    '/parcels': list('listParcels', 'Parcel'),
    ...more,
  };
  const document = documentOf(paths, { ...schemas, ...changed });
  return findEntities(document, findOperations(document));
}

const view = (members: unknown, ...parts: Schema[]) => ({ Parcel: { 'x-view': members, ...entity(...parts) } });

test('a view has the fields that its schema names, and its members', () => {
  const parcel = read().find(({ name }) => name === 'Parcel');
  expect(parcel).toMatchObject({ collection: 'parcels', table: 'parcels', view: [small] });
  expect(parcel?.fields.map(({ name }) => name)).toEqual(['id', 'code', 'kind', 'label', 'sides']);
  expect(read().find(({ name }) => name === 'Box')).not.toHaveProperty('view');
});

test('a view of a part of an entity may name fewer fields, and the one value that its records have', () => {
  const parts: Schema[] = [{ properties: { kind: { type: 'string', enum: ['small'] } } }];
  const parcel = read(view([small], ...parts)).find(({ name }) => name === 'Parcel');
  expect(parcel?.fields.map(({ name }) => name)).toEqual(['id', 'code', 'kind']);
});

test('a view may contain all records of several entities that differ in a field', () => {
  const members = [can, bag];
  const [parcel] = read(view(members, { properties: { kind } })).filter(({ name }) => name === 'Parcel');
  expect(parcel?.view).toEqual(members);
});

const label: Schema = { type: ['string', 'null'] };

test.each<[string, Record<string, Schema>, string]>([
  ['a member that is not an entity', view([{ entity: 'Crate', where: { kind: 'small' } }]), 'Crate is not an entity'],
  ['a view of a view', view([{ entity: 'Parcel', where: { kind: 'small' } }]), 'Parcel is a view itself'],
  ['a field that a member lacks', view([small], { properties: { colour: label } }), 'Box has no field `colour`'],
  ['a field of another kind', view([bag], { properties: { label } }), '`label` is text, in Bag it is number'],
  [
    'a field that may be null',
    view([small], { properties: { label: { type: 'string' } } }),
    'Box allows null in `label`',
  ],
  [
    'a field that may be absent',
    view([small], { required: ['label'], properties: { label } }),
    'Box does not require `label`',
  ],
  [
    'a field with fewer values',
    view([small], { properties: { kind: { type: 'string', enum: ['large'] } } }),
    'Box has further values in `kind`',
  ],
  [
    'a property of an object that a member lacks',
    view([small], { properties: { sides: { type: 'array', items: { properties: { colour: label } } } } }),
    'Box has no field `sides.colour`',
  ],
  ['an unknown discriminator', view([{ entity: 'Box', where: { size: 'small' } }]), '`size`, which Box does not have'],
  ['an unknown value', view([{ entity: 'Box', where: { kind: 'tiny' } }]), '`kind` of Box is never "tiny"'],
  ['a value of another type', view([{ entity: 'Box', where: { kind: true } }]), '`kind` of Box is never true'],
  ['a member without values', view([{ entity: 'Box', where: {} }]), 'a member has no `where`'],
  ['a part of one of several members', view([small, bag]), 'list "small" as the one value of `kind` of Box'],
  ['members that differ in nothing', view([can, can]), 'two members have the same `where`'],
  [
    'members distinguished by different fields',
    view([can, { entity: 'Can', where: { code: 'x' } }]),
    '`where` names other fields',
  ],
  [
    'a field that a member does not accept',
    { ...view([bag], { properties: { code: { type: 'string' } } }), ParcelPatch: { properties: { code: label } } },
    'Bag does not accept `code`',
  ],
  [
    'a reference to a view',
    { Bag: entity({ properties: { parcel: { anyOf: [ref('Relation'), ref('Parcel'), { type: 'null' }] } } }) },
    'Bag: `parcel` refers to the view Parcel; name its members: Box.',
  ],
  [
    'a reference to a view within an object',
    {
      Bag: entity({
        properties: { content: { properties: { parcel: { anyOf: [ref('Relation')], 'x-references': ['Parcel'] } } } },
      }),
    },
    'Bag: `content.parcel` refers to the view Parcel; name its members: Box.',
  ],
])('%s is refused', (_, changed, message) => {
  expect(() => read(changed)).toThrow(message);
});

test('an action of a view is one of its members', () => {
  const responses = { '202': json('WriteRecord') };
  const close = { post: { operationId: 'closeParcel', tags: ['Things'], responses } };
  expect(() => read({}, { '/parcels/{id}/actions/close': close })).toThrow('Box has no action `close`');
});

test('a create through a view of several entities names the entity', () => {
  const post = { operationId: 'createParcel', tags: ['Things'], requestBody: json('ParcelInput') };
  const changed = {
    ...view([can, bag], { properties: { kind } }),
    ParcelInput: { properties: { kind } },
  };
  expect(() => read(changed, { '/parcels': { ...list('listParcels', 'Parcel'), post } })).toThrow(
    '`kind` distinguishes its members: a create must require it',
  );
});
