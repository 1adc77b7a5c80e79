import { describe, expect, test } from 'vitest';
import { documentOf, json, thingSchemas } from './document-of.ts';
import type { Document, OperationNode, PathItem } from './openapi.ts';
import { dataPrefixOf, findOperations } from './operations.ts';

const node = (operationId: string, more: OperationNode = {}): OperationNode => ({
  operationId,
  tags: ['Things'],
  ...more,
});
const list = node('listThings', { responses: { '200': json('ThingPage') } });

function read(paths: Record<string, PathItem>, more: Partial<Document> = {}) {
  const document = documentOf(paths, thingSchemas, more);
  return findOperations(document).map(({ operation }) => operation);
}

describe('operations', () => {
  test('that follow the conventions have a kind and an entity', () => {
    const operations = read({
      '/things': { get: list, post: node('createThing', { requestBody: json('ThingInput') }) },
      '/things/{id}': {
        get: node('getThing', { responses: { '200': json('ThingResponse') } }),
        patch: node('updateThing', { requestBody: json('ThingPatch') }),
        put: node('replaceThing', { requestBody: json('ThingInput'), deprecated: true }),
        delete: node('deleteThing'),
      },
      '/things/{id}/actions/set-status': {
        post: node('setThingStatus', { responses: { '202': json('WriteRecord') } }),
      },
    });
    expect(
      operations.map(({ id, kind, entity, action, deprecated }) => [id, kind, entity, action, deprecated]),
    ).toEqual([
      ['listThings', 'list', 'Thing', undefined, false],
      ['createThing', 'create', 'Thing', undefined, false],
      ['getThing', 'get', 'Thing', undefined, false],
      ['replaceThing', 'replace', 'Thing', undefined, true],
      ['updateThing', 'update', 'Thing', undefined, false],
      ['deleteThing', 'delete', 'Thing', undefined, false],
      ['setThingStatus', 'action', 'Thing', 'set-status', false],
    ]);
  });

  test('that do not have their own handler', () => {
    const operations = read({
      '/things': { get: list, put: node('replaceThingByCode', { requestBody: json('ThingInput') }) },
      '/things/batch': { post: node('createThings') },
      '/things/{id}': { patch: node('updateThing', { requestBody: json('ThingInput') }) },
      '/writes': { get: node('listWrites', { responses: { '200': json('WritePage') } }) },
      '/writes/{writeId}/actions/retry': { post: node('retryWrite', { responses: { '202': json('WriteRecord') } }) },
    });
    expect(operations.slice(1).map(({ id, kind }) => [id, kind])).toEqual([
      ['replaceThingByCode', 'other'],
      ['createThings', 'other'],
      ['updateThing', 'other'],
      ['listWrites', 'other'],
      ['retryWrite', 'other'],
    ]);
  });

  test('that read a replica are lists, gets, and those that accept a position', () => {
    const parameters = [{ $ref: '#/components/parameters/dataPosition' }];
    const operations = read({
      '/things': { get: list, post: node('createThing', { requestBody: json('ThingInput') }) },
      '/things/{id}': { get: node('getThing', { responses: { '200': json('ThingResponse') } }) },
      '/writes': { get: node('listWrites', { responses: { '200': json('WritePage') } }) },
      '/query': { post: node('runQuery', { parameters }) },
    });
    expect(operations.map(({ id, readsReplica }) => [id, readsReplica])).toEqual([
      ['listThings', true],
      ['createThing', false],
      ['getThing', true],
      ['listWrites', false],
      ['runQuery', true],
    ]);
  });

  test('that create many records have the kind createMany', () => {
    const post = node('createThings', { requestBody: json('ThingBatch') });
    expect(read({ '/things': { get: list }, '/things/batch': { post } })).toMatchObject([
      { id: 'listThings' },
      { id: 'createThings', kind: 'createMany', entity: 'Thing' },
    ]);
  });

  test('of an older address without a list belong to the entity that it returns', () => {
    const create = node('createObject', {
      requestBody: json('ThingInput'),
      responses: { '201': json('ThingResponse') },
    });
    expect(read({ '/objects': { post: create } })).toMatchObject([{ kind: 'create', entity: 'Thing' }]);
  });

  test('have the surface of their tag, the addresses of their servers, and the credentials that they accept', () => {
    const operations = read(
      {
        '/things': { get: list },
        '/oauth/token': {
          servers: [{ url: 'http://localhost:4000' }],
          post: { operationId: 'issueToken', tags: ['Log In'], security: [] },
        },
      },
      { tags: [{ name: 'Things' }, { name: 'Log In', 'x-surface': 'oauth' }] },
    );
    expect(operations).toMatchObject([
      { id: 'listThings', surface: 'data', shard: 'things', security: ['connectionToken'], bases: ['/v4', '/v4/v4'] },
      { id: 'issueToken', surface: 'oauth', shard: 'log-in', security: [], bases: [''] },
    ]);
  });

  test.each([
    ['no name', { tags: ['Things'] }, 'get /a has no operationId.'],
    ['no tag', { operationId: 'getA' }, 'getA needs exactly one tag.'],
    ['two tags', { operationId: 'getA', tags: ['Things', 'Others'] }, 'getA needs exactly one tag.'],
  ])('with %s are refused', (_, get, message) => {
    expect(() => read({ '/a': { get } })).toThrow(message);
  });

  test.each([
    ['two credentials together', { connectionToken: [], other: [] }, 'listThings: name one security scheme at a time.'],
    ['optional credentials', {}, 'listThings: name one security scheme at a time.'],
    ['an unknown scheme', { moonToken: [] }, 'listThings: moonToken is not a bearer token.'],
  ])('with %s are refused', (_, requirement, message) => {
    expect(() => read({ '/things': { get: { ...list, security: [requirement] } } })).toThrow(message);
  });

  test('of the data API all have the same prefix', () => {
    const elsewhere = { get: { ...list, operationId: 'listOthers', servers: [{ url: '/v5' }] } };
    expect(dataPrefixOf(read({ '/things': { get: list } }))).toBe('/v4');
    expect(() => dataPrefixOf(read({ '/things': { get: list }, '/others': elsewhere }))).toThrow(
      'The data API is found below /v4 and /v5; name one server.',
    );
  });

  test('of an unknown surface are refused', () => {
    const tags = [{ name: 'Things', 'x-surface': 'moon' }];
    expect(() => read({ '/things': { get: list } }, { tags })).toThrow('Tag Things: there is no surface moon.');
  });
});
