import { expect, it } from 'vitest';
import { nameOf } from '../src/component-references.ts';
import { documentOf, json, ref, thingSchemas } from './document-of.ts';
import { nameErrors } from './name-errors.ts';
import type { Document, Parameter, Schema } from './openapi.ts';

const row = (status: number, ...on: string[]) => ({ status, retryable: false, when: 'It is.', do: 'Do.', on });
const ErrorCode = {
  'x-errors': {
    SERVICE_BAD_HTTP: row(400, 'request'),
    SERVICE_BAD_BODY: row(400, 'body'),
    SERVICE_BAD_SORT: row(400, 'sort'),
    SERVICE_NO_TOKEN: row(401, 'credential'),
  },
};
const error = { description: 'Refused.', content: { 'application/json': { schema: ref('Error') } } };
const failing = { '204': {}, default: { $ref: '#/components/responses/Error' } };

function named(errorCode: Schema = ErrorCode, parameters: Parameter[] = []): Document {
  const sort = { name: 'sort', in: 'query', schema: { type: 'string' } } as const;
  const paths = {
    '/things': { get: { operationId: 'listThings', tags: ['Things'], parameters: [sort], responses: failing } },
    '/a': { post: { operationId: 'a', tags: ['Things'], requestBody: json('Thing'), responses: failing } },
    '/b': { post: { operationId: 'b', tags: ['Things'], parameters, requestBody: json('Thing'), responses: failing } },
  };
  const document = documentOf(paths, { ...thingSchemas, ErrorCode: errorCode });
  return nameErrors({ ...document, components: { ...document.components, responses: { Error: error } } });
}

function defaultOf({ paths }: Document, path: string): string {
  const { default: response = {} } = (paths[path]?.get ?? paths[path]?.post)?.responses ?? {};
  return '$ref' in response ? nameOf(response.$ref) : '';
}

function codesOf(document: Document, path: string): unknown {
  return document.components.responses?.[defaultOf(document, path)]?.['x-codes'];
}

it('an operation names the errors that it can return, by status', () => {
  const document = named();
  const codes = { 400: ['SERVICE_BAD_HTTP', 'SERVICE_BAD_SORT'], 401: ['SERVICE_NO_TOKEN'] };
  expect(codesOf(document, '/things')).toEqual(codes);
  expect(codesOf(document, '/a')).toEqual({ ...codes, 400: ['SERVICE_BAD_HTTP', 'SERVICE_BAD_BODY'] });
  expect(document.components.responses?.[defaultOf(document, '/things')]?.description).toBe(
    'Refused.\n\n- 400: `SERVICE_BAD_HTTP`, `SERVICE_BAD_SORT`\n- 401: `SERVICE_NO_TOKEN`',
  );
});

it('operations with the same codes share the response', () => {
  const document = named();
  expect(defaultOf(document, '/a')).toBe(defaultOf(document, '/b'));
  expect(Object.keys(document.components.responses ?? {})).toEqual(['ListErrors', 'OptionalBodyErrors']);
});

it('responses that the files describe are kept', () => {
  expect(Object.keys(named().paths['/a']?.post?.responses ?? {})).toEqual(['204', 'default']);
});

it('one name for different codes is refused', () => {
  const errorCode = { 'x-errors': { SERVICE_BAD_BODY: row(400, 'fields') } };
  expect(() => named(errorCode, [{ name: 'fields', in: 'query' }])).toThrow('OptionalBodyErrors has different codes');
});

it('a fact that does not exist is refused', () => {
  expect(() => named({ 'x-errors': { SERVICE_ODD: row(400, 'moon') } })).toThrow('the fact moon');
});
