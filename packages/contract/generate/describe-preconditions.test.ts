import { expect, it } from 'vitest';
import { describePreconditions } from './describe-preconditions.ts';
import { documentOf, json, thingSchemas } from './document-of.ts';
import type { Document } from './openapi.ts';

const tags = ['Things'];
const one = { '200': { $ref: '#/components/responses/ThingResponse' } };
const page = { '200': { $ref: '#/components/responses/ThingPage' } };
const accepted = { '202': { $ref: '#/components/responses/WriteResponse' } };
const ID = { name: 'id', in: 'path' };
const IF_MATCH = { $ref: '#/components/parameters/ifMatch' };
const IF_NONE_MATCH = { $ref: '#/components/parameters/ifNoneMatch' };

const paths = {
  '/things': {
    get: { operationId: 'listThings', tags, responses: page },
    post: { operationId: 'createThing', tags, requestBody: json('ThingInput'), responses: one },
  },
  '/things/{id}': {
    get: { operationId: 'getThing', tags, parameters: [ID], responses: one },
    patch: { operationId: 'updateThing', tags, requestBody: json('ThingPatch'), responses: one },
    delete: { operationId: 'deleteThing', tags, responses: accepted },
  },
  '/things/{id}/actions/cancel': { post: { operationId: 'cancelThing', tags, responses: accepted } },
  '/report': {
    get: { operationId: 'getReport', tags, responses: { '200': { $ref: '#/components/responses/Report' } } },
  },
} as Parameters<typeof documentOf>[0];

const responses = {
  ThingResponse: { description: 'A thing', headers: { 'X-Own': {} }, ...json('ThingResponse') },
  ThingPage: { description: 'Things', ...json('ThingPage') },
  WriteResponse: { description: 'The write', ...json('WriteRecord') },
  Report: { description: 'A report' },
};

function documentWith(parameters: object): Document {
  const document = documentOf(paths, thingSchemas);
  return { ...document, components: { ...document.components, parameters, responses } } as Document;
}

const described = describePreconditions(documentWith({ ifMatch: {}, ifNoneMatch: {} }));
const operationAt = (path: string, method: 'get' | 'post' | 'patch' | 'delete') => described.paths[path]?.[method];

it('reads of records accept If-None-Match and can return 304', () => {
  expect(operationAt('/things', 'get')).toMatchObject({ parameters: [IF_NONE_MATCH] });
  expect(operationAt('/things/{id}', 'get')).toMatchObject({
    parameters: [ID, IF_NONE_MATCH],
    responses: { ...one, '304': { $ref: '#/components/responses/NotModified' } },
  });
});

it('writes of existing records accept If-Match, creates do not', () => {
  for (const node of [
    operationAt('/things/{id}', 'patch'),
    operationAt('/things/{id}', 'delete'),
    operationAt('/things/{id}/actions/cancel', 'post'),
  ])
    expect(node).toMatchObject({ parameters: [IF_MATCH] });
  expect(operationAt('/things', 'post')).not.toHaveProperty('parameters');
});

it('responses with records have an ETag, next to the headers that they have', () => {
  const tagged = described.components.responses as Readonly<Record<string, { readonly headers?: object }>>;
  const ETag = { $ref: '#/components/headers/ETag' };
  expect(tagged.ThingResponse?.headers).toEqual({ 'X-Own': {}, ETag });
  expect(tagged.ThingPage?.headers).toEqual({ ETag });
  expect(tagged.WriteResponse).toEqual(responses.WriteResponse);
});

it('operations without an entity stay as they are', () => {
  expect(operationAt('/report', 'get')).toEqual(paths['/report']?.get);
  expect(described.components.responses).toMatchObject({ Report: responses.Report });
});

it('a document without the parameters stays as it is', () => {
  const plain = documentWith({});
  expect(describePreconditions(plain)).toBe(plain);
});
