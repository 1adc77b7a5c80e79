import type { Entity, Field } from '@unified/contract';
import { expect, test } from 'vitest';
import { type GivenReference, resolveReferences, targetsInAction, targetsInEntity } from './given-references.ts';

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

const inOrder = targetsInEntity(entities, order);

async function resolved(input: Record<string, unknown>, { drop = '', targetsAt = inOrder } = {}) {
  const asked: GivenReference[] = [];
  const output = await resolveReferences(targetsAt, input, async (reference) => {
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

test('references within lines are looked up as well, and identified by their path', async () => {
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

test('references within objects that are not records are looked up among the targets of their property', async () => {
  const [item, accounts] = ['Item', ['Account', 'Vendor']].map((targets) => ({ targets: [targets].flat() }));
  const plain = { nullable: true, required: false, writable: true };
  const lines: Field = {
    ...{ ...plain, name: 'lines', kind: 'objects' },
    fields: [
      { ...plain, ...item, name: 'item', kind: 'relation' },
      { ...plain, ...accounts, name: 'accounts', kind: 'relations' },
      { ...plain, name: 'quantity', kind: 'number' },
    ],
  };
  const entry = { ...order, fields: [lines], field: { lines } };
  const { asked, output } = await resolved(
    {
      lines: [
        { quantity: 1, item: null },
        { item: { id: 'a' }, accounts: [{ code: '10' }] },
      ],
    },
    { targetsAt: targetsInEntity(entities, entry) },
  );
  expect(asked.map(({ field, targets }) => [field, ...targets])).toEqual([
    ['lines[1].item', 'Item'],
    ['lines[1].accounts[0]', 'Account', 'Vendor'],
  ]);
  expect(output).toMatchObject({
    lines: [
      { quantity: 1, item: null },
      { item: { entity: 'Item' }, accounts: [{}] },
    ],
  });
});

test('the body of an action has its own references, including those within its lines', async () => {
  const references = { reason: ['Taxonomy'], 'lines.line': ['OrderLine'] };
  const actions = [{ name: 'receive', operationId: 'receiveOrder', references }];
  const targetsAt = targetsInAction({ ...order, actions }, 'receive');
  const { asked } = await resolved(
    { reason: { id: 'a' }, lines: [{ line: { id: 'b' } }], vendor: { id: 'c' } },
    { targetsAt },
  );
  expect(asked.map(({ field, targets }) => [field, ...targets])).toEqual([
    ['reason', 'Taxonomy'],
    ['lines[0].line', 'OrderLine'],
  ]);
});

test('a dropped reference leaves its field out; null and plain values stay', async () => {
  const { output } = await resolved(
    { vendor: { id: 'a' }, note: 'x', lines: null, address: { city: 'Bonn' } },
    { drop: 'Vendor' },
  );
  expect(output).toEqual({ note: 'x', lines: null, address: { city: 'Bonn' } });
});
