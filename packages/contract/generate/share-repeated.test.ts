import { expect, test } from 'vitest';
import { shareRepeated } from './share-repeated.ts';

const relation = { type: 'object', properties: { id: { type: 'string', format: 'uuid' }, label: { type: 'string' } } };

test('an object that appears twice becomes one schema, and copies become references to it', () => {
  const order = {
    properties: { vendor: relation, buyer: { anyOf: [relation, { type: 'null' }] }, note: { type: 'string' } },
  };
  const { replace, schemas } = shareRepeated([order]);
  expect(replace(order)).toEqual({
    properties: {
      vendor: { $ref: '#/components/schemas/Shared1' },
      buyer: { anyOf: [{ $ref: '#/components/schemas/Shared1' }, { type: 'null' }] },
      note: { type: 'string' },
    },
  });
  expect(schemas).toEqual({ Shared1: relation });
});

test('objects are shared between schemas, including whole bodies and parts of shared objects', () => {
  const line = { properties: { item: relation } };
  const { replace, schemas } = shareRepeated([line, line, { properties: { site: relation } }]);
  expect(replace(line)).toEqual({ $ref: '#/components/schemas/Shared1' });
  expect(schemas).toEqual({
    Shared1: { properties: { item: { $ref: '#/components/schemas/Shared2' } } },
    Shared2: relation,
  });
});

test('an object that appears once keeps its position', () => {
  const { replace, schemas } = shareRepeated([{ items: relation }]);
  expect(replace({ items: relation })).toEqual({ items: relation });
  expect(schemas).toEqual({});
});
