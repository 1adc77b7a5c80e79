import { expect, test } from 'vitest';
import { documentOf, json, thingSchemas } from './document-of.ts';
import { findEntities } from './entities.ts';
import type { PathItem } from './openapi.ts';
import { findOperations } from './operations.ts';

function read(paths: Record<string, PathItem>) {
  const document = documentOf(paths, thingSchemas);
  return findEntities(document, findOperations(document));
}

const list = (operationId: string, deprecated = false) => ({
  operationId,
  deprecated,
  tags: ['Things'],
  responses: { '200': json('ThingPage') },
});
const act = (operationId: string, more = {}) => ({
  post: { operationId, tags: ['Things'], responses: { '202': json('WriteRecord') }, ...more },
});

test('the canonical address is the first list that is not deprecated', () => {
  const [thing] = read({
    '/old-things': { get: list('listOldThings', true) },
    '/my-things': { get: list('listMyThings') },
  });
  expect(thing).toMatchObject({
    name: 'Thing',
    collection: 'my-things',
    table: 'my_things',
    requiredOnCreate: ['name'],
  });
});

test.each([
  ['line', ['name', 'size']],
  ['size', ['name']],
])(
  'a line needs what its schema requires without a key and a number; other conditions do not count (%s)',
  (number, needed) => {
    const unidentified = { not: { anyOf: [{ required: ['id'] }, { required: [number] }] } };
    const then = Object.fromEntries([['then', { required: ['size'] }]]);
    const input = { ...thingSchemas.ThingInput, if: unidentified, ...then };
    const document = documentOf({ '/things': { get: list('listThings') } }, { ...thingSchemas, ThingInput: input });
    const [thing] = findEntities(document, findOperations(document));
    expect(thing?.requiredOnCreate).toEqual(needed);
  },
);

test('an entity whose lists are all deprecated keeps the first', () => {
  const [thing] = read({ '/a-things': { get: list('listA', true) }, '/b-things': { get: list('listB', true) } });
  expect(thing?.collection).toBe('a-things');
});

test('actions are those of all addresses, with the references of their bodies; the current one where an older address repeats it', () => {
  const reference = { type: 'object', 'x-references': ['Thing'] };
  const lines = { type: 'array', items: { type: 'object', properties: { line: reference } } };
  const closing = { type: 'object', properties: { reason: reference, note: { type: 'string' }, lines } };
  const references = { reason: ['Thing'], 'lines.line': ['Thing'] };
  const [thing] = read({
    '/old-things': { get: list('listOldThings', true) },
    '/old-things/{id}/actions/close': act('closeOldThing', { deprecated: true }),
    '/things': { get: list('listThings') },
    '/things/{id}/actions/close': act('closeThing', {
      'x-transition': { from: ['open'], to: 'closed' },
      requestBody: { content: { 'application/json': { schema: closing } } },
    }),
    '/things/{id}/actions/set-status': act('setThingStatus'),
  });
  expect(thing?.actions).toEqual([
    { name: 'close', operationId: 'closeThing', from: ['open'], to: 'closed', references },
    { name: 'set-status', operationId: 'setThingStatus', references: {} },
  ]);
});

test('records that do not extend the shared entity are not entities', () => {
  const responses = { '200': json('WritePage') };
  expect(read({ '/writes': { get: { operationId: 'listWrites', tags: ['Things'], responses } } })).toEqual([]);
});
