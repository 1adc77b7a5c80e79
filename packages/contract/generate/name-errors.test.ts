import { expect, it } from 'vitest';
import { documentOf, json, ref, thingSchemas } from './document-of.ts';
import { nameErrors } from './name-errors.ts';
import type { Document, Schema } from './openapi.ts';

const row = (status: number, ...on: string[]) => ({ status, retryable: false, when: 'It is.', do: 'Do.', on });
const ErrorCode = {
  'x-errors': {
    SERVICE_BAD_HTTP: row(400, 'request'),
    SERVICE_BAD_BODY: row(400, 'body'),
    SERVICE_BAD_SORT: row(400, 'sort'),
    SERVICE_NO_TOKEN: row(401, 'credential'),
    SERVICE_NOT_YET: row(501, 'planned'),
  },
};
const error = { description: 'Refused.', content: { 'application/json': { schema: ref('Error') } } };
const failing = { '204': {}, default: { $ref: '#/components/responses/Error' } };

function named(errorCode: Schema = ErrorCode): Document {
  const sort = { name: 'sort', in: 'query', schema: { type: 'string' } } as const;
  const paths = {
    '/things': { get: { operationId: 'listThings', tags: ['Things'], parameters: [sort], responses: failing } },
    '/a': { post: { operationId: 'a', tags: ['Things'], requestBody: json('Thing'), responses: failing } },
    '/b': { post: { operationId: 'b', tags: ['Things'], requestBody: json('Thing'), responses: failing } },
    '/c': { get: { operationId: 'c', tags: ['Things'], responses: failing } },
  };
  const document = documentOf(paths, { ...thingSchemas, ErrorCode: errorCode }, { 'x-planned': ['c'] });
  return nameErrors({ ...document, components: { ...document.components, responses: { Error: error } } });
}

function codesOf({ paths, components }: Document, path: string): Record<string, unknown> {
  const { responses = {} } = paths[path]?.get ?? paths[path]?.post ?? {};
  const codes = Object.entries(responses).map(([status, response]) => {
    const name = '$ref' in response ? response.$ref.split('/').at(-1) : '';
    return [status, components.responses?.[name ?? '']?.['x-codes']];
  });
  return Object.fromEntries(codes);
}

it('an operation has a response for each status of the errors that it can return', () => {
  const document = named();
  const general = { '204': undefined, default: ['SERVICE_BAD_HTTP'] };
  expect(codesOf(document, '/things')).toEqual({ ...general, 400: ['SERVICE_BAD_SORT'], 401: ['SERVICE_NO_TOKEN'] });
  expect(codesOf(document, '/a')).toEqual({ ...general, 400: ['SERVICE_BAD_BODY'], 401: ['SERVICE_NO_TOKEN'] });
});

it('an operation that is only planned returns nothing else', () => {
  expect(codesOf(named(), '/c')).toEqual({ '204': undefined, default: ['SERVICE_BAD_HTTP'], 501: ['SERVICE_NOT_YET'] });
});

it('operations with the same codes share the response', () => {
  const { paths, components } = named();
  expect(paths['/a']?.post?.responses).toEqual(paths['/b']?.post?.responses);
  expect(Object.keys(components.responses ?? {})).toEqual(['Error', 'Error400', 'Error401', 'Error400B', 'Error501']);
});

it('a fact that does not exist is refused', () => {
  expect(() => named({ 'x-errors': { SERVICE_ODD: row(400, 'moon') } })).toThrow('the fact moon');
});
