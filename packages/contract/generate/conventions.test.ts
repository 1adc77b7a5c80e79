import { expect, it } from 'vitest';
import { entitiesByCollection, shapeOf } from './conventions.ts';
import { documentOf, json, ref, thingSchemas } from './document-of.ts';
import { readerOf } from './openapi.ts';

it.each([
  ['/vendors', { collection: 'vendors', shape: 'collection', action: '' }],
  ['/vendors/{id}', { collection: 'vendors', shape: 'item', action: '' }],
  ['/vendors/batch', { collection: 'vendors', shape: 'batch', action: '' }],
  ['/work-orders/{id}/actions/cancel', { collection: 'work-orders', shape: 'action', action: 'cancel' }],
  ['/system/health', { collection: 'system', shape: 'other', action: '' }],
  ['/vendors/{id}/logo', { collection: 'vendors', shape: 'other', action: '' }],
  ['/work-orders/{id}/actions/cancel/again', { collection: 'work-orders', shape: 'other', action: '' }],
])('the form of %s is recognized', (path, shape) => {
  expect(shapeOf(path)).toEqual(shape);
});

it('the entity of a collection is found by its list, or by its records if it has no list', () => {
  const schemas = {
    ...thingSchemas,
    Other: { 'x-view': [{ entity: 'Thing', where: { name: 'other' } }], allOf: [ref('ThingFields')] },
    OtherResponse: { allOf: [{ type: 'object' }, { properties: { data: ref('Other') } }] },
    PlainPage: { properties: { data: { type: 'array', items: ref('ThingFields') } } },
  };
  const document = documentOf(
    {
      '/things': { get: { responses: { '200': json('ThingPage') } } },
      '/others/{id}': { patch: { responses: { '200': json('OtherResponse') } } },
      '/plain': { get: { responses: { '200': json('PlainPage') } } },
    },
    schemas,
  );
  const found = entitiesByCollection<object>(readerOf(document), document.paths);
  expect([...found].map(([collection, { name }]) => [collection, name])).toEqual([
    ['things', 'Thing'],
    ['others', 'Other'],
  ]);
});
