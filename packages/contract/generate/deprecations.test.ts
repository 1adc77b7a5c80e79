import { expect, test } from 'vitest';
import { documentOf, json, thingSchemas } from './document-of.ts';
import type { Document, OperationNode, PathItem } from './openapi.ts';
import { findOperations } from './operations.ts';

const node = (operationId: string, more: OperationNode = {}): OperationNode => ({
  operationId,
  tags: ['Things'],
  ...more,
});
const old = { deprecated: true };
const page = { responses: { '200': json('ThingPage') } };
const answer = { responses: { '200': json('ThingResponse') } };
const accepted = { responses: { '202': json('WriteRecord') } };

const paths: Record<string, PathItem> = {
  '/stuff': { get: node('listStuff', { ...old, ...page }) },
  '/stuff/{id}': { get: node('getStuff', { ...old, ...answer }), delete: node('deleteStuff', old) },
  '/stuff/{id}/actions/close': { post: node('closeStuff', { ...old, ...accepted }) },
  '/things': { get: node('listThings', page), put: node('replaceByCode', old) },
  '/things/{id}': {
    get: node('getThing', answer),
    patch: node('updateThing', { requestBody: json('ThingPatch') }),
    put: node('replaceThing', { ...old, requestBody: json('ThingInput') }),
  },
  '/things/{id}/actions/close': { post: node('closeThing', accepted) },
  '/things/{id}/closing': { put: node('putClosing', { ...old, 'x-successor': '/things/{id}/actions/close' }) },
};

function deprecations(more: object) {
  const usual = documentOf(paths, thingSchemas);
  const document: Document = { ...usual, components: { ...usual.components, ...more } };
  const found = findOperations(document);
  return Object.fromEntries(found.map(({ operation: { id, deprecation } }) => [id, deprecation]));
}

test('a deprecated operation states since when and, if the document has it, what to use instead', () => {
  const since = '@1795132800';
  const headers = { Deprecation: { schema: { const: since } } };
  expect(deprecations({ headers })).toEqual({
    listStuff: { since, successor: '/things' },
    getStuff: { since, successor: '/things/{id}' },
    deleteStuff: { since },
    closeStuff: { since, successor: '/things/{id}/actions/close' },
    replaceByCode: { since },
    replaceThing: { since, successor: '/things/{id}' },
    putClosing: { since, successor: '/things/{id}/actions/close' },
    listThings: undefined,
    getThing: undefined,
    updateThing: undefined,
    closeThing: undefined,
  });
});

test('a deprecated operation whose responses describe the header `Sunset` states when it ends', () => {
  const sunset = 'Tue, 01 Dec 2026 00:00:00 GMT';
  const headers = { Deprecation: { schema: { const: '@1795132800' } }, Sunset: { schema: { const: sunset } } };
  const responses = { default: { headers: { Sunset: {} } } };
  const ending = { '200': { $ref: '#/components/responses/Ending' } };
  const usual = documentOf(
    {
      '/ending': { get: node('getEnding', { ...old, responses: { ...ending, ...responses } }) },
      '/lasting': { get: node('getLasting', { ...old, responses: { ...page.responses, ...responses } }) },
    },
    thingSchemas,
  );
  const components = { ...usual.components, headers, responses: { Ending: { headers: { Sunset: {} } } } };
  const found = findOperations({ ...usual, components });
  expect(found.map(({ operation }) => operation.deprecation?.sunset)).toEqual([sunset, undefined]);
});

test('a document without the header states nothing', () => {
  expect(Object.values(deprecations({})).filter(Boolean)).toEqual([]);
});
