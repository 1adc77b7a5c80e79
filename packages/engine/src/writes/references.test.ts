import type { Entity, Field } from '@unified/contract';
import { expect, test } from 'vitest';
import { type GivenReference, resolveReferences } from './references.ts';

function entity(name: string, relations: Record<string, string>): Entity {
  const fields = Object.entries(relations).map(
    ([field, target]): Field => ({
      name: field,
      kind: 'relation',
      nullable: true,
      required: false,
      writable: true,
      targets: [target],
    }),
  );
  return {
    name,
    collection: name,
    table: name,
    fields,
    field: Object.fromEntries(fields.map((field) => [field.name, field])),
    requiredOnCreate: [],
    actions: [],
  };
}

const order = entity('Order', { vendor: 'Vendor', lines: 'OrderLine' });
const entities = { Order: order, OrderLine: entity('OrderLine', { item: 'Item', unit: 'Unit' }) };

async function resolved(input: Record<string, unknown>, drop?: string) {
  const asked: GivenReference[] = [];
  const output = await resolveReferences(entities, order, input, async (reference) => {
    asked.push(reference);
    const [entityName = ''] = reference.targets;
    if (entityName === drop) return undefined;
    return { id: '1', _idValue: '1', code: '1', _displayValue: '1', entity: entityName };
  });
  return { asked, output };
}

test('a relation is looked up among the entities that its field may point to', async () => {
  const { asked } = await resolved({ vendor: { _idValue: '7', rel: 'Vendor', href: 'http://x' } });
  expect(asked).toEqual([{ field: 'vendor', targets: ['Vendor'], given: { _idValue: '7', rel: 'Vendor' } }]);
});

test('references within lines are looked up too, and named by their place', async () => {
  const { asked, output } = await resolved({
    lines: [
      { item: { id: 'a' }, quantity: 2 },
      { item: { _displayValue: 'Bolt' }, quantity: 3 },
    ],
  });
  expect(asked.map(({ field, targets }) => [field, ...targets])).toEqual([
    ['lines[0].item', 'Item'],
    ['lines[1].item', 'Item'],
  ]);
  expect(output).toMatchObject({ lines: [{ item: { entity: 'Item' }, quantity: 2 }, { quantity: 3 }] });
});

test('an embedded list without a field list of its own goes by the names of the document', async () => {
  const { asked } = await resolved({ parts: [{ unit: { _displayValue: 'kg' } }] });
  expect(asked).toEqual([{ field: 'parts[0].unit', targets: ['Unit'], given: { _displayValue: 'kg' } }]);
});

test('a dropped reference leaves its field out; null and plain values stay', async () => {
  const { output } = await resolved(
    { vendor: { id: 'a' }, note: 'x', lines: null, address: { city: 'Bonn' } },
    'Vendor',
  );
  expect(output).toEqual({ note: 'x', lines: null, address: { city: 'Bonn' } });
});
